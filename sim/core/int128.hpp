// 128-bit integers: products of two 64-bit quantities (bytes x picoseconds) never overflow.
#pragma once

#include <cstdint>

namespace memsim::sim {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

}  // namespace memsim::sim
