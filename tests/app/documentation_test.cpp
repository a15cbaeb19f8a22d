// Each code that memsim can print is explained in docs/, and nothing else is.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "tests/support/catch.hpp"

namespace memsim::app {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::set<std::string> matches(const std::string& text, const std::string& pattern) {
  std::set<std::string> found;
  const std::regex expression(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
    found.insert((*at)[1]);
  return found;
}

// Codes that texts in the sources begin with.
std::set<std::string> printed(const std::string& letter) {
  std::set<std::string> codes;
  for (const char* folder : {"scenarios", "validate", "app"}) {
    for (const auto& file :
         fs::recursive_directory_iterator(fs::path(MEMSIM_SOURCE_DIR) / folder)) {
      if (file.path().extension() != ".cpp") continue;
      codes.merge(matches(text_of(file.path()), "\"(" + letter + "[0-9]{3})[\" ]"));
    }
  }
  return codes;
}

// Codes of the rows of a table, in their order.
std::set<std::string> documented(const std::string& file, const std::string& letter) {
  return matches(text_of(fs::path(MEMSIM_SOURCE_DIR) / "docs" / file),
                 "\\| (" + letter + "[0-9]{3}) \\|");
}

TEST_CASE("docs/diagnostics.md explains each error that there is") {
  CHECK(printed("E").size() > 20);
  CHECK(documented("diagnostics.md", "E") == printed("E"));
}

TEST_CASE("docs/warnings.md explains each warning that there is") {
  CHECK(printed("W").size() > 5);
  CHECK(documented("warnings.md", "W") == printed("W"));
}

}  // namespace
}  // namespace memsim::app
