#include "app/report/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "app/report/format.hpp"
#include "app/report/lever_text.hpp"

namespace memsim::app {
namespace {

using namespace scenarios;

constexpr std::size_t label_width = 14;

// The resource that decides the verdict.
const ResourceAnswer& worst_resource(const PlanAnswer& answer) {
  return *std::ranges::max_element(answer.resources, {}, &ResourceAnswer::verdict);
}

std::string_view colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::fit:
      return "\x1b[1;32m";
    case Verdict::no_fit:
      return "\x1b[1;31m";
    case Verdict::tight:
    case Verdict::uncertain:
      break;
  }
  return "\x1b[1;33m";
}

std::string headline(const PlanAnswer& answer, bool colour) {
  const ResourceAnswer& worst = worst_resource(answer);
  std::string word(name(answer.verdict));
  if (colour) word = fmt::format("{}{}\x1b[0m", colour_of(answer.verdict), word);
  const sim::Bytes need(worst.need.value);
  if (need > worst.limit)
    return fmt::format("{}   {} is short by {} GiB in {} ({}, {} GiB usable)\n", word, worst.name,
                       gib(need - worst.limit), worst.phase, worst.part, gib(worst.limit));
  return fmt::format("{}   {} needs {} of {} GiB, the most in {} ({})\n", word, worst.name,
                     gib(need), gib(worst.limit), worst.phase, worst.part);
}

std::string subject(const PlanAnswer& answer) {
  const StepAnswer& step = answer.step;
  std::string text = fmt::format("{} on {}: {} parameters; a step takes {}, {} {}/s\n",
                                 answer.model, answer.system, grouped(answer.parameters),
                                 duration(sim::Duration(step.time.value)),
                                 grouped(step.samples_per_second.value), step.sample_unit);
  if (answer.failure) {
    text += fmt::format("fails in {} at {}, which asks for {} GiB{}\n", answer.failure->phase,
                        answer.failure->tensor, gib(answer.failure->requested),
                        answer.failure->fragmented ? ": enough is free, but in pieces" : "");
    text += "(sizes and times below: as if there were enough memory)\n";
  }
  return text;
}

std::string phase_table(const PlanAnswer& answer) {
  const std::string limit = gib(answer.resources.front().limit);
  std::string text = fmt::format("\n{:<10}{:>7}{:>10}{:>11}{:>8}{:>8}{:>10}{:>9}\n", "GiB", "live",
                                 "reserved", "unmanaged", "total", "limit", "host RAM", "time");
  for (const PhaseAnswer& phase : answer.phases)
    text +=
        fmt::format("{:<10}{:>7}{:>10}{:>11}{:>8}{:>8}{:>10}{:>9}{}\n", phase.name, gib(phase.live),
                    gib(phase.reserved), gib(phase.unmanaged), gib(phase.total()), limit,
                    gib(phase.host), duration(phase.time), phase.peak ? "  peak" : "");
  return text;
}

std::string item_table(const PlanAnswer& answer) {
  sim::Bytes total;
  for (const ItemAnswer& item : answer.items) total += item.bytes;
  std::string text = fmt::format("\nat the peak {:>5} GiB\n", gib(total));
  for (const ItemAnswer& item : answer.items) {
    text += fmt::format("  {:<12}{:>5}  ", sim::name(item.category), gib(item.bytes));
    Wrapped words(text, 21, ", ");
    constexpr std::size_t shown = 2;
    for (std::size_t i = 0; i < std::min(shown, item.largest.size()); ++i) {
      const TensorShare& share = item.largest[i];
      words.add(share.tensors > 1
                    ? fmt::format("{} {} ({}x)", share.name, gib(share.bytes), share.tensors)
                    : fmt::format("{} {}", share.name, gib(share.bytes)));
    }
    while (text.ends_with(' ')) text.pop_back();
    text += "\n";
  }
  return text;
}

std::string resource_lines(const PlanAnswer& answer) {
  std::string text = "\n";
  for (const ResourceAnswer& resource : answer.resources)
    text += fmt::format("{:<{}}{}, {} sure: {} of {} GiB (p10-p90 {}-{})\n", resource.name,
                        label_width, name(resource.verdict), percent(resource.probability),
                        gib(sim::Bytes(resource.need.value)), gib(resource.limit),
                        gib(sim::Bytes(resource.need.p10)), gib(sim::Bytes(resource.need.p90)));
  const auto host_line = [&](std::string_view phase, const std::vector<HostItem>& items) {
    text += fmt::format("{:<{}}", fmt::format("host, {}", phase), label_width);
    Wrapped words(text, label_width, " + ");
    for (const HostItem& item : items) words.add(fmt::format("{} {}", item.name, gib(item.bytes)));
    text += " GiB\n";
  };
  host_line("load", answer.host.load);
  host_line("save", answer.host.save);
  return text;
}

std::string step_line(const StepAnswer& step) {
  std::string text = fmt::format("{:<{}}", "step", label_width);
  if (step.shares.empty() || step.time.value == 0) return "";
  text += fmt::format("bound by {}: ", step.shares.front().resource);
  Wrapped words(text, label_width, ", ");
  for (const TimeShare& share : step.shares) {
    const double percent_of_step =
        static_cast<double>(share.time.value()) * 100 / static_cast<double>(step.time.value);
    words.add(fmt::format("{} {} ({:.0f} %{})", share.resource, duration(share.time),
                          percent_of_step, share.idle ? " idle" : ""));
  }
  return text + "\n";
}

std::string assumption_lines(const PlanAnswer& answer) {
  std::string text = fmt::format("\n{:<{}}", "assumed", label_width);
  Wrapped words(text, label_width, ", ");
  for (const Assumption& assumption : answer.assumptions) {
    const bool chosen = assumption.key.starts_with("train.") && assumption.origin == "default";
    if (chosen || assumption.origin == "assumed")
      words.add(fmt::format("{}={}", assumption.key, assumption.value));
  }
  text += fmt::format("\n{:<{}}prediction error: {}\n", "", label_width, answer.error.source);
  return text;
}

std::string warning_lines(const PlanAnswer& answer) {
  std::string text;
  for (const Warning& warning : answer.warnings)
    text += fmt::format("{:<{}}{}: {}\n", "warning", label_width, warning.id, warning.text);
  return text;
}

}  // namespace

std::string plan_headline(const PlanAnswer& answer) { return headline(answer, false); }

std::string plan_text(const PlanAnswer& answer, bool colour) {
  std::string text = headline(answer, colour);
  text += subject(answer);
  text += phase_table(answer);
  text += item_table(answer);
  text += resource_lines(answer);
  text += step_line(answer.step);
  if (answer.levers) text += lever_text(*answer.levers, answer.verdict);
  text += assumption_lines(answer);
  text += warning_lines(answer);
  return text;
}

}  // namespace memsim::app
