#include "scenarios/replay/replay.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "scenarios/replay/recorded_streams.hpp"
#include "sim/core/check.hpp"
#include "sim/memory/allocators.hpp"
#include "sim/memory/device_memory.hpp"
#include "sim/memory/driver.hpp"

namespace memsim::scenarios {
namespace {

using sim::Bytes;

class Replayer {
 public:
  Replayer(const MemoryTrace& trace, const models::AllocatorSpec& spec, Bytes capacity)
      : trace_(trace),
        memory_(capacity),
        driver_(memory_),
        live_(trace.allocations, sim::null_allocation) {
    streams_.set_manual(!trace.streams_end_at_once);
    auto made = sim::make_allocator(spec.kind, driver_, streams_, spec.options);
    MEMSIM_CHECK(made.has_value(), "a replay on an allocator that is not there");
    allocator_ = *std::move(made);
    result_.allocator = spec;
  }

  ReplayRun run() {
    const std::int64_t count = static_cast<std::int64_t>(trace_.ops.size());
    const std::int64_t stretch =
        std::max<std::int64_t>(1, sim::ceil_div(count, static_cast<std::int64_t>(timeline_points)));
    for (; operation_ < count; ++operation_) {
      if (operation_ % stretch == 0) result_.timeline.emplace_back();
      run(trace_.ops[static_cast<std::size_t>(operation_)]);
      look();
    }
    result_.end = {count, allocator_->usage()};
    return std::move(result_);
  }

 private:
  void run(const MemoryOp& op) {
    switch (op.kind) {
      case MemoryOp::Kind::allocate:
        return allocate(op);
      case MemoryOp::Kind::free:
        return allocator_->free(std::exchange(live_[op.allocation], sim::null_allocation),
                                result_.work);
      case MemoryOp::Kind::use:
        return allocator_->record_stream(live_[op.allocation], op.stream);
      case MemoryOp::Kind::stream_done:
        return streams_.complete(op.stream);
      case MemoryOp::Kind::empty_cache:
        return allocator_->empty_cache(result_.work);
    }
  }

  void allocate(const MemoryOp& op) {
    const std::int64_t given_back = result_.work.frees + result_.work.unmaps;
    auto made = allocator_->allocate(op.bytes, op.stream, result_.work);
    if (result_.work.frees + result_.work.unmaps > given_back) ++result_.flushes;
    if (made) {
      live_[op.allocation] = *made;
      return;
    }
    ++result_.failures;
    if (!result_.first_failure)
      result_.first_failure = ReplayFailure{operation_ + 1, std::move(made.error())};
  }

  void look() {
    const ReplayMoment now{operation_ + 1, allocator_->usage()};
    result_.peak_requested = std::max(result_.peak_requested, now.usage.requested);
    result_.peak_allocated = std::max(result_.peak_allocated, now.usage.allocated);
    for (ReplayMoment* const highest : {&result_.peak, &result_.timeline.back()})
      if (highest->operation == 0 || now.usage.reserved > highest->usage.reserved) *highest = now;
  }

  const MemoryTrace& trace_;
  sim::DeviceMemory memory_;
  sim::Driver driver_;
  RecordedStreams streams_;
  std::unique_ptr<sim::Allocator> allocator_;
  std::vector<sim::AllocationId> live_;
  ReplayRun result_;
  std::int64_t operation_ = 0;
};

}  // namespace

ReplayRun replay(const MemoryTrace& trace, const models::AllocatorSpec& allocator, Bytes capacity) {
  return Replayer(trace, allocator, capacity).run();
}

}  // namespace memsim::scenarios
