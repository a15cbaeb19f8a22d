#include "scenarios/schema/unit.hpp"

#include <array>
#include <utility>

#include "scenarios/schema/decimal.hpp"
#include "sim/core/units.hpp"

namespace memsim::scenarios {
namespace {

std::vector<Unit> make_units() {
  constexpr std::array<std::string_view, 6> decimal{"", "k", "M", "G", "T", "P"};
  constexpr std::array<std::string_view, 6> binary{"", "Ki", "Mi", "Gi", "Ti", "Pi"};
  std::vector<Unit> units;
  std::int64_t thousands = 1;
  for (std::size_t i = 0; i < decimal.size(); ++i, thousands *= 1000) {
    for (const auto& [symbol, denominator] : {std::pair{"B", 1}, std::pair{"b", 8}}) {
      const std::string amount = std::string(decimal[i]) + symbol;
      units.push_back({amount, Dimension::bytes, thousands, denominator, symbol});
      units.push_back({amount + "/s", Dimension::bandwidth, thousands, denominator, symbol});
    }
    for (const std::string_view symbol : {"FLOP/s", "OP/s", "FLOPS", "OPS"}) {
      units.push_back({std::string(decimal[i]) + std::string(symbol), Dimension::operation_rate,
                       thousands, 1, symbol});
    }
    if (i == 0) continue;
    const std::int64_t power = std::int64_t{1} << (10 * i);
    units.push_back({std::string(binary[i]) + "B", Dimension::bytes, power, 1, "iB"});
    units.push_back({std::string(binary[i]) + "B/s", Dimension::bandwidth, power, 1, "iB"});
  }
  for (const std::string_view symbol : {"EFLOP/s", "EOP/s", "EFLOPS", "EOPS"}) {
    units.push_back(
        {std::string(symbol), Dimension::operation_rate, thousands, 1, symbol.substr(1)});
  }
  constexpr std::int64_t second = sim::picoseconds_per_second;
  for (const auto& [symbol, picoseconds] : {std::pair<std::string_view, std::int64_t>{"ps", 1},
                                            {"ns", 1'000},
                                            {"us", 1'000'000},
                                            {"\u00b5s", 1'000'000},
                                            {"ms", 1'000'000'000},
                                            {"s", second},
                                            {"min", 60 * second},
                                            {"h", 3600 * second}}) {
    const std::string_view family = picoseconds > second ? symbol : "s";
    units.push_back({std::string(symbol), Dimension::duration, picoseconds, 1, family});
  }
  return units;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// "Gb/s" for "Gbit/s", "GB" for "GBytes".
std::string with_symbols(std::string_view written) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> words{
      {{"bytes", "B"}, {"byte", "B"}, {"bits", "b"}, {"bit", "b"}}};
  std::string text(written);
  for (const auto& [word, symbol] : words) {
    const std::size_t at = lower(text).find(word);
    if (at != std::string::npos) return text.replace(at, word.size(), symbol);
  }
  return text;
}

}  // namespace

const std::vector<Unit>& units() {
  static const std::vector<Unit> all = make_units();
  return all;
}

const Unit* find_unit(std::string_view symbol) {
  for (const Unit& unit : units()) {
    if (unit.symbol == symbol) return &unit;
  }
  return nullptr;
}

std::string likely_unit(std::string_view written, Dimension dimension) {
  std::string wanted = with_symbols(written);
  if (dimension == Dimension::bandwidth && !wanted.ends_with("/s")) {
    if (wanted.ends_with("ps")) {
      wanted.replace(wanted.size() - 2, 2, "/s");
    } else if (wanted.ends_with("s")) {
      wanted.replace(wanted.size() - 1, 1, "/s");
    }
  }
  const Unit* same = find_unit(wanted);
  if (same != nullptr && same->dimension == dimension) return same->symbol;
  for (const Unit& unit : units()) {
    if (unit.dimension == dimension && lower(unit.symbol) == lower(wanted)) return unit.symbol;
  }
  return "";
}

std::optional<Written> split_quantity(std::string_view text) {
  text = trimmed(text);
  const std::optional<Decimal> number = read_decimal(text);
  if (!number) return std::nullopt;
  const Unit* unit = find_unit(trimmed(text.substr(number->length)));
  if (unit == nullptr) return std::nullopt;
  return Written{text.substr(0, number->length), unit};
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace memsim::scenarios
