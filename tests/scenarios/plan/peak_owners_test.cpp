#include "scenarios/plan/peak_owners.hpp"

#include "sim/core/check.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

using sim::Bytes;
using sim::Category;

const std::vector<std::string> labels{"weight", "grad", "act"};

std::vector<sim::LedgerEntry> record(sim::Ledger& ledger) {
  ledger.begin_phase(sim::Time(0), 0);
  ledger.allocate(sim::Time(1), Category::parameters, 0, Bytes(100), Bytes(200));
  ledger.allocate(sim::Time(2), Category::activations, 2, Bytes(60), Bytes(200));
  ledger.allocate(sim::Time(3), Category::temporaries, 1, Bytes(30), Bytes(200));
  ledger.relabel(sim::Time(4), Category::temporaries, Category::gradients, 1, Bytes(30));
  ledger.release(sim::Time(5), Category::activations, 2, Bytes(60), Bytes(200));
  ledger.allocate(sim::Time(6), Category::activations, 2, Bytes(40), Bytes(400));
  ledger.allocate(sim::Time(7), Category::activations, 2, Bytes(50), Bytes(400));
  ledger.release(sim::Time(8), Category::activations, 2, Bytes(50), Bytes(400));
  return ledger.entries();
}

TEST_CASE("items are the owners at the peak and sum to the reserve and the context") {
  sim::Ledger ledger(true);
  const auto changes = record(ledger);
  const sim::MemoryState peak = ledger.phases(sim::Time(9)).front().peak_reserved;
  const auto items = peak_owners(peak, changes, labels, Bytes(7));
  REQUIRE(items.size() == 5);
  CHECK(items[0].category == Category::parameters);
  CHECK(items[0].bytes == Bytes(100));
  CHECK(items[1].category == Category::gradients);
  CHECK(items[1].bytes == Bytes(30));
  CHECK(items[2].category == Category::activations);
  CHECK(items[2].bytes == Bytes(90));
  REQUIRE(items[2].largest.size() == 1);
  CHECK(items[2].largest[0].name == "act");
  CHECK(items[2].largest[0].tensors == 2);
  CHECK(items[2].largest[0].bytes == Bytes(90));
  CHECK(items[3].category == Category::cache);
  CHECK(items[3].bytes == Bytes(180));
  CHECK(items[4].category == Category::context);
  CHECK(items[4].bytes == Bytes(7));
  Bytes sum;
  for (const ItemAnswer& item : items) sum += item.bytes;
  CHECK(sum == peak.reserved + Bytes(7));
}

TEST_CASE("a peak that the record does not hold is a defect") {
  sim::Ledger ledger(true);
  const auto changes = record(ledger);
  sim::MemoryState peak = ledger.state();
  peak.live += Bytes(1000);
  CHECK_THROWS_AS(peak_owners(peak, changes, labels, Bytes(0)), sim::InternalError);
}

}  // namespace
}  // namespace memsim::scenarios
