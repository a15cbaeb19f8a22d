#include "validate/import/allocator_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

namespace memsim::validate {
namespace {

using sim::AllocatorAction;
using sim::AllocatorEvent;
using sim::TorchMeasure;
using sim::TorchPool;

void append_stat(std::string& out, const sim::TorchStat& stat) {
  fmt::format_to(std::back_inserter(out), " current={} peak={} allocated={} freed={}\n",
                 stat.current, stat.peak, stat.allocated, stat.freed);
}

void append_block(std::string& out, const sim::TorchBlock& block, bool stale) {
  const bool told = stale || block.state != sim::TorchBlock::State::inactive;
  fmt::format_to(std::back_inserter(out), "    B {:x} {} {} {}\n", block.address,
                 block.size.value(), told ? std::to_string(block.requested.value()) : "-",
                 sim::name(block.state));
}

}  // namespace

void append_decimal(std::string& out, std::int64_t number) {
  std::array<char, 20> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), static_cast<std::size_t>(written.ptr - digits.data()));
}

void append_hex(std::string& out, std::uint64_t number) {
  std::array<char, 16> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16);
  out.append(digits.data(), static_cast<std::size_t>(written.ptr - digits.data()));
}

void append_usage(std::string& out, const sim::TorchAllocator& allocator) {
  for (const TorchMeasure measure :
       {TorchMeasure::allocated_bytes, TorchMeasure::reserved_bytes, TorchMeasure::active_bytes,
        TorchMeasure::inactive_split_bytes, TorchMeasure::requested_bytes, TorchMeasure::segment}) {
    append_decimal(out += ' ', allocator.current(measure));
  }
  append_decimal(out += ' ', allocator.calls().alloc_retries);
  append_decimal(out += ' ', allocator.calls().ooms);
}

void append_events(std::string& out, std::vector<AllocatorEvent>& events) {
  std::erase_if(events, [](const AllocatorEvent& event) {
    return event.action == AllocatorAction::alloc ||
           event.action == AllocatorAction::free_requested;
  });
  const auto completed = [](const AllocatorEvent& event) {
    return event.action == AllocatorAction::free_completed;
  };
  for (auto first = events.begin(); first != events.end();) {
    const auto last = std::find_if_not(first, events.end(), completed);
    std::sort(first, last, [](const AllocatorEvent& a, const AllocatorEvent& b) {
      return a.address < b.address;
    });
    first = std::find_if(last, events.end(), completed);
  }
  for (const AllocatorEvent& event : events) {
    (out += ' ').append(sim::name(event.action));
    append_hex(out += ':', event.address);
    append_decimal(out += ':', event.size.value());
    append_decimal(out += ':', static_cast<std::int64_t>(event.stream));
  }
}

void append_snapshot(std::string& out, const sim::TorchAllocator& allocator, bool stale) {
  for (const sim::TorchSegment& segment : allocator.snapshot()) {
    fmt::format_to(
        std::back_inserter(out),
        "  S {:x} {} {}{} stream={} pool={},{} allocated={} active={} requested={}\n",
        segment.address, segment.size.value(), segment.pool == TorchPool::small ? "small" : "large",
        segment.expandable ? ",expandable" : "", static_cast<std::uint32_t>(segment.stream),
        segment.owner.first, segment.owner.second, segment.allocated.value(),
        segment.active.value(), segment.requested.value());
    for (const sim::TorchBlock& block : segment.blocks) append_block(out, block, stale);
  }
}

void append_statistics(std::string& out, const sim::TorchAllocator& allocator,
                       const sim::DeviceMemory& memory) {
  const sim::TorchStatistics all = allocator.statistics();
  for (std::size_t measure = 0; measure < sim::torch_measure_count; ++measure) {
    for (std::size_t pool = 0; pool < sim::torch_pool_count; ++pool) {
      fmt::format_to(std::back_inserter(out), "  {}.{}",
                     sim::name(static_cast<TorchMeasure>(measure)),
                     sim::name(static_cast<TorchPool>(pool)));
      append_stat(out, all.measures[measure][pool]);
    }
  }
  append_stat(out += "  oversize_allocations", all.oversize_allocations);
  append_stat(out += "  oversize_segments", all.oversize_segments);
  fmt::format_to(std::back_inserter(out),
                 "  num_alloc_retries={} num_ooms={} num_sync_all_streams={} num_device_alloc={} "
                 "num_device_free={} max_split_size={}\n"
                 "  device_total={} device_free={}\n",
                 all.calls.alloc_retries, all.calls.ooms, all.calls.sync_all_streams,
                 all.calls.device_allocs, all.calls.device_frees, all.max_split_size,
                 memory.capacity().value(), memory.free().value());
}

}  // namespace memsim::validate
