#include "validate/compare/hardware_reading.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "validate/compare/link_vocabulary.hpp"

namespace memsim::validate {
namespace {

// Makers, places, and kinds of machine: whose model a name is, not which one.
constexpr auto neutral_words = std::to_array<std::string_view>(
    {"nvidia",   "amd",       "intel",     "tesla",       "geforce",     "instinct", "quadro",
     "radeon",   "rtx",       "azure",     "aws",         "oci",         "oracle",   "google",
     "gcp",      "colab",     "lambda",    "dell",        "hpe",         "lenovo",   "supermicro",
     "asus",     "gigabyte",  "server",    "workstation", "desktop",     "vm",       "instance",
     "system",   "machine",   "box",       "cluster",     "card",        "cards",    "class",
     "era",      "series",    "nd",        "linux",       "ubuntu",      "sample",   "reference",
     "full",     "sxm",       "hbm2e",     "hbm3",        "hbm3e",       "bridge",   "bridges",
     "nvswitch", "superchip", "socket",    "sockets",     "xeon",        "epyc",     "ryzen",
     "grace",    "hopper",    "blackwell", "dual",        "single",      "one",      "two",
     "pcie",     "modules",   "module",    "switch",      "pairs",       "any",      "blog",
     "not",      "locked",    "clock",     "dir",         "v2",          "v3",       "v4",
     "v5",       "v6",        "dgx",       "hgx",         "iommu",       "path",     "lanes",
     "slot",     "lpddr",     "ddr4",      "ddr5",        "threadripper"});

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "8x", "x16", "gen4", "pcie5", "80gb", "nvlink3": counts, links and memories, which
// choose the machine.
bool is_choice(std::string_view word) {
  const auto digits = [](std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, is_digit);
  };
  if (word.ends_with('x') && digits(word.substr(0, word.size() - 1))) return true;
  if (word.ends_with("gb") && digits(word.substr(0, word.size() - 2))) return true;
  constexpr std::array<std::string_view, 5> names{"x", "gen", "pcie", "sxm", "nvlink"};
  return std::ranges::any_of(names, [&](std::string_view name) {
    return word.starts_with(name) && digits(word.substr(name.size()));
  });
}

}  // namespace

HardwareReading::HardwareReading(std::string_view hardware) {
  for (Word& word : memsim::validate::words_of(hardware)) words_.push_back({std::move(word.text)});
  // "(Schieffer et al.)" says who, not what.
  for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
    if (words_[i].text != "et" || words_[i + 1].text != "al") continue;
    words_[i].understood = words_[i + 1].understood = true;
    if (i > 0) words_[i - 1].understood = true;
  }
}

void HardwareReading::knows(std::string_view text) {
  for (const Word& known : memsim::validate::words_of(text)) {
    for (Written& word : words_) {
      // "A10" of "1xa10", "ND" of "nd96isr".
      const bool part =
          known.text.ends_with(word.text) && known.text.find('x') != std::string::npos;
      const bool series = word.text.size() == 2 && known.text.starts_with(word.text) &&
                          known.text.size() > 2 && is_digit(known.text[2]);
      if (known.text == word.text || part || series) word.understood = true;
    }
  }
}

void HardwareReading::knows_processor() {
  for (std::size_t i = 1; i < words_.size(); ++i) {
    const std::string_view maker = words_[i - 1].text;
    constexpr std::size_t digits = 4;
    const std::string_view model = words_[i].text;
    if ((maker == "xeon" || maker == "epyc") && model.size() >= digits && is_digit(model[0]))
      words_[i].understood = true;
  }
}

void HardwareReading::knows_model(const PartName& part) {
  for (std::size_t begin = 0; begin < words_.size(); ++begin) {
    std::string joined;
    for (std::size_t end = begin; end < words_.size() && joined.size() < part.model.size(); ++end) {
      joined += words_[end].text;
      const bool card = part.model == "rtx" + joined;
      if (joined != part.model && !card) continue;
      for (std::size_t i = begin; i <= end; ++i) words_[i].understood = true;
    }
  }
  for (const std::string& variant : part.variants)
    for (Written& word : words_)
      if (word.text == variant) word.understood = true;
}

std::string HardwareReading::unread() const {
  std::string run;  // words in a row that may be an expression together: "no P2P"
  std::vector<std::string> runs;
  for (const Written& word : words_) {
    const bool known = word.understood || is_choice(word.text) ||
                       std::ranges::find(neutral_words, word.text) != neutral_words.end();
    if (!known) {
      run += (run.empty() ? "" : " ") + word.text;
    } else if (!run.empty()) {
      runs.push_back(std::move(run));
      run.clear();
    }
  }
  if (!run.empty()) runs.push_back(std::move(run));
  for (const std::string& each : runs)
    if (const Speech speech = read_words(each); !speech.unknown.empty()) return speech.unknown;
  return "";
}

}  // namespace memsim::validate
