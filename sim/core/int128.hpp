// 128-bit integers: products of two 64-bit quantities (bytes x picoseconds) never overflow.
#pragma once

#include <cstdint>

namespace memsim::sim {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

}  // namespace memsim::sim
