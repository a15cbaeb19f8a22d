#include "scenarios/workload/overrides.hpp"

#include <string>
#include <vector>

#include "scenarios/workload/model_families.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

struct Read {
  explicit Read(const std::vector<std::string>& texts)
      : overrides(read_overrides(texts, {}, sources, diagnostics)) {}
  Sources sources;
  Diagnostics diagnostics;
  Overrides overrides;
};

TEST_CASE("overrides are sorted by what they are about") {
  const Read read({"model.layers=3", "micro=4", "train.sequence=8", "gpu.memory.usable=1 GiB"});
  CHECK_FALSE(read.diagnostics.has_errors());
  REQUIRE(read.overrides.model.size() == 1);
  CHECK(read.overrides.model[0].find("layers") != nullptr);
  REQUIRE(read.overrides.train.size() == 2);
  CHECK(read.overrides.train[0].find("micro_batch") != nullptr);
  CHECK(read.overrides.train[1].find("sequence") != nullptr);
  REQUIRE(read.overrides.machine.size() == 1);
  const Node* gpu = read.overrides.machine[0].find("gpu");
  REQUIRE(gpu != nullptr);
  CHECK(gpu->find("memory")->find("usable")->text == "1 GiB");
}

TEST_CASE("each wrong override is reported, the right ones are kept") {
  const Read read({"micro", "mikro=4", "seq=8"});
  CHECK(read.diagnostics.text("").find("E150") != std::string::npos);
  CHECK(read.diagnostics.text("").find("did you mean `micro`?") != std::string::npos);
  REQUIRE(read.overrides.train.size() == 1);
  CHECK(read.overrides.train[0].find("sequence") != nullptr);
}

TEST_CASE("a setting that is set again is warned of, by whatever name (W136)") {
  const Read read({"batch=2", "gpu.memory.usable=1 GiB", "train.micro_batch=3",
                   "gpu.memory.usable=2 GiB", "gpu[0].memory.usable=3 GiB", "model.layers=4"});
  CHECK_FALSE(read.diagnostics.has_errors());
  CHECK(read.diagnostics.warnings() == 2);
  for (const Diagnostic& warning : read.diagnostics.sorted()) {
    CHECK(warning.code == "W136");
    CHECK(warning.location.span.line == 1);
  }
  const std::string text = read.diagnostics.text("");
  CHECK(text.find("`train.micro_batch` is set again") != std::string::npos);
  CHECK(text.find("1 | batch=2\n") != std::string::npos);
  CHECK(text.find("`gpu.memory.usable` is set again") != std::string::npos);
  CHECK(text.find("1 | gpu.memory.usable=1 GiB\n") != std::string::npos);
}

TEST_CASE("every family of models is found by its name and describes its keys") {
  std::string_view before;
  for (const ModelFamily& family : model_families()) {
    CHECK(family.name > before);
    before = family.name;
    CHECK(find_model_family(family.name) == &family);
    CHECK_FALSE(family.help.empty());
    for (const Field& field : model_header_schema().fields())
      CHECK(family.schema()->find(field.key) != nullptr);
  }
  CHECK(find_model_family("gtp") == nullptr);
}

}  // namespace
}  // namespace memsim::scenarios
