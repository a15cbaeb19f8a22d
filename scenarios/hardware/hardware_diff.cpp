#include "scenarios/hardware/hardware_diff.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <map>
#include <string_view>

#include "scenarios/schema/quantity.hpp"

namespace memsim::scenarios {
namespace {

// By path; the settings outlive it.
using Index = std::map<std::string_view, std::reference_wrapper<const Setting>>;

Index index_of(const Settings& settings) {
  Index index;
  for (const Setting& setting : settings) index.emplace(setting.path, setting);
  return index;
}

std::optional<Setting> at(const Index& index, std::string_view path) {
  const auto found = index.find(path);
  return found == index.end() ? std::nullopt : std::optional<Setting>(found->second.get());
}

// The same text, the same quantity or the same number.
bool same(const std::string& a, const std::string& b) {
  if (a == b) return true;
  constexpr std::array dimensions{Dimension::bytes, Dimension::bandwidth, Dimension::duration,
                                  Dimension::operation_rate};
  for (const Dimension dimension : dimensions) {
    const auto left = parse_quantity(a, dimension);
    const auto right = parse_quantity(b, dimension);
    if (left && right) return *left == *right;
  }
  const std::optional<std::int64_t> number = parse_fraction(a);
  return number && number == parse_fraction(b);
}

bool same(const std::optional<Setting>& a, const std::optional<Setting>& b) {
  return a && b && same(a->value, b->value);
}

// The paths of both, each once. What only the right side has stands where it stands there: before
// the next figure that both have.
std::vector<std::string> paths(const LoadedHardware& left, const LoadedHardware& right) {
  const Index lefts = index_of(left.settings);
  std::vector<std::string> all;
  auto next = right.settings.begin();
  const auto take_others = [&] {
    for (; next != right.settings.end() && !lefts.contains(next->path); ++next) {
      all.push_back(next->path);
    }
  };
  for (const Setting& setting : left.settings) {
    take_others();
    all.push_back(setting.path);
    if (next != right.settings.end() && next->path == setting.path) ++next;
  }
  for (; next != right.settings.end(); ++next) {
    if (!lefts.contains(next->path)) all.push_back(next->path);
  }
  return all;
}

}  // namespace

std::optional<HardwareDifference> compare_hardware(const LoadedHardware& left,
                                                   const LoadedHardware& right,
                                                   Diagnostics& diagnostics) {
  if (left.kind != right.kind) {
    diagnostics.add({.code = "E108",
                     .location = {},
                     .message = fmt::format("`{}` is a {}, `{}` a {}", left.name, name(left.kind),
                                            right.name, name(right.kind)),
                     .label = "",
                     .notes = {},
                     .help = "compare two systems, or two parts of one kind",
                     .suggestion = ""});
    return std::nullopt;
  }
  HardwareDifference difference{left.kind, left.name, right.name, {}};
  const Index lefts = index_of(left.settings);
  const Index rights = index_of(right.settings);
  for (std::string& path : paths(left, right)) {
    if (path == "name") continue;
    FigureDifference figure{std::move(path), {}, {}};
    figure.left = at(lefts, figure.path);
    figure.right = at(rights, figure.path);
    if (!same(figure.left, figure.right)) difference.figures.push_back(std::move(figure));
  }
  return difference;
}

}  // namespace memsim::scenarios
