#include "app/report/format.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>

namespace memsim::app {
namespace {

constexpr double bytes_per_gib = 1024.0 * 1024.0 * 1024.0;
constexpr std::size_t columns = 80;

struct TimeUnit {
  double picoseconds;
  std::string_view name;
};
constexpr std::array<TimeUnit, 4> time_units{{{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}}};

}  // namespace

std::string gib(sim::Bytes bytes) {
  return fmt::format("{:.1f}", static_cast<double>(bytes.value()) / bytes_per_gib);
}

std::string gib_rounded_up(sim::Bytes bytes) {
  return fmt::format("{:.1f}",
                     std::ceil(static_cast<double>(bytes.value()) / bytes_per_gib * 10) / 10);
}

std::string size(sim::Bytes bytes) {
  constexpr std::array<std::string_view, 4> units{"B", "KiB", "MiB", "GiB"};
  auto value = static_cast<double>(bytes.value());
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  return fmt::format("{:.{}f} {}", value, value < 100 && unit > 0 ? 1 : 0, units[unit]);
}

std::string signed_gib(std::int64_t bytes) {
  return fmt::format("{:+.1f}", static_cast<double>(bytes) / bytes_per_gib);
}

std::string duration(sim::Duration time) {
  const auto picoseconds = static_cast<double>(time.value());
  for (const TimeUnit& unit : time_units) {
    const double value = picoseconds / unit.picoseconds;
    if (value < 1 && &unit != &time_units.back()) continue;
    if (value == 0) break;
    return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : value < 100 ? 1 : 0, unit.name);
  }
  return "0 s";
}

std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::size_t start = number < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > start + 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string percent(models::Fraction fraction) {
  if (fraction.value() < 10'000) return "<1 %";
  if (fraction.value() >= 990'000) return ">99 %";
  return fmt::format("{} %", fraction.value() / 10'000);
}

std::string signed_percent(std::int64_t parts_per_million) {
  return fmt::format("{:+.1f} %", static_cast<double>(parts_per_million) / 10'000);
}

Wrapped::Wrapped(std::string& text, std::size_t indent, std::string_view separator)
    : text_(text), indent_(indent), separator_(separator) {}

void Wrapped::add(std::string_view word) {
  if (!first_) {
    text_ += separator_;
    // A separator may follow the word on its line.
    const std::size_t line_start = text_.rfind('\n') + 1;
    if (text_.size() - line_start + word.size() + separator_.size() > columns) {
      while (text_.ends_with(' ')) text_.pop_back();
      text_ += "\n" + std::string(indent_, ' ');
    }
  }
  first_ = false;
  text_ += word;
}

}  // namespace memsim::app
