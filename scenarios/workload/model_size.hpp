// A model that no memory will hold: the slip of the hand behind it is found at its keys.
#pragma once

#include "models/network/network.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/setting.hpp"

namespace memsim::scenarios {

// False, with E137, if parameters (of four bytes) and buffers exceed 2^53 bytes. The diagnostic
// names the keys among `settings` that multiply to the largest tensor.
bool check_size(const models::Network& network, const Settings& settings, Diagnostics& diagnostics);

}  // namespace memsim::scenarios
