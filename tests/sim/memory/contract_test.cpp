// What every allocator promises, checked on every registered one, with several options.
#include <rapidcheck/catch.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/memory/allocators.hpp"
#include "sim/memory/paged_allocator.hpp"
#include "tests/sim/memory/stream_events.hpp"
#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

struct Variant {
  std::string name;
  std::string options;

  // An expandable segment keeps what was mapped before the device was full.
  [[nodiscard]] bool grows_when_it_fails() const { return options.starts_with("expandable"); }
  // Has its memory from the start to the end.
  [[nodiscard]] bool has_a_pool() const { return name == "paged"; }
  // Emptying its cache does not wait for streams.
  [[nodiscard]] bool empties_without_waiting() const { return name == "pinned"; }
  // Memory of the host: what a stream does to it is told by record_stream alone.
  [[nodiscard]] bool has_no_stream() const { return name == "pinned"; }
};

// Every allocator, and those with options with several of them.
std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const AllocatorKind& kind : allocator_kinds()) all.push_back({std::string(kind.name), ""});
  for (const char* options :
       {"expandable_segments:True", "max_split_size_mb:21,max_non_split_rounding_mb:24",
        "roundup_power2_divisions:[1:4,8:8,>:2]", "expandable_segments:True,max_split_size_mb:22"})
    all.push_back({"torch", options});
  for (const auto& [name, options] : std::vector<std::pair<const char*, const char*>>{
           {"async", "growth_mb:2,release_threshold_mb:8"},
           {"best_fit", "segment_mb:16"},
           {"buddy", "segment_mb:4"},
           {"bump", "segment_mb:4"},
           {"paged", "block_kb:2048,blocks:32"},
           {"pinned", "max_round_threshold_mb:1,max_cached_size_mb:8"}})
    all.push_back({name, options});
  return all;
}

struct Range {
  std::uint64_t begin;
  std::uint64_t end;
};

// An allocator, and the naive account of what it handed out: addresses, size, requested, and which
// streams may still be using what was given back.
class Subject {
 public:
  Subject(Variant variant, Bytes capacity)
      : variant_(std::move(variant)), memory_(capacity), driver_(memory_) {
    auto made = make_allocator(variant_.name, driver_, events_, variant_.options);
    RC_ASSERT(made.has_value());
    allocator_ = *std::move(made);
    paged_ = dynamic_cast<const PagedAllocator*>(allocator_.get());
    pool_ = allocator_->usage().reserved;
    RC_ASSERT((pool_ > 0_B) == variant_.has_a_pool());
  }

  void allocate(std::int64_t size, std::uint32_t stream) {
    const AllocatorUsage before = allocator_->usage();
    const auto made = allocator_->allocate(Bytes(size), StreamId{stream}, work_);
    note_wait();
    if (!made) {
      check_out_of_memory(made.error(), size, before);
    } else if (size == 0) {
      RC_ASSERT(*made == null_allocation);
      RC_ASSERT(allocator_->block_size(*made) == 0_B);
      RC_ASSERT(allocator_->address(*made) == 0U);
    } else {
      add(*made, size, StreamId{stream});
    }
    check();
  }

  void free_one(std::size_t choice) {
    if (order_.empty()) return;
    const std::size_t at = choice % order_.size();
    const AllocationId id = order_[at];
    order_[at] = order_.back();
    order_.pop_back();
    const Live& live = ids_.at(id);
    for (const Range& range : live.ranges) {
      ranges_.erase(range.begin);
      for (const StreamId stream : live.streams)
        in_use_.push_back({range, stream, events_.record(stream)});
    }
    requested_ -= live.requested;
    allocated_ -= live.size;
    ids_.erase(id);
    allocator_->free(id, work_);
    note_wait();
    check();
  }

  void record_one(std::size_t choice, std::uint32_t stream) {
    if (!order_.empty()) {
      const AllocationId id = order_[choice % order_.size()];
      allocator_->record_stream(id, StreamId{stream});
      ids_.at(id).streams.insert(StreamId{stream});
    }
    check();
  }
  void complete(std::uint32_t stream) { events_.complete(StreamId{stream}); }
  void empty_cache() {
    allocator_->empty_cache(work_);
    note_wait();
    check();
  }
  void synchronize() {
    complete_all();
    allocator_->synchronized(work_);
    check();
  }
  void use_manual_events() { events_.manual = true; }

  // After everything is freed and the cache is empty, the device has all its memory back.
  void return_all() {
    while (!order_.empty()) free_one(0);
    if (variant_.empties_without_waiting()) complete_all();
    empty_cache();
    RC_ASSERT(allocator_->usage().allocated == 0_B);
    RC_ASSERT(allocator_->usage().reserved == pool_);
    RC_ASSERT(memory_.used() == pool_);
  }

  Allocator& allocator() { return *allocator_; }
  std::size_t live() const { return order_.size(); }
  std::uint64_t digest() const {
    Digest digest;
    allocator_->add_state(digest);
    return digest.value();
  }

 private:
  struct Live {
    std::vector<Range> ranges;
    std::int64_t size;
    std::int64_t requested;
    std::set<StreamId> streams;
  };
  struct Use {
    Range range;
    StreamId stream;
    std::uint64_t event;
  };

  // One range of addresses, or those of the blocks of a request.
  std::vector<Range> ranges_of(AllocationId id) const {
    const auto size = static_cast<std::uint64_t>(allocator_->block_size(id).value());
    const std::uint64_t address = allocator_->address(id);
    if (paged_ == nullptr) return {{address, address + size}};
    std::vector<Range> ranges;
    std::uint64_t sum = 0;
    for (const BlockRun& run : paged_->blocks(id)) {
      const std::int64_t lowest = std::min(run.first, run.first + run.step * (run.count - 1));
      RC_ASSERT(lowest > 0);  // not the null block
      const auto span = static_cast<std::uint64_t>((paged_->bytes_per_block() * run.count).value());
      const std::uint64_t begin = paged_->address_of_block(lowest);
      ranges.push_back({begin, begin + span});
      sum += span;
    }
    RC_ASSERT(sum == size);
    RC_ASSERT(address == paged_->address_of_block(paged_->blocks(id).front().first));
    return ranges;
  }

  void add(AllocationId id, std::int64_t requested, StreamId stream) {
    const std::int64_t size = allocator_->block_size(id).value();
    RC_ASSERT(size >= requested);
    RC_ASSERT(ids_.count(id) == 0U);
    Live live{ranges_of(id), size, requested, {}};
    if (!variant_.has_no_stream()) live.streams.insert(stream);
    for (const Range& range : live.ranges) add(range, stream);
    ids_[id] = std::move(live);
    order_.push_back(id);
    requested_ += requested;
    allocated_ += size;
  }

  void add(const Range& range, StreamId stream) {
    RC_ASSERT(range.begin % 256 == 0U);  // what cudaMalloc promises
    // It overlaps neither the live range above nor the one below.
    const auto above = ranges_.lower_bound(range.begin);
    if (above != ranges_.end()) RC_ASSERT(range.end <= above->first);
    if (above != ranges_.begin()) RC_ASSERT(std::prev(above)->second <= range.begin);
    ranges_[range.begin] = range.end;
    // No other stream may still be using it.
    for (const Use& use : in_use_) {
      if (use.range.begin >= range.end || range.begin >= use.range.end) continue;
      RC_ASSERT((use.stream == stream && !variant_.has_no_stream()) ||
                events_.done(use.stream, use.event));
    }
  }

  // A call that waited for the device ended all that streams were doing.
  void note_wait() {
    if (std::exchange(work_.synchronized, false)) complete_all();
    std::erase_if(in_use_, [&](const Use& use) { return events_.done(use.stream, use.event); });
  }
  void complete_all() {
    for (const std::uint32_t stream : {0U, 1U, 2U}) complete(stream);
  }

  void check_out_of_memory(const OutOfMemory& cause, std::int64_t size,
                           const AllocatorUsage& before) const {
    const AllocatorUsage after = allocator_->usage();
    RC_ASSERT(cause.requested == Bytes(size));
    RC_ASSERT(cause.capacity == memory_.capacity());
    RC_ASSERT(cause.free == memory_.free());
    RC_ASSERT(cause.allocated == after.allocated);
    RC_ASSERT(cause.reserved == after.reserved);
    RC_ASSERT(!cause.message.empty());
    RC_ASSERT(after.allocated == before.allocated);
    RC_ASSERT(variant_.grows_when_it_fails() || after.reserved <= before.reserved);
  }

  void check() const {
    const AllocatorUsage usage = allocator_->usage();
    RC_ASSERT(usage.allocated == Bytes(allocated_));
    RC_ASSERT(usage.requested >= Bytes(requested_));  // pending frees still count
    RC_ASSERT(usage.allocated <= usage.reserved);
    RC_ASSERT(usage.reserved <= memory_.used());
    RC_ASSERT(memory_.used() <= memory_.capacity());
    for (const auto& [id, live] : ids_) {
      const std::vector<Range> ranges = ranges_of(id);
      RC_ASSERT(std::ranges::equal(ranges, live.ranges, {}, &Range::begin, &Range::begin));
      RC_ASSERT(allocator_->block_size(id) == Bytes(live.size));
    }
    allocator_->check_invariants();
  }

  Variant variant_;
  DeviceMemory memory_;
  Driver driver_;
  TestEvents events_;
  DriverWork work_;
  std::unique_ptr<Allocator> allocator_;
  const PagedAllocator* paged_ = nullptr;  // if its allocations are not single ranges
  Bytes pool_;
  std::map<std::uint64_t, std::uint64_t> ranges_;  // live: begin to end
  std::map<AllocationId, Live> ids_;
  std::vector<AllocationId> order_;
  std::vector<Use> in_use_;  // given back, perhaps still being used
  std::int64_t requested_ = 0;
  std::int64_t allocated_ = 0;
};

// A size of any magnitude up to 32 MiB, 0 included.
std::int64_t size_of(std::uint32_t step) {
  const std::uint32_t magnitude = step % 26;
  return static_cast<std::int64_t>(step / 26 % (1U << magnitude));
}

std::vector<std::uint32_t> any_steps() {
  return *rc::gen::scale(
      6, rc::gen::container<std::vector<std::uint32_t>>(rc::gen::arbitrary<std::uint32_t>()));
}

void walk(Subject& subject, const std::vector<std::uint32_t>& steps) {
  for (const std::uint32_t step : steps) {
    const std::uint32_t rest = step / 16;
    switch (step % 16) {
      case 0:
        subject.empty_cache();
        break;
      case 1:
        subject.complete(rest % 3);
        break;
      case 2:
        subject.synchronize();
        break;
      case 3:
      case 4:
        subject.record_one(rest / 3, rest % 3);
        break;
      case 5:
      case 6:
      case 7:
      case 8:
        subject.free_one(rest);
        break;
      default:
        subject.allocate(size_of(rest), rest % 3);
        break;
    }
  }
}

}  // namespace

TEST_CASE("every allocator keeps its promises on any sequence of calls") {
  for (const Variant& variant : variants()) {
    for (const bool manual : {false, true}) {
      const std::string mode = manual ? ", events on demand" : ", events at once";
      rc::prop(variant.name + variant.options + mode, [&] {
        Subject subject(variant, 96_MiB);
        if (manual) subject.use_manual_events();
        walk(subject, any_steps());
        subject.return_all();
      });
    }
  }
}

TEST_CASE("every allocator serves the same calls from the same state in the same way") {
  for (const Variant& variant : variants()) {
    rc::prop(variant.name + variant.options, [&] {
      const auto steps = any_steps();
      Subject first(variant, 96_MiB);
      Subject second(variant, 96_MiB);
      RC_ASSERT(first.digest() == second.digest());
      walk(first, steps);
      walk(second, steps);
      RC_ASSERT(first.digest() == second.digest());
      const std::uint64_t before = first.digest();
      const std::size_t live = first.live();
      first.allocate(1000, 0);
      second.allocate(1000, 0);
      RC_ASSERT(first.digest() == second.digest());
      if (first.live() > live) RC_ASSERT(first.digest() != before);
    });
  }
}

TEST_CASE("every allocator runs out of memory as an answer, not as an error") {
  for (const Variant& variant : variants()) {
    INFO(variant.name + variant.options);
    Subject subject(variant, 64_MiB);
    subject.allocate(40 << 20, 0);
    REQUIRE(subject.live() == 1);
    subject.allocate(30 << 20, 0);
    subject.allocate(std::int64_t{1} << 60, 0);
    subject.allocate(Bytes::max().value(), 0);
    CHECK(subject.live() == 1);
    subject.free_one(0);
    subject.allocate(50 << 20, 0);
    CHECK(subject.live() == 1);
  }
}

TEST_CASE("every allocator refuses calls that break its contract") {
  for (const Variant& variant : variants()) {
    INFO(variant.name + variant.options);
    Subject subject(variant, 64_MiB);
    Allocator& allocator = subject.allocator();
    DriverWork work;
    CHECK_THROWS_AS(allocator.allocate(Bytes(-1), StreamId{0}, work), InternalError);
    const auto made = allocator.allocate(4096_B, StreamId{0}, work);
    REQUIRE(made);
    allocator.free(*made, work);
    CHECK_THROWS_AS(allocator.free(*made, work), InternalError);
    CHECK_THROWS_AS(allocator.block_size(*made), InternalError);
    CHECK_THROWS_AS(allocator.address(*made), InternalError);
    CHECK_THROWS_AS(allocator.record_stream(*made, StreamId{1}), InternalError);
    CHECK_THROWS_AS(allocator.free(AllocationId{12345}, work), InternalError);
    allocator.free(null_allocation, work);
    allocator.record_stream(null_allocation, StreamId{1});
    allocator.check_invariants();
  }
}

TEST_CASE("every allocator has a name, a sentence of help and refuses unknown options") {
  DeviceMemory memory(64_MiB);
  Driver driver(memory);
  TestEvents events;
  std::string_view previous;
  for (const AllocatorKind& kind : allocator_kinds()) {
    INFO(kind.name);
    CHECK(kind.name > previous);
    previous = kind.name;
    CHECK(kind.help.ends_with('.'));
    CHECK(make_allocator(kind.name, driver, events, "").has_value());
    const auto refused = make_allocator(kind.name, driver, events, "no_such_option:1");
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message, Catch::Contains("no_such_option"));
  }
  const auto unknown = make_allocator("slab", driver, events, "");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message ==
        "no allocator 'slab'; there are: async, best_fit, buddy, bump, driver, paged, pinned, "
        "torch");
}

}  // namespace memsim::sim
