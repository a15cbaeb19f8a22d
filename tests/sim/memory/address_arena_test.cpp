#include "sim/memory/address_arena.hpp"

#include <rapidcheck/catch.h>

#include <map>
#include <vector>

#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

constexpr std::uint64_t base = 1000;

std::uint64_t digest_of(const AddressArena& arena) {
  Digest digest;
  arena.add_state(digest);
  return digest.value();
}

// The rule in its plainest form: look through all ranges by address.
class PlainArena {
 public:
  std::uint64_t take(std::int64_t size) {
    std::uint64_t at = base;
    for (const auto& [address, length] : taken_) {
      if (address - at >= static_cast<std::uint64_t>(size)) break;
      at = address + static_cast<std::uint64_t>(length);
    }
    taken_[at] = size;
    return at;
  }
  void give_back(std::uint64_t address) { taken_.erase(address); }
  [[nodiscard]] std::uint64_t top() const {
    if (taken_.empty()) return base;
    const auto& [address, length] = *taken_.rbegin();
    return address + static_cast<std::uint64_t>(length);
  }

 private:
  std::map<std::uint64_t, std::int64_t> taken_;
};

}  // namespace

TEST_CASE("an arena uses the lowest hole that is long enough, then the top") {
  AddressArena arena(base, 10000);
  const auto a = arena.take(10_B);
  const auto b = arena.take(20_B);
  const auto c = arena.take(5_B);
  const auto d = arena.take(30_B);
  REQUIRE((a && b && c && d));
  CHECK(arena.address(*a) == 1000);
  CHECK(arena.address(*b) == 1010);
  CHECK(arena.address(*d) == 1035);
  CHECK(arena.top() == 1065);
  arena.give_back(*a);
  arena.give_back(*c);
  // Holes: 10 bytes at 1000, 5 at 1030.
  CHECK(arena.address(*arena.take(4_B)) == 1000);
  CHECK(arena.address(*arena.take(6_B)) == 1004);
  CHECK(arena.address(*arena.take(6_B)) == 1065);
  CHECK(arena.address(*arena.take(5_B)) == 1030);
  CHECK(arena.size(*d) == 30_B);
  arena.check_invariants();
}

TEST_CASE("holes of an arena merge, and one at the top lowers the top") {
  AddressArena arena(base, 10000);
  const auto a = arena.take(10_B);
  const auto b = arena.take(10_B);
  const auto c = arena.take(10_B);
  REQUIRE((a && b && c));
  arena.give_back(*a);
  arena.give_back(*b);
  CHECK(arena.top() == 1030);
  CHECK(arena.address(*arena.take(15_B)) == 1000);
  arena.give_back(*c);
  CHECK(arena.top() == 1015);
  arena.check_invariants();
}

TEST_CASE("an arena ends at its limit") {
  AddressArena arena(base, base + 10);
  CHECK_FALSE(arena.take(11_B));
  const auto all = arena.take(10_B);
  REQUIRE(all);
  CHECK_FALSE(arena.take(1_B));
  arena.give_back(*all);
  CHECK(arena.top() == base);
  CHECK_THROWS_AS(arena.give_back(*all), InternalError);
  CHECK_THROWS_AS(arena.address(*all), InternalError);
  CHECK_THROWS_AS(arena.size(*all), InternalError);
  CHECK_THROWS_AS(arena.take(0_B), InternalError);
  CHECK_THROWS_AS(AddressArena(1, 0), InternalError);
}

TEST_CASE("the state of an arena is what is taken, not how it came about") {
  AddressArena straight(base, 10000);
  REQUIRE(straight.take(10_B));
  const auto kept = straight.take(20_B);
  REQUIRE(kept);

  AddressArena detour(base, 10000);
  const auto first = detour.take(40_B);
  REQUIRE(first);
  detour.give_back(*first);
  REQUIRE(detour.take(10_B));
  REQUIRE(detour.take(20_B));
  CHECK(digest_of(straight) == digest_of(detour));

  straight.give_back(*kept);
  CHECK(digest_of(straight) != digest_of(detour));
}

TEST_CASE("an arena places every range where a search through all ranges does") {
  rc::prop("same addresses and top", [](const std::vector<std::uint16_t>& steps) {
    AddressArena arena(base, std::uint64_t{1} << 40);
    PlainArena plain;
    std::vector<AddressArena::Range> live;
    for (const std::uint16_t step : steps) {
      if (step % 2 == 0 || live.empty()) {
        const std::int64_t size = 1 + (step / 2) % 9;
        const auto range = arena.take(Bytes(size));
        RC_ASSERT(range.has_value());
        RC_ASSERT(arena.address(*range) == plain.take(size));
        live.push_back(*range);
      } else {
        const std::size_t at = (step / 2) % live.size();
        plain.give_back(arena.address(live[at]));
        arena.give_back(live[at]);
        live[at] = live.back();
        live.pop_back();
      }
      RC_ASSERT(arena.top() == plain.top());
      arena.check_invariants();
    }
  });
}

}  // namespace memsim::sim
