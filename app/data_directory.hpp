// Where the catalogue (scenarios/) and the shipped data (validate/data) are.
#pragma once

#include <filesystem>

namespace memsim::app {

// In this order: share/memsim beside the folder of the running command (an installed memsim, also
// when it was moved as a whole), the source tree it was built from, the configured install folder.
std::filesystem::path default_data_directory();

}  // namespace memsim::app
