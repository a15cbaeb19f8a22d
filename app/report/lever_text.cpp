#include "app/report/lever_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "app/report/format.hpp"
#include "scenarios/schema/display.hpp"

namespace memsim::app {
namespace {

using namespace scenarios;

constexpr std::size_t settings_width = 40;
constexpr std::size_t effect_indent = 6;

std::string settings_of(const LeverAnswer& lever) {
  std::string text;
  for (const SettingValue& setting : lever.settings)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", setting.key, setting.value);
  return text;
}

// `host_counts`: the host's RAM is short, so what changes it is told.
std::string lever_line(const LeverAnswer& lever, bool host_counts) {
  std::string settings = "  ";
  Wrapped words(settings, 2, " ");
  for (const SettingValue& setting : lever.settings)
    words.add(fmt::format("{}={}", setting.key, setting.value));
  if (settings.size() > settings_width + 2) settings += "\n";
  const std::size_t last_line = settings.rfind('\n') + 1;
  settings.resize(last_line + settings_width + 2, ' ');
  std::string text =
      fmt::format("{}{:>7} GiB {:>9}  {}\n", settings, signed_gib(lever.memory_delta),
                  signed_percent(lever.time_delta_ppm.value_or(0)), name(lever.verdict));
  std::string effects = lever.side_effect;
  constexpr std::int64_t notable = 100 << 20;
  if (host_counts && std::abs(lever.host_delta) >= notable)
    effects +=
        fmt::format("{}host RAM {} GiB", effects.empty() ? "" : "; ", signed_gib(lever.host_delta));
  if (!effects.empty())
    text += scenarios::wrapped(effects, std::string(effect_indent, ' '),
                               std::string(effect_indent, ' '));
  return text;
}

}  // namespace

std::string lever_text(const LeverReport& levers, const PlanAnswer& answer) {
  std::string text;
  const auto host = std::ranges::find(answer.resources, "host_ram", &ResourceAnswer::id);
  const bool host_counts = host != answer.resources.end() && host->verdict != Verdict::fit;
  if (!levers.useful.empty()) {
    const std::string_view title =
        answer.verdict == Verdict::fit ? "what would change it" : "what would help";
    text += fmt::format("\n{:<42}{:>11}{:>10}  verdict\n", title, "memory", "step");
    for (const LeverAnswer& lever : levers.useful) text += lever_line(lever, host_counts);
  }
  if (levers.smallest_set) {
    text += "\nthe smallest set that fits\n";
    text += lever_line(*levers.smallest_set, host_counts);
  }
  const bool any_fits =
      levers.smallest_set || std::ranges::any_of(levers.useful, [](const LeverAnswer& lever) {
        return lever.verdict == Verdict::fit;
      });
  if (answer.verdict != Verdict::fit && !any_fits && levers.complete)
    text += "\nneither one of these changes nor all together are enough\n";
  if (!levers.useless.empty()) {
    const std::string why = host_counts
                                ? "host RAM is short"
                                : fmt::format("the peak is in {}", answer.resources.front().phase);
    text += fmt::format("\nno use here ({}): ", why);
    Wrapped words(text, 4, ", ");
    for (const LeverAnswer& lever : levers.useless) words.add(settings_of(lever));
    text += "\n";
  }
  if (levers.largest_micro_batch)
    text +=
        *levers.largest_micro_batch == 0
            ? std::string("\nno micro-batch is sure to fit with the other settings as they are\n")
            : fmt::format("\nlargest micro-batch that is sure to fit: {}\n",
                          *levers.largest_micro_batch);
  return text;
}

}  // namespace memsim::app
