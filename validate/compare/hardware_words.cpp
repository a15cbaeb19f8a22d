#include "validate/compare/hardware_words.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace memsim::validate {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Pieces of a part's name that tell its variants apart: board, memory.
bool is_variant(std::string_view piece) {
  if (piece == "pcie" || piece == "nvl" || piece == "gcd" || piece.starts_with("sxm")) return true;
  return piece.ends_with("gb") && is_number(piece.substr(0, piece.size() - 2));
}

// What may follow a model after a hyphen, and what makes another model of it after a blank.
bool may_be_joined(std::string_view word) {
  return is_variant(word) || is_number(word) || word == "era" || word == "class";
}
bool makes_another(std::string_view word) {
  constexpr std::array<std::string_view, 6> words{"ti", "super", "max", "laptop", "mobile", "d"};
  return std::ranges::find(words, word) != words.end();
}

// Whether "x8" tells lanes, not a number of GPUs: behind "Gen4" or "PCIe 4.0", before "link".
bool tells_lanes(const std::vector<Word>& words, std::size_t at) {
  const std::string& word = words[at].text;
  if (word.size() < 2 || !word.starts_with('x') || !is_number(std::string_view(word).substr(1)))
    return false;
  constexpr std::array<std::string_view, 5> nouns{"link", "links", "lanes", "slot", "slots"};
  if (at + 1 < words.size() && std::ranges::find(nouns, words[at + 1].text) != nouns.end())
    return true;
  const auto is_generation = [](const std::string& text) {
    return (text.starts_with("gen") || text.starts_with("pcie")) && text.size() <= 5 &&
           text.find_first_of("0123456789") != std::string::npos;
  };
  if (at >= 1 && is_generation(words[at - 1].text)) return true;
  constexpr std::size_t longest = 3;  // "PCIe 4.0 x8" has "4" and "0" between
  for (std::size_t back = 2; back <= longest && back <= at; ++back) {
    const std::string& name = words[at - back].text;
    if (is_number(words[at - 1].text) && (name == "pcie" || name == "gen")) return true;
  }
  return false;
}

bool has_word(const std::vector<Word>& words, std::string_view text) {
  return std::ranges::find(words, text, &Word::text) != words.end();
}

}  // namespace

std::string plain_words(std::string_view text) {
  std::string words = " ";
  for (const char raw : text) {
    const char c = lower(raw);
    const bool after_digit = words.back() >= '0' && words.back() <= '9';
    const bool kept = is_letter_or_digit(c) || c == '+' || c == '.' || (c == ':' && after_digit);
    if (kept) {
      words += c;
    } else if (!words.ends_with(' ')) {
      words += ' ';
    }
  }
  if (!words.ends_with(' ')) words += ' ';
  return words;
}

bool says(std::string_view text, std::string_view phrase) {
  const std::string whole = " " + std::string(phrase) + " ";
  return text.find(whole) != std::string_view::npos;
}

bool says_any(std::string_view text, std::initializer_list<std::string_view> phrases) {
  return std::ranges::any_of(phrases, [&](std::string_view phrase) { return says(text, phrase); });
}

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  char before = ' ';
  for (const char c : text) {
    if (is_letter_or_digit(c)) {
      if (words.empty() || !is_letter_or_digit(before)) words.push_back({"", before == '-'});
      words.back().text += lower(c);
    }
    before = c;
  }
  return words;
}

PartName part_name(std::string_view name) {
  PartName part;
  for (const Word& piece : words_of(name)) {
    if (is_variant(piece.text)) {
      part.variants.push_back(piece.text);
    } else {
      part.model += piece.text;
    }
  }
  return part;
}

bool spells(const std::vector<Word>& words, const std::string& model) {
  return place_of(words, model).has_value();
}

std::optional<std::size_t> place_of(const std::vector<Word>& words, const std::string& model) {
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    std::string joined;
    for (std::size_t end = begin; end < words.size() && joined.size() < model.size(); ++end) {
      joined += words[end].text;
      if (joined != model) continue;
      if (end + 1 == words.size()) return begin;
      const Word& next = words[end + 1];
      if (next.hyphenated ? may_be_joined(next.text) : !makes_another(next.text)) return begin;
    }
  }
  return std::nullopt;
}

int fit_of(const PartName& part, const std::vector<Word>& words) {
  int fit = 0;
  for (const std::string& variant : part.variants) {
    const bool memory = variant.ends_with("gb");
    const std::string_view number = std::string_view(variant).substr(0, variant.size() - 2);
    const bool module = variant.starts_with("sxm");
    const bool written = has_word(words, variant) || (memory && has_word(words, number));
    if (written || (module && has_word(words, "sxm"))) fit += 4;
    if (module) fit += has_word(words, "pcie") ? -2 : 1;
    if (variant == "nvl" && !written) fit -= 4;
  }
  return fit;
}

std::size_t count_of(std::string_view hardware) {
  const std::vector<Word> words = words_of(hardware);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i].text;
    if (word == "dual") return 2;
    const bool gpus = i + 1 < words.size() && words[i + 1].text.starts_with("gpu");
    std::string number = word;
    if (word.size() > 1 && word.ends_with('x')) number = word.substr(0, word.size() - 1);
    const bool behind = word.size() > 1 && word.starts_with('x') && i > 0 && !tells_lanes(words, i);
    if (behind) number = word.substr(1);
    if (!is_number(number) || (number == word && !gpus)) continue;
    std::size_t count = 0;
    std::from_chars(number.data(), number.data() + number.size(), count);
    return count;
  }
  return 0;
}

PcieWords pcie_of(std::string_view hardware) {
  PcieWords pcie;
  const std::vector<Word> words = words_of(hardware);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i].text;
    if (word.starts_with('x') && tells_lanes(words, i))
      std::from_chars(word.data() + 1, word.data() + word.size(), pcie.lanes);
    for (const std::string_view name : {"gen", "pcie"}) {
      if (!word.starts_with(name)) continue;
      std::string digit = word.substr(name.size());
      if (digit.empty() && i + 1 < words.size()) digit = words[i + 1].text;
      if (digit.size() == 1 && is_number(digit)) pcie.generation = digit.back() - '0';
    }
  }
  return pcie;
}

int system_score(const std::string& name, const std::string& about, const models::SystemSpec& spec,
                 std::string_view hardware) {
  constexpr int named_in_full = 4;
  constexpr int same_count = 3;
  constexpr std::size_t server_channels = 6;
  const std::vector<Word> written = words_of(hardware);
  int score = 0;
  const std::vector<Word> words = words_of(name);
  bool all = words.size() > 1;  // one word is the GPU's, which all candidates have
  for (const Word& word : words) {
    const std::size_t digits =
        std::min(word.text.find_first_not_of("0123456789"), word.text.size());
    const bool counted = digits > 0 && word.text.substr(digits).starts_with('x');
    if (counted && word.text.size() == digits + 1) continue;  // "8x": counted below
    const std::string text =
        counted ? word.text.substr(digits + 1) : word.text;  // "a10" of "1xa10"
    const bool found = std::ranges::any_of(written, [&](const Word& other) {
      const bool series = word.text.starts_with(other.text) && other.text.size() == 2 &&
                          is_number(word.text.substr(2, 1));  // "ND" of "ND96isr"
      return other.text == text || other.text == word.text || other.text == text + "gb" || series;
    });
    score += found ? 2 : 0;
    all = all && found;
  }
  if (all) score += named_in_full;
  const std::vector<Word> description = words_of(about);
  for (const Word& word : written)
    if (word.text == "dgx" && has_word(description, word.text)) score += 2;
  const std::size_t count = spec.gpus.size();
  const std::size_t wanted = count_of(hardware);
  if (wanted == count) score += same_count;
  if (wanted == 0 && count == 1) score += 1;
  if (static_cast<std::size_t>(spec.host.sockets[0].numa[0].memory.channels) >= server_channels)
    score += 1;
  const bool of_cloud = !name.starts_with("1x") && !name.starts_with("8x") &&
                        !name.starts_with("dgx") && !name.starts_with("hgx");
  return of_cloud ? score : score + 1;
}

bool names_host(const std::string& name, const std::string& about, std::string_view hardware,
                bool memory) {
  constexpr std::array<std::string_view, 11> generations{
      "skylake", "cascade lake", "ice lake", "sapphire rapids", "emerald rapids", "granite rapids",
      "rome",    "milan",        "genoa",    "turin",           "grace"};
  const std::vector<Word> words = words_of(hardware);
  const std::string plain = plain_words(hardware);
  constexpr std::size_t shortest_model = 4;
  const bool model = std::ranges::any_of(words_of(name), [&](const Word& piece) {
    return piece.text.size() >= shortest_model && has_word(words, piece.text) &&
           piece.text.find_first_of("0123456789") != std::string::npos;
  });
  return model || std::ranges::any_of(generations, [&](std::string_view generation) {
           return says(plain, generation) && says(about, generation) &&
                  (!memory || generation == "grace");
         });
}

}  // namespace memsim::validate
