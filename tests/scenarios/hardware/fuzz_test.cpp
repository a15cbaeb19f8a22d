// Damaged files: whatever is wrong, the answer is diagnostics that point into the text.
#include <fstream>
#include <iterator>

#include "sim/core/random.hpp"
#include "tests/scenarios/hardware/hardware_folder.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

std::string shipped_text(const std::string& below) {
  std::ifstream file(std::string(MEMSIM_SOURCE_DIR) + "/scenarios/hardware/" + below);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Reads `text` as a file of the shipped catalogue would be read; checks every diagnostic's place.
void read_damaged(const HardwareFolder& folder, const std::string& text) {
  folder.write("damaged.toml", text);
  Sources sources;
  Diagnostics diagnostics;
  const auto loaded =
      load_hardware(shipped_catalogue(), folder.path("damaged.toml"), {}, sources, diagnostics);
  CHECK(loaded.has_value() != diagnostics.has_errors());
  for (const Diagnostic& diagnostic : diagnostics.sorted()) {
    CHECK(diagnostic.code.size() == 4);
    CHECK_FALSE(diagnostic.message.empty());
    if (diagnostic.location.file == nullptr) continue;
    const Span span = diagnostic.location.span;
    const std::uint32_t length = character_count(diagnostic.location.file->line(span.line));
    CHECK(span.column >= 1);
    CHECK(span.column <= length + 1);
    CHECK(span.end_column >= span.column);
  }
  CHECK(diagnostics.text("").empty() == diagnostics.sorted().empty());
  CHECK(diagnostics.json().ends_with("}\n"));
}

const std::vector<std::string> files{"gpu/a100-sxm4-40gb.toml", "gpu/v100-sxm2-32gb.toml",
                                     "host/ddr5-2ch.toml",      "link/pcie4-x16.toml",
                                     "system/dgx-a100-40.toml", "system/dgx-a100-80.toml"};

}  // namespace

TEST_CASE("truncated hardware files never crash the reader") {
  const HardwareFolder folder{};
  for (const std::string& file : files) {
    const std::string text = shipped_text(file);
    REQUIRE(text.size() > 100);
    for (std::size_t length = 0; length < text.size(); length += 1 + length / 64) {
      read_damaged(folder, text.substr(0, length));
    }
  }
}

TEST_CASE("mutated hardware files never crash the reader") {
  const HardwareFolder folder{};
  const std::string alphabet = "\"'[]{}=.,#\n\t 0159-+eEabGBs/*_\\\x01\x80\xff";
  sim::Random random(1);
  for (int round = 0; round < 400; ++round) {
    std::string text = shipped_text(files[random.bounded(files.size())]);
    const std::uint64_t changes = 1 + random.bounded(4);
    for (std::uint64_t i = 0; i < changes; ++i) {
      const std::size_t at = random.bounded(text.size());
      const char c = alphabet[random.bounded(alphabet.size())];
      switch (random.bounded(4)) {
        case 0:
          text[at] = c;
          break;
        case 1:
          text.insert(at, 1, c);
          break;
        case 2:
          text.erase(at, 1 + random.bounded(8));
          break;
        default: {
          // A line somewhere else: repeated keys, keys of other tables.
          const std::size_t end = text.find('\n', at);
          if (end != std::string::npos) {
            text.insert(text.find('\n', random.bounded(end)) + 1, text.substr(at, end - at + 1));
          }
        }
      }
    }
    read_damaged(folder, text);
  }
}

}  // namespace memsim::scenarios
