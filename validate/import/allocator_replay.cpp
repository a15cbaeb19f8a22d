#include "validate/import/allocator_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "scenarios/replay/recorded_streams.hpp"
#include "sim/core/check.hpp"
#include "validate/import/allocator_log.hpp"

namespace memsim::validate {
namespace {

constexpr sim::Bytes initial_capacity(std::int64_t{80} << 30);

class EventList final : public sim::AllocatorObserver {
 public:
  void on_event(const sim::AllocatorEvent& event) override { events.push_back(event); }
  std::vector<sim::AllocatorEvent> events;
};

}  // namespace

class AllocatorReplay::State {
 public:
  State() { allocator_->set_observer(&told_); }

  sim::Result<void> run(const AllocatorTrace& trace, const TraceOp& op, std::string& out);
  void finish(std::string& out) const;

  [[nodiscard]] std::int64_t operations() const { return operations_; }
  [[nodiscard]] const sim::TorchAllocator& allocator() const { return *allocator_; }

 private:
  // What an operation answers: an address, a word; and the message of an out-of-memory or error.
  struct Answer {
    std::optional<std::uint64_t> address;
    std::string_view word = "-";
    std::string message;
  };

  Answer allocate(const TraceOp& op);
  Answer run(const AllocatorTrace& trace, const TraceOp& op);
  static Answer refused(const sim::Result<void>& result);
  sim::Result<void> begin_pool(sim::TorchPoolId id, sim::StreamId stream);
  sim::Result<void> end_pool(sim::TorchPoolId id);
  void change_memory(const TraceOp& op);
  void change_device(const TraceOp& op);
  void append_line(const TraceOp& op, const Answer& answer, std::string& out);
  sim::AllocationId& live(std::uint32_t allocation);

  sim::DeviceMemory memory_{initial_capacity};
  sim::Driver driver_{memory_};
  scenarios::RecordedStreams events_;
  EventList told_;
  std::unique_ptr<sim::TorchAllocator> allocator_ = sim::make_torch_allocator(driver_, events_);
  std::vector<sim::AllocationId> live_;  // by TraceOp::allocation; null_allocation = not live
  sim::DriverWork work_;
  bool stale_ = false;
  int open_pools_ = 0;
  std::int64_t operations_ = 0;
};

sim::AllocationId& AllocatorReplay::State::live(std::uint32_t allocation) {
  if (allocation >= live_.size())
    live_.resize(std::max<std::size_t>(allocation + std::size_t{1}, 2 * live_.size()),
                 sim::null_allocation);
  return live_[allocation];
}

sim::Result<void> AllocatorReplay::State::run(const AllocatorTrace& trace, const TraceOp& op,
                                              std::string& out) {
  ++operations_;
  told_.events.clear();
  if (op.verb == TraceVerb::alloc && live(op.allocation) != sim::null_allocation)
    return sim::fail("an id is allocated again while it is live");
  if (op.verb == TraceVerb::empty_cache && open_pools_ > 0)
    return sim::fail("the cache is emptied while a private pool takes requests");
  append_line(op, run(trace, op), out);
  if (op.verb == TraceVerb::snapshot) append_snapshot(out, *allocator_, stale_);
  if (op.verb == TraceVerb::stats) append_statistics(out, *allocator_, memory_);
  return {};
}

AllocatorReplay::State::Answer AllocatorReplay::State::run(const AllocatorTrace& trace,
                                                           const TraceOp& op) {
  const auto kept = static_cast<std::size_t>(op.amount);
  switch (op.verb) {
    case TraceVerb::alloc:
      return allocate(op);
    case TraceVerb::config:
      return refused(allocator_->configure(trace.options[kept]));
    case TraceVerb::pool_begin:
      return refused(begin_pool(trace.pools[kept], op.stream));
    case TraceVerb::pool_end:
      return refused(end_pool(trace.pools[kept]));
    case TraceVerb::pool_release:
      return refused(allocator_->release_pool(trace.pools[kept]));
    case TraceVerb::fraction:
      allocator_->set_memory_fraction(trace.fractions[kept]);
      break;
    default:
      change_memory(op);
  }
  return {};
}

AllocatorReplay::State::Answer AllocatorReplay::State::refused(const sim::Result<void>& result) {
  if (result) return {};
  return {.address = std::nullopt, .word = "ERR", .message = result.error().message};
}

sim::Result<void> AllocatorReplay::State::begin_pool(sim::TorchPoolId id, sim::StreamId stream) {
  return allocator_->begin_pool(id, stream).map([&] { ++open_pools_; });
}

sim::Result<void> AllocatorReplay::State::end_pool(sim::TorchPoolId id) {
  return allocator_->end_pool(id).map([&] { --open_pools_; });
}

AllocatorReplay::State::Answer AllocatorReplay::State::allocate(const TraceOp& op) {
  const auto made = allocator_->allocate(sim::Bytes(op.amount), op.stream, work_);
  if (!made) return {.address = std::nullopt, .word = "OOM", .message = made.error().message};
  live(op.allocation) = *made;
  return {.address = allocator_->address(*made), .word = "", .message = ""};
}

void AllocatorReplay::State::change_memory(const TraceOp& op) {
  switch (op.verb) {
    case TraceVerb::free:
      allocator_->free(std::exchange(live(op.allocation), sim::null_allocation), work_);
      break;
    case TraceVerb::record:
      allocator_->record_stream(live(op.allocation), op.stream);
      break;
    case TraceVerb::complete:
      events_.complete(op.stream);
      break;
    case TraceVerb::empty_cache:
      allocator_->empty_cache(work_);
      break;
    case TraceVerb::reset_peak:
      allocator_->reset_peak();
      break;
    case TraceVerb::reset_accumulated:
      allocator_->reset_accumulated();
      break;
    case TraceVerb::snapshot:
    case TraceVerb::stats:
      break;
    default:
      change_device(op);
  }
}

void AllocatorReplay::State::change_device(const TraceOp& op) {
  switch (op.verb) {
    case TraceVerb::capacity:
      memory_.set_capacity(sim::Bytes(op.amount));
      break;
    case TraceVerb::external:
      memory_.set_external(sim::Bytes(op.amount));
      break;
    case TraceVerb::events:
      events_.set_manual(op.amount != 0);
      break;
    case TraceVerb::nvml:
      driver_.report_processes(op.amount != 0);
      break;
    case TraceVerb::stale:
      stale_ = op.amount != 0;
      break;
    default:
      MEMSIM_CHECK(false, "an operation that nobody runs");
  }
}

void AllocatorReplay::State::append_line(const TraceOp& op, const Answer& answer,
                                         std::string& out) {
  append_decimal(out, operations_);
  (out += ' ').append(name(op.verb));
  if (answer.address) {
    append_hex(out += ' ', *answer.address);
  } else {
    (out += ' ').append(answer.word);
  }
  append_usage(out, *allocator_);
  append_events(out, told_.events);
  out += '\n';
  if (!answer.message.empty()) (out += "  msg ").append(answer.message) += '\n';
}

void AllocatorReplay::State::finish(std::string& out) const {
  out += "END\n";
  append_statistics(out, *allocator_, memory_);
  append_snapshot(out, *allocator_, stale_);
}

AllocatorReplay::AllocatorReplay() : state_(std::make_unique<State>()) {}
AllocatorReplay::~AllocatorReplay() = default;

sim::Result<void> AllocatorReplay::run(const AllocatorTrace& trace, const TraceOp& op,
                                       std::string& out) {
  return state_->run(trace, op, out);
}
void AllocatorReplay::finish(std::string& out) const { state_->finish(out); }
std::int64_t AllocatorReplay::operations() const { return state_->operations(); }
const sim::TorchAllocator& AllocatorReplay::allocator() const { return state_->allocator(); }

tl::expected<std::string, ReplayFault> replay_trace(const AllocatorTrace& trace) {
  AllocatorReplay replay;
  std::string out;
  for (const TraceOp& op : trace.ops) {
    if (const auto ran = replay.run(trace, op, out); !ran)
      return tl::unexpected(ReplayFault{op.line, ran.error().message});
  }
  replay.finish(out);
  return out;
}

}  // namespace memsim::validate
