// memsim-probe-device: what a GPU file states of the driver and of launches, measured.
#pragma once

#include "validate/probe/program.hpp"

namespace memsim::probe {

Program device_probe();

}  // namespace memsim::probe
