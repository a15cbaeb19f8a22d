#include "app/report/lever_text.hpp"

#include <fmt/format.h>

#include <string_view>

#include "app/report/format.hpp"

namespace memsim::app {
namespace {

using namespace scenarios;

std::string settings_of(const LeverAnswer& lever) {
  std::string text;
  for (const SettingValue& setting : lever.settings)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", setting.key, setting.value);
  return text;
}

std::string lever_line(const LeverAnswer& lever) {
  std::string text = fmt::format(
      "  {:<40}{:>7} GiB {:>9}  {}\n", settings_of(lever), signed_gib(lever.memory_delta),
      signed_percent(lever.time_delta_ppm.value_or(0)), name(lever.verdict));
  if (!lever.side_effect.empty()) text += fmt::format("      {}\n", lever.side_effect);
  return text;
}

}  // namespace

std::string lever_text(const LeverReport& levers, Verdict now) {
  std::string text;
  if (!levers.useful.empty()) {
    const std::string_view title =
        now == Verdict::fit ? "what would change it" : "what would help (fastest first)";
    text += fmt::format("\n{:<42}{:>11}{:>10}  verdict\n", title, "memory", "time");
    for (const LeverAnswer& lever : levers.useful) text += lever_line(lever);
  }
  if (levers.smallest_set) {
    text += "\nno single change is enough; these together are\n";
    text += lever_line(*levers.smallest_set);
  }
  if (!levers.useless.empty()) {
    text += "\nno use here: ";
    Wrapped words(text, 13, ", ");
    for (const LeverAnswer& lever : levers.useless) words.add(settings_of(lever));
    text += "\n";
  }
  if (levers.largest_micro_batch)
    text += *levers.largest_micro_batch == 0
                ? std::string("\nnot even a micro-batch of 1 fits with these settings\n")
                : fmt::format("\nlargest micro-batch that fits: {}\n", *levers.largest_micro_batch);
  return text;
}

}  // namespace memsim::app
