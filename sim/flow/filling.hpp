// How far one resource is filled, kept as sums so that most changes cost O(1).
//
// A member of the resource is *frozen* if its key elsewhere (the lowest among its other resources
// and its cap) is below the key of the resource: it takes load x level off the capacity. What is
// left, divided by the load of the *free* members and rounded down, is the level. Of all levels
// that agree with their own division into frozen and free, the lowest is right: filling from the
// bottom up gets there first.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/core/int128.hpp"
#include "sim/flow/fill_key.hpp"

namespace memsim::sim {

// One cache line: the many changes of a large component wait for memory, not for arithmetic.
struct alignas(64) Filling {
  FillKey key = FillKey::none();          // none(): all members are frozen
  FillKey lowest_free = FillKey::none();  // at most the lowest key of a free member, above `key`
  Int128 frozen_use = 0;                  // load x level of the frozen members
  std::int64_t free_load = 0;
  std::int64_t highest_frozen = -1;  // at least the highest level of a frozen member

  constexpr void add(FillKey elsewhere, std::int64_t load) {
    if (elsewhere < key) {
      frozen_use += static_cast<Int128>(load) * elsewhere.level();
      highest_frozen = std::max(highest_frozen, elsewhere.level());
    } else {
      free_load += load;
      lowest_free = std::min(lowest_free, elsewhere);
    }
  }

  // A member's key elsewhere was `was` and is now `is`. False if that does not matter to the key.
  constexpr bool change(FillKey was, FillKey is, std::int64_t load) {
    const bool was_frozen = was < key;
    if (was_frozen)
      frozen_use -= static_cast<Int128>(load) * was.level();
    else
      free_load -= load;
    add(is, load);
    return was_frozen || is < key;
  }

  // Finds the key that follows from the sums, for a resource of this capacity and load of all
  // members. False if the division into frozen and free may change with it, or if a lower level
  // might agree with its own division: then only a look at all members helps.
  //
  // Filling upwards, with the frozen members above k still free, finds a level of at least the mean
  // of the new level and k, weighted by free load and by theirs. That passes k, so that k freezes,
  // if (new level - k) x free load is at least the load of all.
  constexpr bool derive(std::int64_t capacity, std::int64_t load, std::uint32_t resource) {
    const Int128 room = capacity - frozen_use;
    if (free_load == 0) {
      key = FillKey::none();
      lowest_free = FillKey::none();  // else frozen members might not lie below it
      return room >= load;
    }
    if (room < 0) return false;
    const auto level = static_cast<std::int64_t>(room) / free_load;
    key = FillKey(level, resource);
    const Int128 above_frozen = static_cast<Int128>(level) - highest_frozen;
    return above_frozen * free_load >= load && key < lowest_free;
  }
};

}  // namespace memsim::sim
