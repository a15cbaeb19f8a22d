#include "validate/compare/link_vocabulary.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>

#include "validate/compare/hardware_words.hpp"
#include "validate/compare/link_expressions.hpp"

namespace memsim::validate {
namespace {

std::vector<std::string> split(std::string_view text) {
  std::string marked;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == ">=") {
      marked += " atleast ";
      ++i;
    } else {
      marked += text[i];
    }
  }
  std::vector<std::string> words;
  const std::string plain = plain_words(marked);
  for (std::size_t begin = 1; begin < plain.size();) {
    const std::size_t end = plain.find(' ', begin);
    std::string word = plain.substr(begin, end - begin);
    while (!word.empty() && (word.back() == '.' || word.back() == ':')) word.pop_back();
    if (!word.empty()) words.push_back(std::move(word));
    begin = end + 1;
  }
  return words;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : words_(split(text)) {}

  Speech read() {
    while (at_ < words_.size()) {
      if (read_counted() || read_quantity() || read_expression()) continue;
      if (speech_.unknown.empty()) speech_.unknown = words_[at_];
      ++at_;
    }
    return std::move(speech_);
  }

 private:
  [[nodiscard]] std::string_view word(std::size_t ahead) const {
    return at_ + ahead < words_.size() ? std::string_view(words_[at_ + ahead]) : "";
  }

  static bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
  }

  static std::optional<std::int64_t> whole(std::string_view word) {
    constexpr std::array<std::string_view, 9> names{"",     "one", "two",   "three", "four",
                                                    "five", "six", "seven", "eight"};
    if (word == "both") return 2;
    const auto* const named = std::ranges::find(names, word);
    if (!word.empty() && named != names.end()) return named - names.begin();
    constexpr std::int64_t most = 1 << 20;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < 1 || value > most)
      return std::nullopt;
    return value;
  }

  // The words from here on, as many as `count`, mean this.
  bool take(std::size_t count, Spoken spoken) {
    for (std::size_t i = 0; i < count; ++i)
      spoken.words += (i == 0 ? "" : " ") + std::string(word(i));
    at_ += count;
    speech_.said.push_back(std::move(spoken));
    return true;
  }
  bool take(std::size_t count, Meaning meaning, std::int64_t number = 0) {
    return take(count, Spoken{meaning, "", number, {}, {}});
  }

  // "all 8 GPUs", "two GPUs", "4 at once", "sum of 12 pairs", "32 threads".
  bool read_counted() {
    const bool all = word(0) == "all";
    std::size_t behind = all ? 1 : 0;
    const auto number = whole(word(behind));
    if (number) ++behind;
    if (!number && !all) return false;
    const std::string_view noun = word(behind);
    const bool together =
        noun == "at"
            ? is_one_of(word(behind + 1), {"once", "the"})
            : is_one_of(noun, {"concurrent", "concurrently", "simultaneously", "together"}) ||
                  (noun == "in" && word(behind + 1) == "parallel");
    if (is_one_of(noun, {"gpu", "gpus", "device", "devices", "card", "cards"}))
      return take(behind + 1, Meaning::devices, number.value_or(0));
    if (together && word(0) != "one") return take(behind, Meaning::devices, number.value_or(0));
    if (!number) return false;
    if (noun == "pairs") return take(behind + 1, Meaning::pairs, *number);
    if (is_one_of(noun, {"thread", "threads"})) return take(behind + 1, Meaning::threads, *number);
    return false;
  }

  // A number with its unit, joined or not: "32MB", "2.5 GB/s", "1980 MHz"; or "sum of 4".
  bool read_quantity() {
    if (word(0) == "atleast" && read_at_least()) return true;
    if (word(0) == "sum" && word(1) == "of" && whole(word(2)) && word(3) != "pairs") {
      const std::int64_t number = *whole(word(2));
      const bool noun = is_one_of(word(3), {"gpu", "gpus", "devices"});
      take(1, Meaning::sum);
      return take(noun ? 3 : 2, Meaning::devices, number);
    }
    const std::string_view first = word(0);
    const std::size_t digits = std::min(first.find_first_not_of("0123456789."), first.size());
    if (digits == 0 || first[0] == '.') {
      const bool version = first.size() > 1 && first[0] == 'v' &&
                           first.find_first_not_of("0123456789.", 1) == std::string_view::npos;
      return version && take(1, Meaning::neutral);
    }
    const bool joined = digits < first.size();
    const std::string_view unit = joined ? first.substr(digits) : word(1);
    const std::size_t used = joined ? 1 : 2;
    const bool per_second = word(used) == "s";
    if (is_one_of(unit, {"gb", "gib", "mb", "mib", "tb", "kb", "kib", "b"}))
      return take(per_second ? used + 1 : used, per_second ? Meaning::rate : Meaning::size);
    if (is_one_of(unit, {"s", "ms", "us", "ns"})) return take(used, Meaning::time);
    if (is_one_of(unit, {"mhz", "ghz", "w"})) return take(used, Meaning::neutral);
    if (joined) return false;
    return take(1, Meaning::number, whole(first).value_or(0));
  }

  // ">= 1 MB": large enough to reach the rate of the default size.
  bool read_at_least() {
    ++at_;
    const std::size_t before = speech_.said.size();
    if (!read_quantity()) return false;
    if (speech_.said.size() > before && speech_.said.back().meaning == Meaning::size)
      speech_.said.back().meaning = Meaning::neutral;
    return true;
  }

  // The longest expression that stands here.
  bool read_expression() {
    std::size_t longest = 0;
    Spoken found;
    using Table = std::span<const Expression>;
    for (const Table& table :
         {Table(directions), Table(several), Table(places), Table(mixes), Table(refusals)}) {
      for (const Expression& each : table) {
        const std::size_t length = stands(each.words);
        if (length <= longest) continue;
        longest = length;
        found = {each.meaning, "", 0, each.mix, each.reason};
      }
    }
    for (const std::string_view each : neutral_words) {
      const std::size_t length = stands(each);
      if (length <= longest) continue;
      longest = length;
      found = {};
    }
    return longest > 0 && take(longest, std::move(found));
  }

  // How many words of `expression` begin here; 0: it does not.
  [[nodiscard]] std::size_t stands(std::string_view expression) const {
    std::size_t count = 0;
    while (!expression.empty()) {
      const std::size_t end = std::min(expression.find(' '), expression.size());
      if (word(count) != expression.substr(0, end)) return 0;
      ++count;
      expression.remove_prefix(std::min(end + 1, expression.size()));
    }
    return count;
  }

  std::vector<std::string> words_;
  std::size_t at_ = 0;
  Speech speech_;
};

}  // namespace

Speech read_words(std::string_view text) { return Reader(text).read(); }

}  // namespace memsim::validate
