// The answer of `memsim transfer` for people, 80 columns wide.
#pragma once

#include <string>

#include "scenarios/transfer/sweep.hpp"

namespace memsim::app {

// "ddr0 to gpu0, 1.0 GiB: 42.6 ms, 25.2 GB/s" and a line end; of a sweep its largest size.
std::string transfer_headline(const scenarios::Sweep& sweep);
// One answer in full, or the curve of a sweep.
std::string transfer_text(const scenarios::Sweep& sweep);

}  // namespace memsim::app
