#include "app/report/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "app/report/format.hpp"
#include "app/report/lever_text.hpp"
#include "scenarios/schema/display.hpp"
#include "scenarios/schema/quantity.hpp"

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

// "gpu0 takes 22.0 of 39.4 GiB, the most in optimizer"; a GPU that is short of memory without its
// cache, or only fits without it, needs an amount instead.
std::string demand(const PlanAnswer& answer, const ResourceAnswer& worst) {
  const sim::Bytes need(worst.need.value);
  if (need > worst.limit)
    return fmt::format("{} is short by {}, the most in {}", worst.name, size(need - worst.limit),
                       worst.phase);
  const bool without_cache = &worst == &answer.resources.front() && need < answer.gpu_total;
  return fmt::format("{} {} {} of {} GiB, the most in {}", worst.name,
                     without_cache ? "needs" : "takes", gib(need), gib(worst.limit), worst.phase);
}

std::string headline(const PlanAnswer& answer, bool colour) {
  const ResourceAnswer& worst = worst_resource(answer);
  std::string word(name(answer.verdict));
  if (colour) word = fmt::format("{}{}\x1b[0m", colour_of(answer.verdict), word);
  return fmt::format("{}   {} ({})\n", word, demand(answer, worst), worst.part);
}

std::string subject(const PlanAnswer& answer) {
  const StepAnswer& step = answer.step;
  std::string text;
  Wrapped words(text, 2, " ");
  words.add(fmt::format("{} on {}:", answer.model, answer.system));
  words.add(fmt::format("{} parameters;", grouped(answer.parameters)));
  words.add(fmt::format("a step takes {},", duration(sim::Duration(step.time.value))));
  words.add(fmt::format("{} {}/s", grouped(step.samples_per_second.value), step.sample_unit));
  text += "\n";
  const ResourceAnswer& gpu = answer.resources.front();
  if (answer.failure)
    text += scenarios::wrapped(
        fmt::format("It fails in {} at {}, which asks for {}.", answer.failure->phase,
                    answer.failure->tensor, size(answer.failure->requested)),
        "", "  ");
  if (answer.failure && answer.failure->fragmented)
    text += "All tensors would have room if the free memory were in one piece.\n";
  if (answer.gpu_total > gpu.limit)
    text += fmt::format("Sizes{} below are as if there were enough memory.\n",
                        answer.failure ? " and times" : "");
  if (sim::Bytes(gpu.need.value) < answer.gpu_total)
    text += fmt::format("From {} GiB on it runs, by giving back the allocator's cache.\n",
                        gib_rounded_up(sim::Bytes(gpu.need.value)));
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
                    ? fmt::format("{} {} ({}x)", share.name, size(share.bytes), share.tensors)
                    : fmt::format("{} {}", share.name, size(share.bytes)));
    }
    while (text.ends_with(' ')) text.pop_back();
    text += "\n";
  }
  return text;
}

std::string resource_line(const ResourceAnswer& resource) {
  const std::string text = fmt::format("{:<{}}{}, {} sure: ", resource.name, label_width,
                                       name(resource.verdict), percent(resource.probability));
  const sim::Bytes need(resource.need.value);
  if (need < sim::Bytes(1) * (100 << 20))
    return text + fmt::format("{} of {} GiB\n", size(need), gib(resource.limit));
  const std::string sure_from = resource.verdict == Verdict::fit
                                    ? ""
                                    : fmt::format("{:<{}}FIT from {} GiB on\n", "", label_width,
                                                  gib_rounded_up(resource.sure_from));
  return text +
         fmt::format("{} of {} GiB (p10-p90 {}-{})\n", gib(need), gib(resource.limit),
                     gib(sim::Bytes(resource.need.p10)), gib(sim::Bytes(resource.need.p90))) +
         sure_from;
}

std::string resource_lines(const PlanAnswer& answer) {
  std::string text = "\n";
  for (const ResourceAnswer& resource : answer.resources) text += resource_line(resource);
  const auto host_line = [&](std::string_view phase, const std::vector<HostItem>& items) {
    text += fmt::format("{:<{}}", fmt::format("host in {}", phase), label_width);
    Wrapped words(text, label_width, " + ");
    for (const HostItem& item : items) words.add(fmt::format("{} {}", item.name, size(item.bytes)));
    text += "\n";
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
    const models::Fraction part(
        sim::scale(share.time.value(), models::parts_per_million, step.time.value));
    words.add(fmt::format("{} {} ({}{})", share.resource, duration(share.time), percent(part),
                          share.idle ? ", idle" : ""));
  }
  text += "\n";
  if (step.peak_flops.value() == 0) return text;
  const models::Fraction share(
      sim::scale(step.flops_per_second.value, models::parts_per_million, step.peak_flops.value()));
  return text + fmt::format("{:<{}}{} of {}'s peak of {}\n", "arithmetic", label_width,
                            percent(share), step.flops_type,
                            format_quantity(step.peak_flops.value(), Dimension::operation_rate));
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
    text += scenarios::wrapped(fmt::format("{}: {}", warning.id, warning.text),
                               fmt::format("{:<{}}", "warning", label_width),
                               std::string(label_width, ' '));
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
  if (answer.levers) text += lever_text(*answer.levers, answer);
  text += assumption_lines(answer);
  text += warning_lines(answer);
  return text;
}

}  // namespace memsim::app
