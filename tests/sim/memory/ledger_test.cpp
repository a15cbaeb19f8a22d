#include "sim/memory/ledger.hpp"

#include <rapidcheck/catch.h>

#include <set>
#include <string_view>
#include <vector>

#include "sim/memory/category.hpp"
#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

Bytes owned(const MemoryState& state, Category category) {
  return state.by_category[static_cast<std::size_t>(category)];
}

std::uint64_t digest_of(const Ledger& ledger) {
  Digest digest;
  ledger.add_state(digest);
  return digest.value();
}

}  // namespace

TEST_CASE("every category has a name of its own") {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < category_count; ++i) names.insert(name(static_cast<Category>(i)));
  CHECK(names.size() == category_count);
  CHECK(name(Category::parameters) == "parameters");
  CHECK(name(Category::context) == "context");
}

TEST_CASE("the ledger knows who owns the bytes") {
  Ledger ledger;
  ledger.allocate(Time(1), Category::parameters, 0, 10_B, 20_B);
  ledger.allocate(Time(2), Category::activations, 1, 5_B, 20_B);
  ledger.release(Time(3), Category::activations, 1, 2_B, 20_B);
  CHECK(ledger.state().time == Time(3));
  CHECK(ledger.state().live == 13_B);
  CHECK(ledger.state().reserved == 20_B);
  CHECK(owned(ledger.state(), Category::parameters) == 10_B);
  CHECK(owned(ledger.state(), Category::activations) == 3_B);
  ledger.relabel(Time(4), Category::activations, Category::gradients, 1, 3_B);
  CHECK(owned(ledger.state(), Category::activations) == 0_B);
  CHECK(owned(ledger.state(), Category::gradients) == 3_B);
  CHECK(ledger.state().live == 13_B);
}

TEST_CASE("the peak of a phase is its first highest instant, with the owners of that instant") {
  Ledger ledger;
  ledger.begin_phase(Time(0), 7);
  ledger.allocate(Time(1), Category::parameters, 0, 10_B, 16_B);
  ledger.allocate(Time(2), Category::temporaries, 1, 6_B, 16_B);
  ledger.relabel(Time(3), Category::temporaries, Category::gradients, 1, 6_B);
  ledger.release(Time(4), Category::gradients, 1, 6_B, 16_B);
  ledger.allocate(Time(5), Category::activations, 2, 6_B, 16_B);
  const auto phases = ledger.phases(Time(9));
  REQUIRE(phases.size() == 1);
  CHECK(phases[0].phase == 7);
  CHECK(phases[0].peak_live.live == 16_B);
  CHECK(phases[0].peak_live.time == Time(2));
  CHECK(owned(phases[0].peak_live, Category::temporaries) == 6_B);
  CHECK(owned(phases[0].peak_live, Category::gradients) == 0_B);
  CHECK(phases[0].begin.live == 0_B);
  CHECK(phases[0].end.time == Time(9));
  CHECK(phases[0].end.live == 16_B);
}

TEST_CASE("the reserved peak tells the highest live bytes seen while it held") {
  Ledger ledger;
  ledger.begin_phase(Time(0), 0);
  ledger.allocate(Time(1), Category::parameters, 0, 30_B, 40_B);
  ledger.release(Time(2), Category::parameters, 0, 20_B, 40_B);
  ledger.set_reserved(Time(3), 20_B);                              // a flush of the cache
  ledger.allocate(Time(4), Category::activations, 1, 10_B, 50_B);  // a higher reserve, less live
  ledger.allocate(Time(5), Category::activations, 1, 5_B, 50_B);
  ledger.release(Time(6), Category::activations, 1, 5_B, 50_B);
  const PhaseMemory phase = ledger.phases(Time(6)).at(0);
  CHECK(phase.peak_live.live == 30_B);
  CHECK(phase.peak_reserved.reserved == 50_B);
  CHECK(phase.peak_reserved.live == 25_B);
  CHECK(phase.peak_reserved.time == Time(5));
}

TEST_CASE("what is live when a phase begins counts for its peak") {
  Ledger ledger;
  ledger.allocate(Time(1), Category::parameters, 0, 10_B, 10_B);  // before any phase
  CHECK(ledger.phases(Time(1)).empty());
  ledger.begin_phase(Time(2), 0);
  ledger.release(Time(3), Category::parameters, 0, 4_B, 10_B);
  ledger.begin_phase(Time(4), 1);
  const auto phases = ledger.phases(Time(5));
  REQUIRE(phases.size() == 2);
  CHECK(phases[0].peak_live.live == 10_B);
  CHECK(phases[0].end.time == Time(4));
  CHECK(phases[0].end.live == 6_B);
  CHECK(phases[1].begin.live == 6_B);
  CHECK(phases[1].peak_live.live == 6_B);
}

TEST_CASE("a phase that is entered again accumulates into its first record") {
  Ledger ledger;
  ledger.begin_phase(Time(0), 3);
  ledger.allocate(Time(1), Category::buffers, 0, 5_B, 8_B);
  ledger.begin_phase(Time(2), 1);
  ledger.allocate(Time(3), Category::buffers, 0, 50_B, 64_B);
  ledger.release(Time(4), Category::buffers, 0, 48_B, 64_B);
  ledger.begin_phase(Time(5), 3);
  ledger.set_reserved(Time(6), 8_B);
  ledger.allocate(Time(7), Category::buffers, 0, 2_B, 10_B);
  const auto phases = ledger.phases(Time(8));
  REQUIRE(phases.size() == 2);
  CHECK(phases[0].phase == 3);
  CHECK(phases[0].begin.time == Time(0));
  CHECK(phases[0].peak_live.live == 9_B);
  CHECK(phases[0].peak_reserved.reserved == 64_B);  // it was entered with that reserve
  CHECK(phases[0].end.time == Time(8));
  CHECK(phases[1].peak_live.live == 55_B);
  CHECK(phases[1].end.time == Time(5));
}

TEST_CASE("a recording ledger keeps enough to rebuild every instant") {
  Ledger ledger(true);
  ledger.allocate(Time(1), Category::parameters, 4, 10_B, 16_B);
  ledger.relabel(Time(2), Category::parameters, Category::buffers, 4, 10_B);
  ledger.set_reserved(Time(3), 20_B);
  const auto& entries = ledger.entries();
  REQUIRE(entries.size() == 4);
  CHECK(entries[0].live_delta == 10_B);
  CHECK(entries[0].label == 4);
  CHECK(entries[1].category == Category::parameters);
  CHECK(entries[1].live_delta == Bytes(-10));
  CHECK(entries[2].category == Category::buffers);
  CHECK(entries[2].live_delta == 10_B);
  CHECK(entries[3].category == Category::cache);
  CHECK(entries[3].label == no_label);
  CHECK(entries[3].reserved == 20_B);
  CHECK(Ledger().entries().empty());
}

TEST_CASE("the ledger refuses what cannot be") {
  Ledger ledger;
  ledger.allocate(Time(5), Category::parameters, 0, 10_B, 10_B);
  CHECK_THROWS_AS(ledger.set_reserved(Time(4), 1_B), InternalError);
  CHECK_THROWS_AS(ledger.phases(Time(4)), InternalError);
  CHECK_THROWS_AS(ledger.allocate(Time(5), Category::cache, 0, 1_B, 1_B), InternalError);
  CHECK_THROWS_AS(ledger.allocate(Time(5), Category::context, 0, 1_B, 1_B), InternalError);
  CHECK_THROWS_AS(ledger.allocate(Time(5), Category::buffers, 0, Bytes(-1), 1_B), InternalError);
  CHECK_THROWS_AS(ledger.release(Time(5), Category::buffers, 0, Bytes(-1), 1_B), InternalError);
  CHECK_THROWS_AS(ledger.release(Time(5), Category::gradients, 0, 1_B, 1_B), InternalError);
  CHECK_THROWS_AS(ledger.relabel(Time(5), Category::buffers, Category::buffers, 0, Bytes(-1)),
                  InternalError);
  CHECK_THROWS_AS(ledger.begin_phase(Time(5), 0xFFFFFFFF), InternalError);
}

TEST_CASE("equal owners and reserve are one state, whatever the time") {
  Ledger early;
  early.allocate(Time(1), Category::parameters, 0, 10_B, 16_B);
  Ledger late;
  late.allocate(Time(1), Category::parameters, 0, 20_B, 16_B);
  late.release(Time(9), Category::parameters, 0, 10_B, 16_B);
  CHECK(digest_of(early) == digest_of(late));
  late.relabel(Time(9), Category::parameters, Category::buffers, 0, 1_B);
  CHECK(digest_of(early) != digest_of(late));
}

TEST_CASE("peaks and states of a ledger are those of its recorded entries") {
  rc::prop("rebuilt from the entries", [](const std::vector<std::uint8_t>& steps) {
    Ledger ledger(true);
    ledger.begin_phase(Time(0), 0);
    std::array<std::int64_t, 3> held{};
    std::int64_t now = 0;
    for (const std::uint8_t step : steps) {
      const std::size_t at = step % held.size();
      const auto category = static_cast<Category>(at);
      const std::int64_t size = step / 3 % 16;
      const Bytes reserved(64 + step % 4 * 16);
      ++now;
      if (step >= 128) {
        held[at] += size;
        ledger.allocate(Time(now), category, 0, Bytes(size), reserved);
      } else if (held[at] >= size) {
        held[at] -= size;
        ledger.release(Time(now), category, 0, Bytes(size), reserved);
      }
    }
    std::int64_t live = 0;
    std::int64_t highest = 0;
    for (const LedgerEntry& entry : ledger.entries()) {
      live += entry.live_delta.value();
      highest = std::max(highest, live);
    }
    RC_ASSERT(ledger.state().live == Bytes(live));
    RC_ASSERT(live == held[0] + held[1] + held[2]);
    const PhaseMemory phase = ledger.phases(Time(now)).at(0);
    RC_ASSERT(phase.peak_live.live == Bytes(highest));
    Bytes sum;
    for (const Bytes bytes : phase.peak_live.by_category) sum += bytes;
    RC_ASSERT(sum == phase.peak_live.live);
  });
}

}  // namespace memsim::sim
