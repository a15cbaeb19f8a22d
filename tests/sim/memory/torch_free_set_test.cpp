#include "sim/memory/torch_free_set.hpp"

#include <rapidcheck/catch.h>

#include <set>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

TorchBlockRecord block(std::int64_t size, std::uint64_t address) {
  return {.address = address, .size = size};
}

}  // namespace

TEST_CASE("a free set gives the smallest block that is large enough, the lowest among equals") {
  TorchFreeSet set;
  set.insert(block(2048, 0x3000), 3);
  set.insert(block(1024, 0x2000), 2);
  set.insert(block(1024, 0x1000), 1);
  set.insert(block(1 << 30, 0x9000), 9);
  CHECK(set.size() == 4);
  CHECK(set.largest() == 1 << 30);
  CHECK(set.take_best_fit(512) == 1);
  CHECK(set.take_best_fit(1024) == 2);
  CHECK(set.take_best_fit(1024) == 3);
  CHECK(set.take_best_fit(1024) == 9);
  CHECK(set.take_best_fit(512) == no_torch_block);
  CHECK(set.largest() == 0);
  set.check_invariants();
}

TEST_CASE("a free set looks beyond a class whose blocks are all too small") {
  // 9 MiB and 9.5 MiB lie in one class of an eighth of a power of two.
  TorchFreeSet set;
  set.insert(block(9 << 20, 0x1000), 1);
  CHECK(set.take_best_fit((9 << 20) + 512) == no_torch_block);
  set.insert(block(40 << 20, 0x2000), 2);
  CHECK(set.take_best_fit((9 << 20) + 512) == 2);
  CHECK(set.take_best_fit(9 << 20) == 1);
}

TEST_CASE("a free set holds blocks beyond the largest class and addresses of 57 bits") {
  constexpr std::int64_t tib = std::int64_t{1} << 40;
  constexpr std::uint64_t high = (std::uint64_t{1} << 57) - 512;
  TorchFreeSet set;
  set.insert(block(20 * tib, 0x200), 20);
  set.insert(block(9 * tib, high), 10);
  set.insert(block(9 * tib, 0x200), 9);
  CHECK(set.take_best_fit(tib) == 9);
  CHECK(set.take_best_fit(9 * tib) == 10);
  CHECK(set.take_best_fit(9 * tib) == 20);
}

TEST_CASE(
    "a free set is walked in both directions from any size, however crowded its classes are") {
  rc::prop("as a std::set", [] {
    TorchFreeSet set;
    std::set<std::pair<std::int64_t, std::uint64_t>> plain;
    const auto count = *rc::gen::inRange(0, 300);
    for (int i = 0; i < count; ++i) {
      // Few sizes, so that some classes outgrow their arrays.
      const std::int64_t size = std::int64_t{512} << *rc::gen::inRange(0, 4);
      const std::uint64_t address = 512 * static_cast<std::uint64_t>(i + 1);
      set.insert(block(size, address), static_cast<TorchBlockIndex>(i));
      plain.insert({size, address});
    }
    const std::int64_t from = std::int64_t{512} << *rc::gen::inRange(0, 5);
    const auto index = [](const auto& entry) {
      return static_cast<TorchBlockIndex>(entry.second / 512 - 1);
    };
    auto key = set.first_of(from);
    for (auto at = plain.lower_bound({from, 0}); at != plain.end(); ++at) {
      RC_ASSERT(key.has_value());
      RC_ASSERT(TorchFreeSet::index_of(*key) == index(*at));
      key = set.after(*key);
    }
    RC_ASSERT(!key.has_value());
    key = set.last_below(from);
    for (auto at = plain.lower_bound({from, 0}); at != plain.begin();) {
      --at;
      RC_ASSERT(key.has_value());
      RC_ASSERT(TorchFreeSet::index_of(*key) == index(*at));
      key = set.before(*key);
    }
    RC_ASSERT(!key.has_value());
  });
}

TEST_CASE("a free set refuses to erase what it does not hold") {
  TorchFreeSet set;
  set.insert(block(1024, 0x1000), 1);
  CHECK_THROWS_AS(set.erase(block(1024, 0x2000), 2), InternalError);
  CHECK_THROWS_AS(set.erase(block(2048, 0x1000), 1), InternalError);
  set.erase(block(1024, 0x1000), 1);
  CHECK(set.size() == 0);
}

TEST_CASE("a free set answers like an ordered set of (size, address)") {
  using Entry = std::pair<std::int64_t, std::uint64_t>;
  // Smallest size in units of 512 bytes, and how many sizes from there on. Few sizes crowd their
  // classes, 5000 spread over many, the 250 from 1 MiB on are all of one class.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges{
      {1, 3}, {1, 40}, {1, 5000}, {2048, 250}};
  for (const auto& [smallest, sizes] : ranges) {
    rc::prop(std::to_string(sizes) + " sizes", [first = smallest, count = sizes] {
      const auto steps = *rc::gen::container<std::vector<std::uint32_t>>(
          600, rc::gen::inRange<std::uint32_t>(0, 1U << 30));
      TorchFreeSet set;
      std::set<Entry> plain;
      std::uint64_t next_address = 0;
      const auto index = [](std::uint64_t address) {
        return static_cast<TorchBlockIndex>(address / 512);
      };
      for (const std::uint32_t step : steps) {
        const std::int64_t size = 512 * (first + static_cast<std::int64_t>(step / 8 % count));
        if (step % 8 < 5) {
          const std::uint64_t address = (next_address++ * 7919 % 100003) * 512;
          set.insert(block(size, address), index(address));
          plain.insert({size, address});
        } else if (step % 8 < 7) {
          const auto fit = plain.lower_bound({size, 0});
          const TorchBlockIndex expected = fit == plain.end() ? no_torch_block : index(fit->second);
          RC_ASSERT(set.take_best_fit(size) == expected);
          if (fit != plain.end()) plain.erase(fit);
        } else if (!plain.empty()) {
          auto erased = plain.lower_bound({size, step});
          if (erased == plain.end()) erased = plain.begin();
          set.erase(block(erased->first, erased->second), index(erased->second));
          plain.erase(erased);
        }
      }
      set.check_invariants();
      std::vector<TorchBlockIndex> order;
      set.append_to(order);
      std::vector<TorchBlockIndex> expected;
      for (const Entry& entry : plain) expected.push_back(index(entry.second));
      RC_ASSERT(order == expected);
      RC_ASSERT(set.size() == plain.size());
      RC_ASSERT(set.largest() == (plain.empty() ? 0 : plain.rbegin()->first));
      for (const TorchBlockIndex next : expected) {
        RC_ASSERT(set.take_best_fit(512) == next);
        set.check_invariants();
      }
      RC_ASSERT(set.size() == 0U);
    });
  }
}

}  // namespace memsim::sim
