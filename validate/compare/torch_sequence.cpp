#include "validate/compare/torch_sequence.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memsim::validate {
namespace {

// "allocates 4096 bytes as 17 (addmm)".
std::string describe(const TorchEvent& event) {
  switch (event.kind) {
    case TorchEventKind::marker:
      return fmt::format("comes to {:.60}", event.name);
    case TorchEventKind::allocate:
      return fmt::format("allocates {} bytes as {} ({:.60})", event.bytes, event.id, event.name);
    case TorchEventKind::release:
      break;
  }
  return fmt::format("releases {}", event.id);
}

// " (step0_backward)": the last marker before an event.
std::string after_marker(const std::vector<TorchEvent>& trace, std::size_t end) {
  for (std::size_t i = end; i-- > 0;)
    if (trace[i].kind == TorchEventKind::marker) return fmt::format(" ({:.60})", trace[i].name);
  return "";
}

}  // namespace

std::vector<TorchEvent> sum_in_place(const std::vector<TorchEvent>& trace) {
  std::vector<TorchEvent> events;
  std::vector<std::int64_t> new_id{0};  // by id in the trace
  std::vector<bool> summed{false};      // likewise: a later sum was added into it
  std::int64_t allocations = 0;
  for (const TorchEvent& event : trace) {
    const auto id = static_cast<std::size_t>(event.id);
    if (event.kind == TorchEventKind::allocate) {
      const auto old = static_cast<std::size_t>(event.sum_into);
      new_id.push_back(old > 0 ? new_id[old] : ++allocations);
      summed.push_back(false);
      if (old > 0) {
        summed[old] = true;
        continue;
      }
    } else if (event.kind == TorchEventKind::release && summed[id]) {
      continue;
    }
    events.push_back(event);
    if (event.kind != TorchEventKind::marker) events.back().id = new_id[id];
  }
  return events;
}

void order_conversions(std::vector<TorchEvent>& events) {
  std::vector<std::size_t> places;  // of conversions in the run of releases under way
  std::vector<std::int64_t> ids;
  const auto end_run = [&] {
    std::sort(ids.begin(), ids.end());
    for (std::size_t i = 0; i < ids.size(); ++i) events[places[i]].id = ids[i];
    places.clear();
    ids.clear();
  };
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].kind != TorchEventKind::release) end_run();
    if (events[i].kind != TorchEventKind::release || !events[i].conversion) continue;
    places.push_back(i);
    ids.push_back(events[i].id);
  }
  end_run();
}

SequenceComparison compare_sequences(const std::vector<TorchEvent>& trace,
                                     const std::vector<TorchEvent>& predicted) {
  const auto [real, ours] =
      std::mismatch(trace.begin(), trace.end(), predicted.begin(), predicted.end());
  SequenceComparison comparison;
  comparison.agreeing = static_cast<std::size_t>(real - trace.begin());
  const bool trace_ends = real == trace.end();
  const bool memsim_ends = ours == predicted.end();
  if (trace_ends && memsim_ends) return comparison;
  comparison.parting = fmt::format(
      "{}: event {}{}: the trace {}, memsim {}", trace_ends ? trace.back().line : real->line,
      comparison.agreeing + 1, after_marker(trace, comparison.agreeing),
      trace_ends ? "ends" : describe(*real), memsim_ends ? "ends" : describe(*ours));
  return comparison;
}

}  // namespace memsim::validate
