#include "scenarios/workload/workload_file.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

namespace memsim::scenarios {
namespace {

struct Read {
  explicit Read(const std::string& text) {
    tree = load_workload_file(folder.write("x.toml", text), "x.toml", "memsim.train/1", {}, sources,
                              diagnostics);
  }
  test::TemporaryFolder folder;
  Sources sources;
  Diagnostics diagnostics;
  std::optional<Node> tree;
};

}  // namespace

TEST_CASE("a file is read without its schema") {
  const Read read("schema = \"memsim.train/1\"\n[train]\nsequence = 8\n");
  REQUIRE(read.tree.has_value());
  CHECK(read.tree->find("schema") == nullptr);
  CHECK(read.tree->find("train")->find("sequence")->integer == 8);
  CHECK_FALSE(read.diagnostics.has_errors());
}

TEST_CASE("a file of another schema, or of none, is refused where it says so") {
  const Read other("schema = \"memsim.model/1\"\n");
  CHECK_FALSE(other.tree.has_value());
  CHECK(other.diagnostics.sorted().front().code == "E108");
  CHECK(other.diagnostics.sorted().front().location.span.line == 1);
  const Read none("[train]\nsequence = 8\n");
  CHECK_FALSE(none.tree.has_value());
  CHECK(none.diagnostics.has_errors());
  const Read wrong("schema = \n");
  CHECK(wrong.diagnostics.sorted().front().code == "E102");
}

TEST_CASE("a file that is not there is an error at the place that names it (E101)") {
  Sources sources;
  Diagnostics diagnostics;
  CHECK_FALSE(load_workload_file("/no/such/file.toml", "file.toml", "memsim.train/1", {}, sources,
                                 diagnostics)
                  .has_value());
  CHECK(diagnostics.sorted().front().code == "E101");
}

}  // namespace memsim::scenarios
