// What every allocator promises, checked on every registered one, with several options.
#include <rapidcheck/catch.h>

#include <map>
#include <string>
#include <vector>

#include "sim/memory/allocators.hpp"
#include "tests/sim/memory/stream_events.hpp"
#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

struct Variant {
  std::string name;
  std::string options;
};

// Every allocator, and those with options with several of them.
std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const AllocatorKind& kind : allocator_kinds()) all.push_back({std::string(kind.name), ""});
  for (const char* options :
       {"expandable_segments:True", "max_split_size_mb:21,max_non_split_rounding_mb:24",
        "roundup_power2_divisions:[1:4,8:8,>:2]", "expandable_segments:True,max_split_size_mb:22"})
    all.push_back({"torch", options});
  return all;
}

// An allocator, and the naive account of what it handed out: address, size, requested.
class Subject {
 public:
  Subject(const Variant& variant, Bytes capacity)
      : memory_(capacity),
        driver_(memory_),
        grows_when_it_fails_(variant.options.starts_with("expandable")) {
    auto made = make_allocator(variant.name, driver_, events_, variant.options);
    RC_ASSERT(made.has_value());
    allocator_ = *std::move(made);
  }

  void allocate(std::int64_t size, std::uint32_t stream) {
    const AllocatorUsage before = allocator_->usage();
    const auto made = allocator_->allocate(Bytes(size), StreamId{stream}, work_);
    if (!made) {
      check_out_of_memory(made.error(), size, before);
    } else if (size == 0) {
      RC_ASSERT(*made == null_allocation);
      RC_ASSERT(allocator_->block_size(*made) == 0_B);
      RC_ASSERT(allocator_->address(*made) == 0U);
    } else {
      add(*made, size);
    }
    check();
  }

  void free_one(std::size_t choice) {
    if (order_.empty()) return;
    const std::size_t at = choice % order_.size();
    const AllocationId id = order_[at];
    order_[at] = order_.back();
    order_.pop_back();
    allocator_->free(id, work_);
    ranges_.erase(ids_.at(id).address);
    requested_ -= ids_.at(id).requested;
    allocated_ -= ids_.at(id).size;
    ids_.erase(id);
    check();
  }

  void record_one(std::size_t choice, std::uint32_t stream) {
    if (!order_.empty())
      allocator_->record_stream(order_[choice % order_.size()], StreamId{stream});
    check();
  }
  void complete(std::uint32_t stream) { events_.complete(StreamId{stream}); }
  void empty_cache() {
    allocator_->empty_cache(work_);
    check();
  }
  void use_manual_events() { events_.manual = true; }

  // After everything is freed and the cache is empty, the device has all its memory back.
  void return_all() {
    while (!order_.empty()) free_one(0);
    empty_cache();
    RC_ASSERT(allocator_->usage().allocated == 0_B);
    RC_ASSERT(allocator_->usage().reserved == 0_B);
    RC_ASSERT(memory_.used() == 0_B);
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
    std::uint64_t address;
    std::int64_t size;
    std::int64_t requested;
  };

  void add(AllocationId id, std::int64_t requested) {
    const std::uint64_t address = allocator_->address(id);
    const std::int64_t size = allocator_->block_size(id).value();
    RC_ASSERT(size >= requested);
    RC_ASSERT(ids_.count(id) == 0U);
    // It overlaps neither the live range above nor the one below.
    const auto above = ranges_.lower_bound(address);
    if (above != ranges_.end())
      RC_ASSERT(address + static_cast<std::uint64_t>(size) <= above->first);
    if (above != ranges_.begin()) RC_ASSERT(std::prev(above)->second <= address);
    ranges_[address] = address + static_cast<std::uint64_t>(size);
    ids_[id] = {address, size, requested};
    order_.push_back(id);
    requested_ += requested;
    allocated_ += size;
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
    // An expandable segment keeps what was mapped before the device was full.
    RC_ASSERT(grows_when_it_fails_ || after.reserved <= before.reserved);
  }

  void check() const {
    const AllocatorUsage usage = allocator_->usage();
    RC_ASSERT(usage.allocated == Bytes(allocated_));
    RC_ASSERT(usage.requested >= Bytes(requested_));  // pending frees still count
    RC_ASSERT(usage.allocated <= usage.reserved);
    RC_ASSERT(usage.reserved <= memory_.used());
    RC_ASSERT(memory_.used() <= memory_.capacity());
    for (const auto& [id, live] : ids_) {
      RC_ASSERT(allocator_->address(id) == live.address);
      RC_ASSERT(allocator_->block_size(id) == Bytes(live.size));
    }
    allocator_->check_invariants();
  }

  DeviceMemory memory_;
  Driver driver_;
  bool grows_when_it_fails_;
  TestEvents events_;
  DriverWork work_;
  std::unique_ptr<Allocator> allocator_;
  std::map<std::uint64_t, std::uint64_t> ranges_;  // live: begin to end
  std::map<AllocationId, Live> ids_;
  std::vector<AllocationId> order_;
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
      case 3:
        subject.record_one(rest / 3, rest % 3);
        break;
      case 4:
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
    subject.allocate(60 << 20, 0);
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
  CHECK(unknown.error().message == "no allocator 'slab'; there are: driver, torch");
}

}  // namespace memsim::sim
