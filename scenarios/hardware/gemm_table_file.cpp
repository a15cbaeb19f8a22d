#include "scenarios/hardware/gemm_table_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace memsim::scenarios {
namespace {

using models::Fraction;
using models::GemmGrid;
using models::GemmTable;

constexpr std::string_view header = "memsim.gemm-table/1";
constexpr std::int64_t largest_node = std::int64_t{1} << 40;
constexpr std::int64_t largest_start = 1'000'000'000;  // ns
constexpr std::int64_t largest_efficiency = 100 * models::parts_per_million;
constexpr std::size_t most_values = std::size_t{1} << 22;  // of one grid

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Thrown inside the parser when what follows cannot be understood; the diagnostic is there already.
struct Lost {};

class Parser {
 public:
  Parser(const SourceFile& source, Diagnostics& diagnostics)
      : source_(source),
        rest_(source.text()),
        line_(rest_.substr(0, 0)),
        diagnostics_(diagnostics) {}

  std::optional<GemmTable> parse() {
    const std::size_t before = diagnostics_.errors();
    try {
      GemmTable table;
      if (!advance() || line_ != header) lose(line_, fmt::format("expected {}", header));
      must_advance("gpu NAME");
      table.gpu = value("gpu");
      must_advance("type NAME");
      while (read_grid(table)) {
      }
      if (diagnostics_.errors() > before) return std::nullopt;
      return table;
    } catch (const Lost&) {
      return std::nullopt;
    }
  }

 private:
  // From the line `type ...`; whether another grid follows.
  bool read_grid(GemmTable& table) {
    GemmGrid grid;
    const std::string_view type = value("type");
    const auto* const known = std::ranges::find(models::data_type_names, type);
    grid.type = static_cast<models::DataType>(known - models::data_type_names.begin());
    if (known == models::data_type_names.end())
      report(type, fmt::format("expected one of {}", fmt::join(models::data_type_names, ", ")));
    else if (table.find(grid.type) != nullptr)
      report(type, "expected a type that has no grid yet");
    read_start(grid);
    for (const auto& [name, axis] : {std::pair("m", &grid.m), {"n", &grid.n}, {"k", &grid.k}})
      read_axis(name, *axis);
    if (grid.m.size() > most_values / grid.n.size() / grid.k.size())
      lose(line_, fmt::format("expected a grid of at most {} values", most_values));
    read_efficiencies(grid);
    const bool more = read_fitted(grid);
    table.grids.push_back(std::move(grid));
    return more;
  }

  void read_start(GemmGrid& grid) {
    must_advance("start NUMBER ns");
    take_key("start");
    grid.start = sim::Duration(number(take_word("a number"), 1, largest_start) * 1000);
    if (const auto unit = take_word("ns"); unit != "ns") report(unit, "expected ns");
    expect_end();
  }

  void read_axis(const char* name, std::vector<std::int64_t>& axis) {
    must_advance(fmt::format("{} and its nodes", name));
    take_key(name);
    axis.push_back(number(take_word("a node"), 1, largest_node));
    while (const auto word = next_word()) {
      axis.push_back(number(*word, 1, largest_node));
      if (axis[axis.size() - 2] >= axis.back())
        report(*word, fmt::format("expected more than {}", axis[axis.size() - 2]));
    }
  }

  void read_efficiencies(GemmGrid& grid) {
    must_advance("efficiency");
    take_key("efficiency");
    expect_end();
    grid.efficiency.reserve(grid.m.size() * grid.n.size() * grid.k.size());
    for (const std::int64_t m : grid.m) {
      for (const std::int64_t n : grid.n) {
        must_advance("a line of efficiencies");
        for (std::size_t l = 0; l < grid.k.size(); ++l) {
          if (const auto efficiency = next_efficiency()) {
            grid.efficiency.emplace_back(*efficiency);
            continue;
          }
          const auto word = next_word();
          if (!word)
            lose(end_of_line(),
                 fmt::format("expected {} efficiencies, of m = {}, n = {}", grid.k.size(), m, n));
          grid.efficiency.emplace_back(number(*word, 1, largest_efficiency));
        }
        expect_end();
      }
    }
  }

  // The next word if it is an efficiency. Tables are nearly all efficiencies: this looks at each
  // character once.
  std::optional<std::int64_t> next_efficiency() {
    const char* const end = line_.data() + line_.size();
    const char* begin = line_.data() + at_;
    while (begin != end && is_blank(*begin)) ++begin;
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || (stop != end && !is_blank(*stop)) || value < 1 ||
        value > largest_efficiency)
      return std::nullopt;
    at_ = static_cast<std::size_t>(stop - line_.data());
    return value;
  }

  // Whether another grid follows.
  bool read_fitted(GemmGrid& grid) {
    must_advance("fitted NUMBER");
    take_key("fitted");
    const std::int64_t count = number(take_word("a number"), 0, most_values);
    expect_end();
    bool more = advance();
    while (more && static_cast<std::int64_t>(grid.fitted.size()) < count) {
      while (const auto word = next_word()) read_fingerprint(*word, grid.fitted);
      more = advance();
    }
    if (static_cast<std::int64_t>(grid.fitted.size()) != count)
      lose(more ? line_ : end_of_line(),
           fmt::format("expected {} fingerprints above, there are {}", count, grid.fitted.size()));
    return more;
  }

  void read_fingerprint(std::string_view word, std::vector<std::uint32_t>& fitted) {
    std::uint32_t value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value, 16);
    if (error != std::errc() || stop != word.data() + word.size() || word.size() != 8)
      report(word, "expected 8 hexadecimal digits");
    else if (!fitted.empty() && fitted.back() >= value)
      report(word, fmt::format("expected more than {:08x}", fitted.back()));
    fitted.push_back(value);
  }

  // The one word behind the key of this line.
  std::string_view value(std::string_view key) {
    take_key(key);
    const std::string_view word = take_word("a word");
    expect_end();
    return word;
  }

  void take_key(std::string_view key) {
    const std::string_view word = take_word(key);
    if (word != key) lose(word, fmt::format("expected `{}`", key));
  }
  std::string_view take_word(std::string_view wanted) {
    const auto word = next_word();
    if (!word) lose(end_of_line(), fmt::format("expected {}", wanted));
    return *word;
  }
  void expect_end() {
    if (const auto word = next_word()) report(*word, "expected the end of the line");
  }

  std::int64_t number(std::string_view word, std::int64_t least, std::int64_t most) {
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool whole = error == std::errc() && stop == word.data() + word.size();
    if (whole && value >= least && value <= most) return value;
    report(word, fmt::format("expected a whole number from {} to {}", least, most));
    return least;
  }

  // By hand: a table has tens of thousands of words, and find_first_of takes longer than reading
  // the numbers does.
  std::optional<std::string_view> next_word() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
    if (at_ == line_.size()) return std::nullopt;
    const std::size_t begin = at_;
    while (at_ < line_.size() && !is_blank(line_[at_])) ++at_;
    return line_.substr(begin, at_ - begin);
  }
  [[nodiscard]] std::string_view end_of_line() const { return line_.substr(line_.size()); }

  // To the next line that says something; at the end of the text false, and behind the last line.
  bool advance() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      number_ = ++lines_;
      at_ = 0;
      const std::size_t first = line_.find_first_not_of(" \t");
      if (first != std::string_view::npos && line_[first] != '#') return true;
    }
    at_ = line_.size();
    return false;
  }
  void must_advance(std::string_view wanted) {
    if (!advance())
      lose(end_of_line(), fmt::format("expected {}, found the end of the file", wanted));
  }

  // `word` lies in the line.
  void report(std::string_view word, std::string label) {
    const auto before = static_cast<std::size_t>(word.data() - line_.data());
    const std::uint32_t column = character_count(line_.substr(0, before)) + 1;
    const Span span{number_, column, column + std::max<std::uint32_t>(1, character_count(word))};
    diagnostics_.add({.code = "E113",
                      .location = {&source_, span},
                      .message = "not a table of matrix products",
                      .label = std::move(label),
                      .notes = {},
                      .help = "`memsim calibrate gemm` writes such tables",
                      .suggestion = ""});
  }
  [[noreturn]] void lose(std::string_view word, std::string label) {
    report(word, std::move(label));
    throw Lost();
  }

  const SourceFile& source_;
  std::string_view rest_;
  std::string_view line_;
  Diagnostics& diagnostics_;
  std::uint32_t number_ = 1;  // of line_
  std::uint32_t lines_ = 0;   // taken so far
  std::size_t at_ = 0;        // in line_: behind the last word
};

void add_axis(std::string& text, std::string_view name, std::span<const std::int64_t> axis) {
  text += fmt::format("{} {}\n", name, fmt::join(axis, " "));
}

void add_grid(std::string& text, const GemmGrid& grid) {
  constexpr std::size_t fingerprints_on_a_line = 16;
  text += fmt::format("type {}\nstart {} ns\n", models::name(grid.type), grid.start.value() / 1000);
  add_axis(text, "m", grid.m);
  add_axis(text, "n", grid.n);
  add_axis(text, "k", grid.k);
  text += "efficiency\n";
  for (std::size_t i = 0; i < grid.efficiency.size(); ++i)
    text +=
        fmt::format("{}{}", grid.efficiency[i].value(), (i + 1) % grid.k.size() == 0 ? '\n' : ' ');
  text += fmt::format("fitted {}\n", grid.fitted.size());
  for (std::size_t i = 0; i < grid.fitted.size(); ++i) {
    const bool last = i + 1 == grid.fitted.size() || (i + 1) % fingerprints_on_a_line == 0;
    text += fmt::format("{:08x}{}", grid.fitted[i], last ? '\n' : ' ');
  }
}

}  // namespace

std::optional<GemmTable> parse_gemm_table(const SourceFile& source, Diagnostics& diagnostics) {
  return Parser(source, diagnostics).parse();
}

std::string gemm_table_text(const GemmTable& table, const std::string& remark) {
  std::string text = fmt::format("{}\n# {}\ngpu {}\n", header, remark, table.gpu);
  for (const GemmGrid& grid : table.grids) add_grid(text, grid);
  return text;
}

}  // namespace memsim::scenarios
