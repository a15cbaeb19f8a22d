// Files that are wrong, as a user hands them in: each gets all that is wrong with it said at its
// place, exit code 2 and nothing else. tests/malformed/expected.txt has what is said of each.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/app/command.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

namespace memsim::app {
namespace {

namespace fs = std::filesystem;

const fs::path malformed = fs::path(MEMSIM_SOURCE_DIR) / "tests" / "malformed";

// A diagnostic in the words of expected.txt.
struct Expected {
  std::string place;  // "E121 4:12"
  std::string message;
  std::string label;
  std::string help;
};

std::vector<std::string> cells_of(const std::string& line) {
  constexpr std::string_view separator = " | ";
  std::vector<std::string> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    cells.push_back(line.substr(begin, end - begin));
    begin = end + separator.size();
  }
  return cells;
}

std::map<std::string, std::vector<Expected>> expectations() {
  std::map<std::string, std::vector<Expected>> all;
  std::ifstream file(malformed / "expected.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string> cells = cells_of(line);
    cells.resize(5);
    all[cells[0]].push_back({cells[1], cells[2], cells[3], cells[4]});
  }
  return all;
}

// The files of the folder and what they are: "hardware/empty".
std::set<std::string> files_below(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    files.insert(entry.path().lexically_relative(folder).string());
  return files;
}

// How a file of that name is read.
std::string command_for(const std::string& name) {
  const std::string file = "'" + (malformed / (name + ".toml")).string() + "'";
  if (name.starts_with("model/")) return "model check " + file + " --json";
  if (name.starts_with("train/")) return "plan --hw a100 --model 125m --train " + file + " --json";
  return "hw check " + file + " --json";
}

std::string all_help(const nlohmann::json& diagnostic) {
  std::string text = diagnostic["help"];
  for (const auto& note : diagnostic["notes"]) text += "\n" + note.get<std::string>();
  return text;
}

void check_answer(const CommandResult& result, const std::vector<Expected>& expected) {
  CHECK(result.code == 2);
  const auto document = nlohmann::json::parse(result.out, nullptr, false);
  REQUIRE(document.is_object());
  CHECK(document["verdict"] == "invalid");
  const auto& found = document["diagnostics"];
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& one = found[i];
    CHECK(one["code"].get<std::string>() + " " + one["line"].dump() + ":" + one["col"].dump() ==
          expected[i].place);
    CHECK(one["end_col"] > one["col"]);
    CHECK_THAT(one["message"].get<std::string>(), Catch::Contains(expected[i].message));
    CHECK_THAT(one["expected"].get<std::string>(), Catch::Contains(expected[i].label));
    CHECK_THAT(all_help(one), Catch::Contains(expected[i].help));
  }
}

// What is said of one file, which has one fault.
void check_one(const CommandResult& result, const Expected& expected) {
  INFO(result.out);
  check_answer(result, {expected});
}

std::string check_command(const fs::path& file) {
  return "hw check '" + file.string() + "' --json";
}

}  // namespace

TEST_CASE("every malformed file has its expectations, and the other way round") {
  std::set<std::string> named;
  for (const auto& [name, expected] : expectations()) named.insert(name + ".toml");
  std::set<std::string> files = files_below(malformed);
  std::erase_if(files, [](const std::string& file) { return !file.ends_with(".toml"); });
  CHECK(files == named);
  CHECK(files.size() >= 80);
}

TEST_CASE("a malformed file is told what is wrong where, exit code 2, and nothing is written") {
  const std::set<std::string> before = files_below(malformed);
  for (const auto& [name, expected] : expectations()) {
    INFO(name);
    const CommandResult result = run_command(command_for(name));
    check_answer(result, expected);
  }
  CHECK(files_below(malformed) == before);
}

TEST_CASE("what is no file of settings at all is an error like any other") {
  const test::TemporaryFolder folder;
  constexpr std::size_t megabyte = 1'000'000;
  check_one(
      run_command(check_command(folder.write("zeros.toml", std::string(10 * megabyte, '\0')))),
      {"E102 1:1", "this is not TOML", "a NUL byte: is this a file of text?", ""});
  check_one(run_command(check_command(folder.write("long.toml", std::string(20 * megabyte, 'a')))),
            {"E101 1:1", "cannot be read", "it has more than 16 MiB", ""});
  check_one(run_command(check_command("/dev/zero")),
            {"E101 1:1", "cannot be read", "it has more than 16 MiB", ""});
  check_one(run_command(check_command(folder.path())),
            {"E101 1:1", "is a folder", "expected a file", "`memsim hw list` shows the catalogue"});
  check_one(run_command(check_command(folder.path() / "nowhere.toml")),
            {"E101 1:1", "neither a file nor in the catalogue", "", "`memsim hw list`"});
}

TEST_CASE("nesting deeper than anybody writes is refused, not followed") {
  const test::TemporaryFolder folder;
  constexpr std::size_t deep = 100'000;
  std::string key = "a";
  std::string tables;
  for (std::size_t i = 0; i < deep; ++i) {
    key += ".a";
    tables += "{a=";
  }
  check_one(run_command(check_command(folder.write("keys.toml", key + " = 1\n"))),
            {"E102 1:129", "a key has more than 64 parts", "tables do not go that deep", ""});
  for (const std::string& value : {std::string(deep, '['), tables}) {
    const auto result = run_command(check_command(folder.write("values.toml", "a = " + value)));
    CHECK(result.code == 2);
    const auto found = nlohmann::json::parse(result.out)["diagnostics"];
    REQUIRE(found.size() == 1);
    CHECK(found[0]["code"] == "E102");
    CHECK(found[0]["line"] == 1);
  }
}

TEST_CASE("of ten thousand errors twenty are shown and all are counted") {
  const test::TemporaryFolder folder;
  std::string text = "schema = \"memsim.link/1\"\nkind = \"PCIe\"\nbandwidth = \"31.5 GB/s\"\n";
  for (int i = 0; i < 10'000; ++i) text += "unknown_" + std::to_string(i) + " = 1\n";
  const auto result = run_command(check_command(folder.write("link.toml", text)));
  CHECK(result.code == 2);
  const auto document = nlohmann::json::parse(result.out);
  CHECK(document["errors"] == 10'000);
  CHECK(document["diagnostics"].size() == 20);
  CHECK(document["diagnostics"][19]["line"] == 23);
}

TEST_CASE("a file that its reader may not read is an error with the system's reason (E101)") {
  const test::TemporaryFolder folder;
  const fs::path file = folder.write("secret.toml", "schema = \"memsim.gpu/1\"\n");
  fs::permissions(folder.path(), fs::perms::all);
  fs::permissions(file, fs::perms::none);
  // Root may read everything: somebody else asks.
  const std::string shell =
      geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups sh" : "sh";
  if (run_command("--version", shell).code != 0) {
    WARN("another user cannot run this command: not tested");
    return;
  }
  check_one(run_command(check_command(file), shell),
            {"E101 1:1", "cannot be read", "Permission denied", ""});
}

}  // namespace memsim::app
