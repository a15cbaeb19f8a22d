#include "validate/import/recorded_memory.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "scenarios/schema/display.hpp"
#include "validate/import/pickle.hpp"
#include "validate/import/torch_snapshot.hpp"

namespace memsim::validate {
namespace {

using scenarios::MemoryOp;
using scenarios::MemoryTrace;

class Conversion {
 public:
  MemoryTrace run(const AllocatorTrace& trace) {
    for (const TraceOp& op : trace.ops) add(trace, op);
    if (capacity_) result_.capacity = sim::Bytes(*capacity_) - sim::Bytes(external_.value_or(0));
    return std::move(result_);
  }

 private:
  void add(const AllocatorTrace& trace, const TraceOp& op) {
    switch (op.verb) {
      case TraceVerb::alloc:
        return allocate(op);
      case TraceVerb::free:
        if (!is_live(op.allocation)) return leave_out("frees of what is not live");
        live_[op.allocation] = false;
        return push({MemoryOp::Kind::free, op.allocation, {}, {}});
      case TraceVerb::record:
        if (!is_live(op.allocation)) return leave_out("uses of what is not live");
        return push({MemoryOp::Kind::use, op.allocation, op.stream, {}});
      case TraceVerb::complete:
        return push({MemoryOp::Kind::stream_done, 0, op.stream, {}});
      case TraceVerb::empty_cache:
        return push({});
      case TraceVerb::capacity:
        return set_once(capacity_, op.amount, "changes of the capacity");
      case TraceVerb::external:
        return set_once(external_, op.amount, "changes of what others hold");
      case TraceVerb::config:
        return set_options(trace.options[static_cast<std::size_t>(op.amount)]);
      case TraceVerb::events:
        result_.streams_end_at_once = op.amount == 0;
        return;
      case TraceVerb::fraction:
        return leave_out("memory fractions");
      case TraceVerb::pool_begin:
      case TraceVerb::pool_end:
      case TraceVerb::pool_release:
        return leave_out("private pools");
      case TraceVerb::nvml:
      case TraceVerb::stale:
      case TraceVerb::reset_peak:
      case TraceVerb::reset_accumulated:
      case TraceVerb::snapshot:
      case TraceVerb::stats:
        return;  // they change what is told, not what happens
    }
  }

  void allocate(const TraceOp& op) {
    if (is_live(op.allocation)) return leave_out("allocations of what is live");
    if (op.allocation >= live_.size()) live_.resize(op.allocation + std::size_t{1}, false);
    live_[op.allocation] = true;
    result_.allocations = static_cast<std::uint32_t>(live_.size());
    push({MemoryOp::Kind::allocate, op.allocation, op.stream, sim::Bytes(op.amount)});
  }

  void push(const MemoryOp& op) { result_.ops.push_back(op); }
  void leave_out(const char* what) { ++result_.left_out[what]; }
  [[nodiscard]] bool is_live(std::uint32_t allocation) const {
    return allocation < live_.size() && live_[allocation];
  }

  void set_once(std::optional<std::int64_t>& value, std::int64_t amount, const char* later) {
    if (value) return leave_out(later);
    value = amount;
  }
  void set_options(const std::string& options) {
    if (has_options_) return leave_out("changes of options");
    has_options_ = true;
    result_.options = options;
  }

  MemoryTrace result_;
  std::vector<bool> live_;
  std::optional<std::int64_t> capacity_;
  std::optional<std::int64_t> external_;
  bool has_options_ = false;
};

}  // namespace

MemoryTrace memory_trace(const AllocatorTrace& trace) { return Conversion().run(trace); }

namespace {

void add_error(scenarios::Diagnostics& diagnostics, std::string message,
               scenarios::Location at = {}) {
  scenarios::Diagnostic diagnostic;
  diagnostic.code = "E113";
  diagnostic.location = at;
  diagnostic.message = std::move(message);
  diagnostics.add(std::move(diagnostic));
}

std::optional<RecordedMemory> read_snapshot(const std::string& name, std::string bytes,
                                            scenarios::Diagnostics& diagnostics) {
  auto trace = Pickle::read(std::move(bytes)).and_then(read_torch_snapshot);
  if (trace) return RecordedMemory{*std::move(trace), std::nullopt, nullptr};
  add_error(diagnostics, fmt::format("{}: {}", scenarios::printable(name),
                                     scenarios::printable(trace.error().message)));
  return std::nullopt;
}

}  // namespace

std::optional<RecordedMemory> read_recorded_memory(const std::string& name, std::string text,
                                                   scenarios::Sources& sources,
                                                   scenarios::Diagnostics& diagnostics) {
  if (is_pickle(text)) return read_snapshot(name, std::move(text), diagnostics);
  const scenarios::SourceFile& source =
      sources.add(name, std::move(text), scenarios::SourceRole::given);
  if (!is_allocator_trace(source.text())) {
    add_error(diagnostics, "this is no recording that memsim knows", {&source, {1, 1, 1}});
    return std::nullopt;
  }
  auto operations = read_allocator_trace(source, diagnostics);
  if (!operations) return std::nullopt;
  scenarios::MemoryTrace trace = memory_trace(*operations);
  return RecordedMemory{std::move(trace), std::move(operations), &source};
}

}  // namespace memsim::validate
