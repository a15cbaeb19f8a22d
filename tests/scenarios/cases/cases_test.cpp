// Every case of scenarios/cases holds.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/cases/case_file.hpp"
#include "scenarios/cases/case_run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

namespace memsim::scenarios {
namespace {

namespace fs = std::filesystem;

const fs::path scenarios_folder = fs::path(MEMSIM_SOURCE_DIR) / "scenarios";

std::vector<fs::path> case_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(scenarios_folder / "cases")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".toml") && !name.ends_with(".machine.toml")) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string problems(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.sorted()) text += diagnostic.sentence() + "\n";
  return text;
}

std::vector<CaseOutcome> run(const fs::path& file) {
  Sources sources;
  Diagnostics diagnostics;
  const auto asked = load_case(file, sources, diagnostics);
  INFO(file.filename().string() << "\n" << problems(diagnostics));
  REQUIRE(asked);
  const auto outcomes =
      run_case(*asked, file.parent_path(), scenarios_folder, sources, diagnostics);
  INFO(problems(diagnostics));
  REQUIRE(outcomes);
  CHECK(outcomes->size() == asked->asserts.size());
  return *outcomes;
}

const std::string one_question =
    "schema = \"memsim.case/1\"\nid = \"X-1\"\ntitle = \"t\"\nsource = \"s\"\nhw = \"a100\"\n"
    "[[transfer]]\nname = \"h2d\"\nfrom = \"ddr\"\nto = \"gpu0\"\nsize = \"1 GiB\"\n";

TEST_CASE("every case of the catalogue holds") {
  const std::vector<fs::path> files = case_files();
  CHECK(files.size() >= 8);
  for (const fs::path& file : files) {
    for (const CaseOutcome& outcome : run(file)) {
      INFO(file.filename().string() << " " << outcome.metric << ": " << outcome.found);
      CHECK(outcome.holds);
    }
  }
}

TEST_CASE("an assertion that is off by more than its tolerance does not hold") {
  // PCIe 4 x16 of the catalogue gives 0.80 of 31.5 GB/s: 25.2.
  const test::TemporaryFolder folder;
  const fs::path file =
      folder.write("x.toml", one_question +
                                 "[[assert]]\nmetric = \"a\"\nfact = \"rate\"\nof "
                                 "= \"h2d\"\nrate = \"30 GB/s\"\nrel_tol = 0.1\n"
                                 "[[assert]]\nmetric = \"b\"\nfact = \"rate\"\nof "
                                 "= \"h2d\"\nrate = \"30 GB/s\"\nop = \"<=\"\n"
                                 "[[assert]]\nmetric = \"c\"\nfact = \"rate\"\nof "
                                 "= \"h2d\"\nrate = \"30 GB/s\"\nop = \">=\"\n"
                                 "[[assert]]\nmetric = \"d\"\nfact = \"order\"\n"
                                 "of = \"h2d h2d\"\n");
  const std::vector<CaseOutcome> outcomes = run(file);
  REQUIRE(outcomes.size() == 4);
  CHECK_FALSE(outcomes[0].holds);
  CHECK(outcomes[1].holds);
  CHECK_FALSE(outcomes[2].holds);
  CHECK_FALSE(outcomes[3].holds);  // equal is not faster
}

TEST_CASE("a case says what it cannot mean: values of another kind, transfers that nobody asks") {
  const test::TemporaryFolder folder;
  const fs::path wrong =
      folder.write("wrong.toml", one_question +
                                     "[[assert]]\nmetric = \"a\"\nfact = \"rate\"\nof = \"h2d\"\n"
                                     "count = 3\n");
  Sources sources;
  Diagnostics diagnostics;
  CHECK_FALSE(load_case(wrong, sources, diagnostics));
  CHECK(problems(diagnostics).find("E105") != std::string::npos);
  CHECK(problems(diagnostics).find("E135") != std::string::npos);
  const fs::path unknown =
      folder.write("unknown.toml", one_question +
                                       "[[assert]]\nmetric = \"a\"\nfact = \"rate\"\nof = \"d2h\"\n"
                                       "rate = \"1 GB/s\"\n");
  Diagnostics more;
  const auto asked = load_case(unknown, sources, more);
  REQUIRE(asked);
  CHECK_FALSE(run_case(*asked, folder.path(), scenarios_folder, sources, more));
  CHECK(problems(more).find("E107") != std::string::npos);
}

}  // namespace
}  // namespace memsim::scenarios
