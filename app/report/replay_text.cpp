#include "app/report/replay_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/report/format.hpp"
#include "scenarios/schema/display.hpp"

namespace memsim::app {
namespace {

using namespace scenarios;

std::string name_of(const ReplayRun& run) {
  return run.allocator.options.empty()
             ? run.allocator.kind
             : fmt::format("{}:{}", run.allocator.kind, run.allocator.options);
}

// Of what is reserved the part that is in no caller's hands.
std::string idle_share(const ReplayMoment& moment) {
  const std::int64_t reserved = moment.usage.reserved.value();
  if (reserved == 0) return "-";
  return percent(
      models::Fraction(sim::scale(moment.idle().value(), models::parts_per_million, reserved)));
}

std::string table(const ReplayAnswer& answer) {
  std::string text = fmt::format("\n{:<24}{:>11}{:>11}{:>11}{:>7}{:>8}{:>8}\n", "allocator",
                                 "requested", "allocated", "reserved", "idle", "flushes", "failed");
  for (const ReplayRun& run : answer.runs) {
    const std::string name = name_of(run);
    if (name.size() > 22) text += fmt::format("{}\n", name);
    text +=
        fmt::format("{:<24}{:>11}{:>11}{:>11}{:>7}{:>8}{:>8}\n", name.size() > 22 ? "" : name,
                    size(run.peak_requested), size(run.peak_allocated),
                    size(run.peak.usage.reserved), idle_share(run.peak), run.flushes, run.failures);
  }
  return text;
}

std::string driver_lines(const ReplayAnswer& answer) {
  std::string text = "\ncalls of the driver\n";
  for (const ReplayRun& run : answer.runs) {
    std::string line =
        fmt::format("{}: {} mallocs, {} frees", name_of(run), run.work.mallocs, run.work.frees);
    if (run.work.maps > 0)
      line += fmt::format(", {} pages mapped, {} unmapped", run.work.maps, run.work.unmaps);
    if (run.work.failed_mallocs > 0) line += fmt::format(", {} refused", run.work.failed_mallocs);
    if (answer.costs) line += fmt::format(": {}", duration(answer.costs->of(run.work)));
    text += wrapped(line, "  ", "    ");
  }
  return text;
}

std::string failure_lines(const ReplayAnswer& answer) {
  std::string text;
  for (const ReplayRun& run : answer.runs) {
    if (!run.first_failure) continue;
    const sim::OutOfMemory& cause = run.first_failure->cause;
    if (text.empty()) text = "\nfirst out-of-memory\n";
    text += wrapped(
        fmt::format("{}: operation {} asks for {}; {} are allocated, {} reserved, {} free on the "
                    "device: {}",
                    name_of(run), run.first_failure->operation, size(cause.requested),
                    size(cause.allocated), size(cause.reserved), size(cause.free),
                    cause.fragmented() ? "enough, but in pieces" : "too little, however it lies"),
        "  ", "    ");
  }
  return text;
}

std::string trace_line(const ReplayAnswer& answer) {
  const std::string limit =
      answer.capacity ? fmt::format("a device of {}", size(*answer.capacity)) : "no limit";
  return wrapped(fmt::format("{}: {} operations, {} allocations; {}", answer.file,
                             grouped(static_cast<std::int64_t>(answer.trace.ops.size())),
                             grouped(answer.trace.allocations), limit),
                 "", "  ");
}

}  // namespace

std::string replay_headline(const ReplayAnswer& answer) {
  std::string text;
  for (const ReplayRun& run : answer.runs)
    text += fmt::format("{}: {} reserved at most, {} failed\n", name_of(run),
                        size(run.peak.usage.reserved), run.failures);
  return text;
}

std::string replay_text(const ReplayAnswer& answer) {
  std::string text = trace_line(answer);
  text += table(answer);
  text += driver_lines(answer);
  text += failure_lines(answer);
  if (answer.trace.left_out.empty()) return text;
  text += "\nnot replayed\n";
  for (const auto& [what, count] : answer.trace.left_out)
    text += fmt::format("  {:>6}  {}\n", count, what);
  return text;
}

}  // namespace memsim::app
