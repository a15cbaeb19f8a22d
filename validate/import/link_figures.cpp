#include "validate/import/link_figures.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <utility>

namespace memsim::validate {
namespace {

struct Unit {
  std::string_view name;
  double scale;
  FigureKind kind;
};

constexpr std::array<Unit, 13> units{{
    {"GB/s", 1e9, FigureKind::rate},
    {"MB/s", 1e6, FigureKind::rate},
    {"TB/s", 1e12, FigureKind::rate},
    {"kB/s", 1e3, FigureKind::rate},
    {"GiB/s", 1073741824.0, FigureKind::rate},
    {"MiB/s", 1048576.0, FigureKind::rate},
    {"Gb/s", 1.25e8, FigureKind::rate},
    {"Gbps", 1.25e8, FigureKind::rate},
    {"GBps", 1e9, FigureKind::rate},
    {"ms", 1e-3, FigureKind::time},
    {"us", 1e-6, FigureKind::time},
    {"ns", 1e-9, FigureKind::time},
    {"s", 1, FigureKind::time},
}};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The unit that a text begins with, after blanks; `used` counts its characters and theirs.
const Unit* unit_at(std::string_view text, std::size_t& used) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::string_view rest = text.substr(begin);
  for (const Unit& unit : units) {
    const bool whole = rest.starts_with(unit.name) &&
                       (rest.size() == unit.name.size() || !is_word(rest[unit.name.size()]));
    if (!whole) continue;
    used = begin + unit.name.size();
    return &unit;
  }
  return nullptr;
}

// Numbers that share the unit behind the last of them: "10.0 and 10.8 GB/s".
bool joins(std::string_view between) {
  constexpr std::array<std::string_view, 9> joiners{"and", "to", "/",  "-", ",",
                                                    ";",   "or", "->", "of"};
  const std::size_t begin = std::min(between.find_first_not_of(' '), between.size());
  const std::size_t end = between.find_last_not_of(' ');
  if (begin == between.size()) return false;
  return std::ranges::find(joiners, between.substr(begin, end + 1 - begin)) != joiners.end();
}

struct Number {
  Figure figure;
  std::size_t begin = 0;
  std::size_t end = 0;  // behind its unit
  const Unit* unit = nullptr;
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<Number> scan() {
    std::vector<Number> numbers;
    while (at_ < text_.size()) {
      const bool begins = is_digit(text_[at_]) && (at_ == 0 || !is_part_of_a_name(text_[at_ - 1]));
      if (!begins) {
        ++at_;
        continue;
      }
      if (const auto number = read()) numbers.push_back(*number);
    }
    return numbers;
  }

 private:
  static bool is_part_of_a_name(char before) { return is_word(before) || before == '.'; }

  double read_digits(double& step) {
    double value = 0;
    const std::size_t begin = at_;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(),
                                              value, std::chars_format::fixed);
    at_ = static_cast<std::size_t>(end - text_.data());
    const std::size_t dot = text_.substr(begin, at_ - begin).find('.');
    step = 1;
    if (dot != std::string_view::npos)
      for (std::size_t i = begin + dot + 1; i < at_; ++i) step /= 10;
    return value;
  }

  std::optional<Number> read() {
    Number number;
    number.begin = at_;
    const std::size_t mark = text_.find_last_not_of(' ', at_ == 0 ? 0 : at_ - 1);
    number.figure.is_limit = at_ > 0 && mark != std::string_view::npos &&
                             (text_[mark] == '<' || text_[mark] == '>' || text_[mark] == '=');
    number.figure.low = number.figure.high = read_digits(number.figure.step);
    if (at_ + 1 < text_.size() && text_[at_] == '-' && is_digit(text_[at_ + 1])) {
      ++at_;
      number.figure.high = read_digits(number.figure.step);
    }
    if (at_ < text_.size() && text_[at_] == '+') {
      number.figure.is_limit = true;
      ++at_;
    }
    std::size_t used = 0;
    number.unit = unit_at(text_.substr(at_), used);
    at_ += used;
    number.end = at_;
    if (number.unit == nullptr && at_ < text_.size() && is_word(text_[at_])) return std::nullopt;
    return number;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Figure in_unit(Figure figure, const Unit* unit) {
  if (unit == nullptr) return figure;
  figure.low *= unit->scale;
  figure.high *= unit->scale;
  figure.step *= unit->scale;
  figure.kind = unit->kind;
  return figure;
}

// "25.2 ± 0.3" without how far single measurements lie apart.
std::string without_spread(std::string text) {
  for (const std::string_view sign : {"\u00b1", "+/-", "+-"}) {
    for (std::size_t at = text.find(sign); at != std::string::npos; at = text.find(sign)) {
      const std::size_t number =
          std::min(text.find_first_not_of(' ', at + sign.size()), text.size());
      const std::size_t end = std::min(text.find_first_not_of("0123456789.", number), text.size());
      text.erase(at, end - at);
    }
  }
  return text;
}

}  // namespace

std::string without_parentheses(std::string_view text) {
  std::string rest;
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (depth == 0) rest += c;
    if (c == ')' && depth > 0) --depth;
  }
  return rest;
}

std::string fault_of(std::string_view value, std::string_view unit) {
  const std::string text = without_spread(without_parentheses(value));
  const auto digit = [&](std::size_t at) { return at < text.size() && is_digit(text[at]); };
  int points = 0;  // of the number so far
  for (std::size_t at = 0; at < text.size(); ++at) {
    points = text[at] == '.' ? points + 1 : digit(at) ? points : 0;
    if (points > 1) return "a number with two points";
    if (digit(at - 1) && text[at] == ',' && digit(at + 1))
      return "a comma within a number; expected a point, or a blank behind the comma of a list";
    if (text[at] != '-' || !digit(at + 1)) continue;
    const bool ends_a_number = at > 0 && (is_word(text[at - 1]) || text[at - 1] == '.');
    const bool spaced_range = at > 1 && text[at - 1] == ' ' && is_digit(text[at - 2]);
    if (!ends_a_number && !spaced_range) return "a negative figure; expected a rate or a time";
  }
  for (const Figure& figure : read_value(value, unit))
    if (figure.kind != FigureKind::other && figure.high == 0) return "a figure of zero";
  return "";
}

std::vector<Figure> read_value(std::string_view value, std::string_view unit) {
  const std::string text = without_spread(without_parentheses(value));
  std::size_t used = 0;
  const Unit* const of_row = unit_at(unit, used);
  std::vector<Number> numbers = Scanner(text).scan();
  std::ranges::reverse(numbers);
  std::vector<Figure> figures;
  const Unit* next = of_row;
  for (const Number& number : numbers) {
    // "70 / 141 ns; 82.3 / 33.7 GB/s": a unit holds for the numbers in front of it, too, where the
    // row has none of its own.
    if (number.unit != nullptr && of_row == nullptr) next = number.unit;
    figures.push_back(in_unit(number.figure, number.unit != nullptr ? number.unit : next));
  }
  std::ranges::reverse(figures);
  return figures;
}

std::vector<Figure> read_sentence(std::string_view text) {
  const std::vector<Number> numbers = Scanner(text).scan();
  std::vector<Figure> figures;
  const Unit* unit = nullptr;
  for (std::size_t i = numbers.size(); i-- > 0;) {
    const bool joined = i + 1 < numbers.size() &&
                        joins(text.substr(numbers[i].end, numbers[i + 1].begin - numbers[i].end));
    if (numbers[i].unit != nullptr || !joined) unit = numbers[i].unit;
    if (unit != nullptr) figures.push_back(in_unit(numbers[i].figure, unit));
  }
  std::ranges::reverse(figures);
  return figures;
}

std::vector<Figure> read_bare_numbers(std::string_view text) {
  std::vector<Figure> figures;
  for (const Number& number : Scanner(text).scan())
    if (number.unit == nullptr) figures.push_back(number.figure);
  return figures;
}

namespace {

struct SizeUnit {
  std::string_view name;
  std::int64_t decimal;
  std::int64_t binary;
};

constexpr std::array<SizeUnit, 8> size_units{{
    {"KiB", 1 << 10, 1 << 10},
    {"MiB", 1 << 20, 1 << 20},
    {"GiB", 1 << 30, 1 << 30},
    {"kB", 1'000, 1 << 10},
    {"KB", 1'000, 1 << 10},
    {"MB", 1'000'000, 1 << 20},
    {"GB", 1'000'000'000, 1 << 30},
    {"B", 1, 1},
}};

// The size that a text begins with: a whole number and its unit.
std::optional<sim::Bytes> size_at(std::string_view text) {
  constexpr std::int64_t most = std::int64_t{1} << 20;
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || count < 1 || count > most) return std::nullopt;
  std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  for (const SizeUnit& unit : size_units) {
    if (!rest.starts_with(unit.name)) continue;
    const char next = rest.size() > unit.name.size() ? rest[unit.name.size()] : ' ';
    if (is_word(next) || next == '/') continue;
    const bool power_of_two = (count & (count - 1)) == 0;
    return sim::Bytes(count * (power_of_two ? unit.binary : unit.decimal));
  }
  return std::nullopt;
}

}  // namespace

std::optional<sim::Bytes> read_size(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_digit(text[at]) || (at > 0 && (is_word(text[at - 1]) || text[at - 1] == '.'))) continue;
    const auto size = size_at(text.substr(at));
    const std::size_t before =
        at == 0 ? std::string_view::npos : text.find_last_not_of(' ', at - 1);
    const bool at_least = before != std::string_view::npos && text[before] == '=';
    if (size && !at_least) return size;
  }
  return std::nullopt;
}

}  // namespace memsim::validate
