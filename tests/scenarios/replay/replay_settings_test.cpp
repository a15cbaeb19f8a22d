#include "scenarios/replay/replay_settings.hpp"

#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

struct Read {
  explicit Read(const ReplayWords& words, const MemoryTrace& trace = {}) {
    settings = read_replay_settings(std::filesystem::path(MEMSIM_SOURCE_DIR) / "scenarios", words,
                                    trace, sources, diagnostics);
  }
  Sources sources;
  Diagnostics diagnostics;
  std::optional<ReplaySettings> settings;
};

}  // namespace

TEST_CASE("without words a trace is replayed as it was recorded") {
  MemoryTrace trace;
  trace.options = "expandable_segments:True";
  trace.capacity = sim::Bytes(1000);
  const Read read({}, trace);
  REQUIRE(read.settings.has_value());
  REQUIRE(read.settings->allocators.size() == 1);
  CHECK(read.settings->allocators[0].kind == "torch");
  CHECK(read.settings->allocators[0].options == "expandable_segments:True");
  CHECK(read.settings->capacity == sim::Bytes(1000));
  CHECK_FALSE(read.settings->costs.has_value());
  CHECK_FALSE(Read({}).settings->capacity.has_value());
}

TEST_CASE("a machine gives its GPU's capacity, less the context, and the costs of its driver") {
  const Read read({.allocators = {"driver", "torch:"}, .capacity = {}, .hardware = "a100"});
  REQUIRE(read.settings.has_value());
  REQUIRE(read.settings->allocators.size() == 2);
  CHECK(read.settings->allocators[1].options.empty());
  // scenarios/hardware/gpu/a100-sxm4-40gb.toml: 39.39 GiB, a context of 0.47 GiB.
  CHECK(read.settings->capacity->value() == 42'294'690'447 - 504'658'657);
  REQUIRE(read.settings->costs.has_value());
  CHECK(read.settings->costs->malloc > sim::Duration(0));
  const Read less({.allocators = {}, .capacity = "10 GB", .hardware = "a100"});
  CHECK(less.settings->capacity == sim::Bytes(10'000'000'000));
}

TEST_CASE("everything that is wrong with the words is told at once") {
  const Read read({.allocators = {"slab", "torch:x:1"}, .capacity = "10", .hardware = "a101"});
  CHECK_FALSE(read.settings.has_value());
  const std::string text = read.diagnostics.text("");
  for (const char* code : {"E107", "E138", "E121", "E101"})
    CHECK(text.find(code) != std::string::npos);
}

}  // namespace memsim::scenarios
