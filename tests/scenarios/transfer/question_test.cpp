#include "scenarios/transfer/question.hpp"

#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

using namespace sim::literals;
using models::NodeKind;
using models::NodeRef;

struct Reading {
  Sources sources;
  Diagnostics diagnostics;
  std::optional<TransferQuestion> question;

  explicit Reading(const TransferWords& words)
      : question(read_transfer(std::filesystem::path(MEMSIM_SOURCE_DIR) / "scenarios", words,
                               sources, diagnostics)) {}

  [[nodiscard]] std::vector<std::string> codes() const {
    std::vector<std::string> result;
    for (const Diagnostic& each : diagnostics.sorted()) result.push_back(each.code);
    return result;
  }
};

TransferWords words(std::string from, std::string to) {
  TransferWords result;
  result.hardware = "dgx-a100-40";
  result.from = std::move(from);
  result.to = std::move(to);
  return result;
}

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("ddr is the memory of the process: beside its GPU, or on the node that is asked for") {
  TransferWords asked = words("ddr", "gpu6");
  const Reading home(asked);
  REQUIRE(home.question.has_value());
  CHECK(home.question->transfers[0].copy.from == NodeRef{NodeKind::numa, 1});
  asked.numa = "0";
  const Reading away(asked);
  REQUIRE(away.question.has_value());
  CHECK(away.question->transfers[0].copy.from == NodeRef{NodeKind::numa, 0});
  CHECK(away.question->transfers[0].copy.to == NodeRef{NodeKind::gpu, 6});
}

TEST_CASE("an interleaved buffer names each node once, and takes memory behind links") {
  CHECK(Reading(words("ddr0*3+ddr0", "gpu0")).codes() == Codes{"E135"});
  CHECK(Reading(words("ddr0*3+ddr1", "gpu0")).codes().empty());
  TransferWords expander = words("ddr0*3+ddr4", "gpu0");
  expander.hardware = "1xh100-cxl";
  CHECK(Reading(expander).codes().empty());
}

TEST_CASE("drives and NICs are ends of transfers, with the memory beside them") {
  const Reading to_network(words("ddr", "nic7"));
  REQUIRE(to_network.question.has_value());
  CHECK(to_network.question->transfers[0].copy.from == NodeRef{NodeKind::numa, 1});
  CHECK(to_network.question->transfers[0].copy.to == NodeRef{NodeKind::nic, 7});
  const Reading from_drive(words("nvme3", "gpu0"));
  REQUIRE(from_drive.question.has_value());
  CHECK(from_drive.question->transfers[0].copy.from == NodeRef{NodeKind::drive, 3});
  CHECK(Reading(words("nvme4", "gpu0")).codes() == Codes{"E107"});
}

TEST_CASE("a buffer may take turns over NUMA nodes, and threads touch it while it is pinned") {
  TransferWords asked = words("ddr0*3+ddr1", "gpu0");
  asked.threads = "8";
  const Reading reading(asked);
  REQUIRE(reading.question.has_value());
  const Transfer& transfer = reading.question->transfers[0];
  CHECK(transfer.copy.from.shares() ==
        std::vector<models::NodeShare>{{{NodeKind::numa, 0}, 3}, {{NodeKind::numa, 1}, 1}});
  CHECK(transfer.touch_threads == 8);
  CHECK(Reading(words("gpu0*2", "ddr0")).question.has_value());  // all of it, however it is weighed
  CHECK(Reading(words("ddr0*3+gpu1", "gpu0")).codes() == Codes{"E107"});
  CHECK(Reading(words("ddr0*0+ddr1", "gpu0")).codes() == Codes{"E124"});
  CHECK(Reading(words("ddr0+", "gpu0")).codes() == Codes{"E107"});
  asked.threads = "0";
  CHECK(Reading(asked).codes() == Codes{"E124"});
}

TEST_CASE("a sweep takes all powers of two; what runs beside it may have a size of its own") {
  TransferWords asked = words("ddr0", "gpu0");
  asked.size = "1KiB..9KiB";
  asked.concurrent = {"ddr1:gpu4", "gpu1:gpu2:3GB"};
  const Reading reading(asked);
  REQUIRE(reading.question.has_value());
  CHECK(reading.question->sizes == std::vector<sim::Bytes>{1_KiB, 2_KiB, 4_KiB, 8_KiB});
  CHECK(reading.question->swept == std::vector<bool>{true, true, false});
  CHECK(reading.question->transfers[2].copy.bytes == 3_GB);
}

TEST_CASE("everything that is wrong with a question is told at once") {
  TransferWords asked = words("drr0", "gpu8");
  asked.size = "12";
  asked.count = "0";
  asked.concurrent = {"gpu0", "ddr0:gpu1:1 parsec"};
  const Reading reading(asked);
  CHECK_FALSE(reading.question.has_value());
  // Size, count, --from, --to, and the two transfers beside it.
  CHECK(reading.codes() == Codes{"E121", "E124", "E107", "E107", "E143", "E122"});
}

TEST_CASE("a node for memory that nobody uses, and a sweep that ends first, are errors") {
  TransferWords asked = words("ddr0", "gpu0");
  asked.numa = "1";
  CHECK(Reading(asked).codes() == Codes{"E135"});
  asked.numa = "7";
  CHECK(Reading(asked).codes() == Codes{"E107"});
  asked.numa.reset();
  asked.size = "1MiB..1KiB";
  CHECK(Reading(asked).codes() == Codes{"E135"});
}

TEST_CASE("machine and memories must be named") {
  CHECK(Reading(TransferWords{}).codes() == Codes{"E152", "E152", "E152"});
}

}  // namespace memsim::scenarios
