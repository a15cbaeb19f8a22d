#include "tests/scenarios/hardware/hardware_folder.hpp"

#include <stdlib.h>

#include <fstream>
#include <sstream>

#include "scenarios/schema/override.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

std::vector<Node> trees_of(const std::vector<std::string>& overrides, Sources& sources,
                           Diagnostics& diagnostics) {
  std::vector<Node> trees;
  for (const std::string& text : overrides) {
    trees.push_back(parse_override(text, sources, diagnostics).value());
  }
  return trees;
}

}  // namespace

const char* const small_gpu =
    "schema = \"memsim.gpu/1\"\n"
    "memory = { kind = \"HBM2\", capacity = \"40 GB\", bandwidth = \"1555 GB/s\" }\n"
    "compute.peak.fp32 = \"19.5 TFLOP/s\"\n";
const char* const small_host =
    "schema = \"memsim.host/1\"\n"
    "[[socket]]\n"
    "cores = 16\n"
    "[[socket.numa]]\n"
    "memory = { kind = \"DDR5-4800\", channels = 2, channel_bandwidth = \"38.4 GB/s\", "
    "capacity = \"64 GiB\" }\n";
const char* const small_link =
    "schema = \"memsim.link/1\"\n"
    "kind = \"PCIe\"\n"
    "generation = 4\n"
    "lanes = 16\n"
    "bandwidth = \"31.5 GB/s\"\n";
const char* const small_system =
    "schema = \"memsim.system/1\"\n"
    "host = \"h\"\n"
    "gpu = [{ part = \"g\" }]\n"
    "link = [{ from = \"socket0\", to = \"gpu0\", part = \"l\" }]\n";

Catalogue shipped_catalogue() {
  return Catalogue(std::filesystem::path(MEMSIM_SOURCE_DIR) / "scenarios");
}

HardwareFolder::HardwareFolder(std::initializer_list<std::pair<std::string, std::string>> files) {
  std::string name = (std::filesystem::temp_directory_path() / "memsim-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  root_ = std::filesystem::canonical(name);
  for (const auto& [path, text] : files) write(path, text);
}

HardwareFolder::~HardwareFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

std::string HardwareFolder::path(const std::string& below) const {
  return (root_ / "hardware" / below).string();
}

void HardwareFolder::write(const std::string& below, const std::string& text) const {
  std::filesystem::create_directories(std::filesystem::path(path(below)).parent_path());
  std::ofstream(path(below)) << text;
}

std::string HardwareFolder::faults(const std::string& wanted,
                                   const std::vector<std::string>& overrides) const {
  Sources sources;
  Diagnostics diagnostics;
  const std::vector<Node> trees = trees_of(overrides, sources, diagnostics);
  const auto loaded = load_hardware(catalogue(), wanted, trees, sources, diagnostics);
  CHECK(loaded.has_value() != diagnostics.has_errors());
  const std::string text = diagnostics.text("nothing was simulated");
  std::string shortened;
  std::size_t begin = 0;
  for (std::size_t at = text.find(root_.string()); at != std::string::npos;
       at = text.find(root_.string(), begin)) {
    shortened.append(text, begin, at - begin).push_back('@');
    begin = at + root_.string().size();
  }
  return shortened.append(text, begin);
}

LoadedHardware HardwareFolder::load(const std::string& wanted,
                                    const std::vector<std::string>& overrides) {
  Diagnostics diagnostics;
  const std::vector<Node> trees = trees_of(overrides, sources_, diagnostics);
  std::optional<LoadedHardware> loaded =
      load_hardware(catalogue(), wanted, trees, sources_, diagnostics);
  INFO(diagnostics.text(""));
  REQUIRE(loaded.has_value());
  return *std::move(loaded);
}

std::string system_faults(const std::string& text) {
  const HardwareFolder folder{
      {"gpu/g.toml", small_gpu},
      {"host/h.toml", small_host},
      {"link/l.toml", small_link},
      {"system/s.toml", "schema = \"memsim.system/1\"\nhost = \"h\"\n" + text}};
  return folder.faults("s");
}

std::string part_faults(const std::string& path, const std::string& text) {
  const HardwareFolder folder{{path, text}};
  return folder.faults(folder.path(path));
}

std::string brief(const std::string& diagnostics) {
  const std::size_t error = diagnostics.find("error[");
  std::istringstream lines(diagnostics.substr(error == std::string::npos ? 0 : error));
  std::string message;
  std::string label;
  bool below = false;  // the carets
  for (std::string line;
       std::getline(lines, line) && !line.empty() && !(below && line == "   |");) {
    const std::size_t caret = line.rfind('^');
    if (caret != std::string::npos) {
      below = true;
      if (caret + 1 < line.size()) label = line.substr(caret + 2);
    } else if (below) {
      label += (label.empty() ? "" : " ") + line.substr(5);
    } else if (message.empty()) {
      message = line;
    } else if (line.starts_with("  ") && line.find("-->") == std::string::npos &&
               line.find('|') == std::string::npos) {
      message += " " + line.substr(2);
    }
  }
  return message + "| " + label;
}

}  // namespace memsim::scenarios
