#include "validate/import/torch_snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace memsim::validate {
namespace {

using scenarios::MemoryOp;
using scenarios::MemoryTrace;
using Id = Pickle::Id;
using Type = Pickle::Type;

struct SnapshotEvent {
  bool allocates = false;  // else: the caller gives it back
  std::uint64_t address = 0;
  std::int64_t size = 0;
  std::int64_t stream = 0;
};

// Reads values of the types that they must have; the first that has not is kept as the error.
class SnapshotReader {
 public:
  explicit SnapshotReader(const Pickle& pickle) : pickle_(pickle) {}

  sim::Result<MemoryTrace> run() {
    const auto traces = pickle_.find(pickle_.root(), "device_traces");
    if (!traces || !is_sequence(*traces))
      return sim::fail("no history: expected a snapshot with `device_traces`");
    const std::vector<Id>& devices = pickle_.items(*traces);
    if (!std::ranges::all_of(devices, [&](Id device) { return is_sequence(device); }))
      return sim::fail("`device_traces` holds something else than lists of events");
    const auto length = [&](Id device) { return pickle_.items(device).size(); };
    const auto longest = std::ranges::max_element(devices, {}, length);
    if (longest == devices.end() || length(*longest) == 0)
      return sim::fail("the history is empty: was torch.cuda.memory._record_memory_history() on?");
    for (auto device = devices.begin(); device != devices.end(); ++device)
      if (device != longest)
        leave_out("events of other devices", static_cast<std::int64_t>(length(*device)));
    read_events(*longest);
    read_live_blocks(longest - devices.begin());
    read_options();
    if (!error_.empty()) return sim::fail(error_);
    convert();
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_sequence(Id value) const {
    return pickle_.type(value) == Type::list || pickle_.type(value) == Type::tuple;
  }
  void leave_out(const std::string& what, std::int64_t count) {
    if (count > 0) result_.left_out[what] += count;
  }

  std::int64_t integer(Id dict, std::string_view key, std::string_view where) {
    const auto value = pickle_.find(dict, key);
    if (value && pickle_.type(*value) == Type::integer) return pickle_.integer(*value);
    if (error_.empty()) error_ = fmt::format("{} has no integer `{}`", where, key);
    return 0;
  }
  std::string_view text(Id dict, std::string_view key) const {
    const auto value = pickle_.find(dict, key);
    return value && pickle_.type(*value) == Type::text ? pickle_.text(*value) : std::string_view();
  }

  void read_events(Id device) {
    const std::vector<Id>& entries = pickle_.items(device);
    events_.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size() && error_.empty(); ++i) {
      const std::string_view action = text(entries[i], "action");
      if (action.empty()) {
        error_ = fmt::format("event {} has no `action`", i);
      } else if (action == "oom") {
        leave_out("recorded out-of-memories", 1);
      } else if (action == "alloc" || action == "free_requested") {
        read_event(entries[i], action == "alloc", i);
      }
    }
  }

  void read_event(Id entry, bool allocates, std::size_t number) {
    const std::string where = fmt::format("event {}", number);
    const SnapshotEvent event{allocates, static_cast<std::uint64_t>(integer(entry, "addr", where)),
                              integer(entry, "size", where), integer(entry, "stream", where)};
    if (event.size < 0 && error_.empty()) error_ = fmt::format("{} has a negative size", where);
    events_.push_back(event);
  }

  // What is in use when the snapshot is taken, by address.
  void read_live_blocks(std::ptrdiff_t device) {
    const auto segments = pickle_.find(pickle_.root(), "segments");
    if (!segments || !is_sequence(*segments)) return;
    for (const Id segment : pickle_.items(*segments)) {
      const auto blocks = pickle_.find(segment, "blocks");
      if (!blocks || !is_sequence(*blocks)) continue;
      if (integer(segment, "device", "a segment") != device) continue;
      const std::int64_t stream = integer(segment, "stream", "a segment");
      for (const Id block : pickle_.items(*blocks)) {
        // Each block takes bytes of its own in a snapshot that anybody wrote.
        if (++blocks_seen_ > pickle_.size()) {
          error_ = "its segments share their blocks";
          return;
        }
        if (text(block, "state") != "active_allocated") continue;
        const auto requested = pickle_.find(block, "requested_size");
        const std::int64_t size = integer(block, requested ? "requested_size" : "size", "a block");
        const std::int64_t address = integer(block, "address", "a block");
        live_at_end_[static_cast<std::uint64_t>(address)] = {true, 0, size, stream};
      }
    }
  }

  void read_options() {
    const auto settings = pickle_.find(pickle_.root(), "allocator_settings");
    if (settings) result_.options = text(*settings, "PYTORCH_CUDA_ALLOC_CONF");
  }

  // Blocks that are given back, or in use at the end, without having been allocated.
  void allocate_earlier_blocks() {
    std::map<std::uint64_t, SnapshotEvent> earlier;
    std::map<std::uint64_t, bool> seen;
    for (const SnapshotEvent& event : events_) {
      const bool first = seen.emplace(event.address, true).second;
      if (first && !event.allocates) earlier.emplace(event.address, event);
    }
    for (const auto& [address, block] : live_at_end_)
      if (!seen.contains(address)) earlier.emplace(address, block);
    for (const auto& [address, block] : earlier) allocate(address, block);
  }

  void convert() {
    allocate_earlier_blocks();
    for (const SnapshotEvent& event : events_) {
      if (event.allocates) {
        if (live_.contains(event.address)) {
          free(event.address);
          leave_out("frees that the history lost", 1);
        }
        allocate(event.address, event);
      } else if (live_.contains(event.address)) {
        free(event.address);
      } else {
        leave_out("frees of what is not live", 1);
      }
    }
  }

  void allocate(std::uint64_t address, const SnapshotEvent& event) {
    result_.ops.push_back({MemoryOp::Kind::allocate, result_.allocations, stream(event.stream),
                           sim::Bytes(event.size)});
    live_[address] = result_.allocations++;
  }
  void free(std::uint64_t address) {
    const auto block = live_.find(address);
    result_.ops.push_back({MemoryOp::Kind::free, block->second, {}, {}});
    live_.erase(block);
  }

  sim::StreamId stream(std::int64_t handle) {
    if (handle == 0) return sim::StreamId{0};
    const auto next = static_cast<std::uint32_t>(streams_.size() + 1);
    return sim::StreamId{streams_.emplace(handle, next).first->second};
  }

  const Pickle& pickle_;
  std::string error_;
  std::vector<SnapshotEvent> events_;
  std::map<std::uint64_t, SnapshotEvent> live_at_end_;  // by address
  std::size_t blocks_seen_ = 0;
  std::map<std::uint64_t, std::uint32_t> live_;  // address to allocation
  std::map<std::int64_t, std::uint32_t> streams_;
  MemoryTrace result_;
};

}  // namespace

bool is_pickle(std::string_view head) {
  constexpr char protocol = '\x80';
  return head.size() >= 2 && head[0] == protocol && head[1] >= 2 && head[1] <= 5;
}

sim::Result<MemoryTrace> read_torch_snapshot(const Pickle& pickle) {
  return SnapshotReader(pickle).run();
}

}  // namespace memsim::validate
