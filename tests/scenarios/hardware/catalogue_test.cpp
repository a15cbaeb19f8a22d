#include "scenarios/hardware/catalogue.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "scenarios/schema/quantity.hpp"
#include "tests/scenarios/hardware/hardware_folder.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

LoadedHardware shipped(HardwareKind kind, const std::string& name, Sources& sources) {
  Diagnostics diagnostics;
  std::optional<LoadedHardware> loaded =
      load_entry(shipped_catalogue(), kind, name, sources, diagnostics);
  INFO(diagnostics.text(""));
  REQUIRE(loaded.has_value());
  CHECK(diagnostics.warnings() == 0);
  return *std::move(loaded);
}

std::string value_at(const LoadedHardware& hardware, std::string_view path) {
  const auto found = std::find_if(hardware.settings.begin(), hardware.settings.end(),
                                  [&](const Setting& s) { return s.path == path; });
  INFO(path);
  REQUIRE(found != hardware.settings.end());
  return found->value;
}

// The integer value of a quantity and what it measures.
std::pair<Dimension, std::int64_t> measure(const std::string& text) {
  for (const Dimension dimension :
       {Dimension::bytes, Dimension::bandwidth, Dimension::duration, Dimension::operation_rate}) {
    if (const auto value = parse_quantity(text, dimension)) return {dimension, *value};
  }
  FAIL("no quantity: " << text);
  return {};
}

std::vector<std::string> columns(const std::string& line, std::size_t count) {
  std::vector<std::string> result;
  std::istringstream stream(line);
  std::string column;
  while (result.size() + 1 < count && std::getline(stream, column, ',')) result.push_back(column);
  std::getline(stream, column);
  result.push_back(column);
  return result;
}

HardwareKind kind_named(const std::string& wanted) {
  for (const HardwareKind kind : hardware_kinds) {
    if (name(kind) == wanted) return kind;
  }
  FAIL("no kind: " << wanted);
  return {};
}

}  // namespace

TEST_CASE("entries are found by name, with and without .toml; files come first") {
  const HardwareFolder folder{
      {"gpu/t4.toml", small_gpu}, {"gpu/notes.txt", "x"}, {"mine.toml", "x"}};
  const Catalogue catalogue = folder.catalogue();
  CHECK(catalogue.names(HardwareKind::gpu) == std::vector<std::string>{"t4"});
  CHECK(catalogue.names(HardwareKind::host).empty());
  CHECK(catalogue.find(HardwareKind::gpu, "t4", "")->name == "gpu/t4.toml");
  CHECK(catalogue.find(HardwareKind::gpu, "t4.toml", "")->name == "gpu/t4.toml");
  CHECK(catalogue.find(HardwareKind::gpu, "t4", "")->identity == folder.path("gpu/t4.toml"));
  CHECK_FALSE(catalogue.find(HardwareKind::host, "t4", "").has_value());
  CHECK_FALSE(catalogue.find(HardwareKind::gpu, "", "").has_value());
  CHECK_FALSE(catalogue.find(HardwareKind::gpu, "../gpu/t4", "").has_value());
  const auto file = catalogue.find(HardwareKind::gpu, "mine.toml", folder.path(""));
  REQUIRE(file.has_value());
  CHECK(file->identity == folder.path("mine.toml"));
  // A folder is no file.
  CHECK_FALSE(catalogue.find(HardwareKind::host, "gpu", folder.path("")).has_value());
}

TEST_CASE("kinds name their folders and schemas") {
  CHECK(name(HardwareKind::system) == "system");
  CHECK(schema_of(HardwareKind::link) == "memsim.link/1");
}

TEST_CASE("the shipped catalogue has the machines that people ask for") {
  const Catalogue catalogue = shipped_catalogue();
  CHECK(catalogue.names(HardwareKind::gpu) ==
        std::vector<std::string>{"a100-sxm4-40gb", "a100-sxm4-80gb", "b200-sxm6-180gb",
                                 "h100-sxm5-80gb", "h200-sxm5-141gb", "l40s", "rtx4090", "t4",
                                 "v100-sxm2-16gb", "v100-sxm2-32gb"});
  for (const char* name : {"a100", "dgx-a100-40", "dgx-a100-80", "dgx-h100", "1xt4", "1x4090",
                           "1xv100-16", "1xv100-32", "1xh100"}) {
    CHECK(catalogue.find_entry(HardwareKind::system, name).has_value());
  }
}

TEST_CASE("every entry of the shipped catalogue reads without errors and is called like its file") {
  for (const HardwareKind kind : hardware_kinds) {
    for (const std::string& entry : shipped_catalogue().names(kind)) {
      Sources sources;
      CHECK(shipped(kind, entry, sources).name == entry);
    }
  }
}

TEST_CASE("every figure of a shipped part names its source in a comment") {
  // Names, counts of a standard and flags are no figures.
  const std::set<std::string> no_figures{"name", "kind", "generation", "lanes"};
  for (const HardwareKind kind : {HardwareKind::gpu, HardwareKind::host, HardwareKind::link}) {
    for (const std::string& entry : shipped_catalogue().names(kind)) {
      Sources sources;
      for (const Setting& setting : shipped(kind, entry, sources).settings) {
        const std::string key = setting.path.substr(setting.path.rfind('.') + 1);
        if (setting.location.file == nullptr || no_figures.contains(key)) continue;
        INFO(entry << ": " << setting.path);
        CHECK(setting.comment.size() >= std::string("assumed").size());
        CHECK(setting.comment.size() <= 74);  // as a line of `hw show`
      }
    }
  }
}

TEST_CASE("figures of the catalogue are those of data sheets and measurements") {
  std::ifstream file(std::string(MEMSIM_SOURCE_DIR) + "/validate/data/hardware/figures.csv");
  std::string line;
  std::getline(file, line);
  CHECK(line == "kind,entry,path,factor,low,high,source");
  int rows = 0;
  while (std::getline(file, line)) {
    INFO(line);
    const std::vector<std::string> row = columns(line, 7);
    REQUIRE(row.size() == 7);
    Sources sources;
    const LoadedHardware hardware = shipped(kind_named(row[0]), row[1], sources);
    auto [dimension, value] = measure(value_at(hardware, row[2]));
    if (!row[3].empty()) {
      value = sim::scale(value, *parse_fraction(value_at(hardware, row[3])), 1'000'000);
    }
    CHECK(dimension == measure(row[4]).first);
    CHECK(value >= measure(row[4]).second);
    CHECK(value <= measure(row[5]).second);
    ++rows;
  }
  CHECK(rows > 50);
}

}  // namespace memsim::scenarios
