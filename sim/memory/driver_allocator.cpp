#include "sim/memory/driver_allocator.hpp"

#include <cstddef>
#include <vector>

#include "sim/core/check.hpp"

namespace memsim::sim {
namespace {

class DriverAllocator final : public Allocator {
 public:
  explicit DriverAllocator(Driver& driver) : driver_(driver) {}

  ~DriverAllocator() override {
    for (const Live& live : live_) {
      if (live.used) driver_.free(live.region);
    }
  }
  DriverAllocator(const DriverAllocator&) = delete;
  DriverAllocator& operator=(const DriverAllocator&) = delete;

  tl::expected<AllocationId, OutOfMemory> allocate(Bytes requested, StreamId /*stream*/,
                                                   DriverWork& work) override {
    MEMSIM_CHECK(requested >= Bytes(0), "a request of negative size");
    if (requested == Bytes(0)) return null_allocation;
    const std::optional<Driver::Region> region = driver_.malloc(requested);
    if (!region) {
      ++work.failed_mallocs;
      return tl::unexpected(out_of_memory(requested));
    }
    ++work.mallocs;
    usage_.requested += requested;
    usage_.allocated += driver_.size(*region);
    usage_.reserved = usage_.allocated;
    return keep({.requested = requested, .region = *region, .used = true});
  }

  void free(AllocationId allocation, DriverWork& work) override {
    if (allocation == null_allocation) return;
    const Live& live = at(allocation);
    usage_.requested -= live.requested;
    usage_.allocated -= driver_.size(live.region);
    usage_.reserved = usage_.allocated;
    driver_.free(live.region);
    live_[static_cast<std::size_t>(allocation)].used = false;
    unused_.push_back(allocation);
    ++work.frees;
    work.synchronized = true;
  }

  void record_stream(AllocationId allocation, StreamId /*stream*/) override {
    if (allocation != null_allocation) static_cast<void>(at(allocation));
  }
  void empty_cache(DriverWork& /*work*/) override {}

  [[nodiscard]] Bytes block_size(AllocationId allocation) const override {
    return allocation == null_allocation ? Bytes(0) : driver_.size(at(allocation).region);
  }
  [[nodiscard]] std::uint64_t address(AllocationId allocation) const override {
    return allocation == null_allocation ? 0 : driver_.address(at(allocation).region);
  }
  [[nodiscard]] AllocatorUsage usage() const override { return usage_; }

  void add_state(Digest& digest) const override { driver_.add_state(digest); }

  void check_invariants() const override {
    driver_.check_invariants();
    AllocatorUsage sum;
    for (const Live& live : live_) {
      if (!live.used) continue;
      sum.requested += live.requested;
      sum.allocated += driver_.size(live.region);
    }
    MEMSIM_CHECK(sum.requested == usage_.requested && sum.allocated == usage_.allocated,
                 "live allocations do not add up to the usage");
    MEMSIM_CHECK(usage_.allocated <= driver_.memory().used(), "more in use than the device gave");
  }

 private:
  struct Live {
    Bytes requested;
    Driver::Region region{};
    bool used = false;
  };

  AllocationId keep(const Live& live) {
    if (unused_.empty()) {
      live_.push_back(live);
      return AllocationId{static_cast<std::uint32_t>(live_.size() - 1)};
    }
    const AllocationId id = unused_.back();
    unused_.pop_back();
    live_[static_cast<std::size_t>(id)] = live;
    return id;
  }

  [[nodiscard]] const Live& at(AllocationId allocation) const {
    const auto index = static_cast<std::size_t>(allocation);
    MEMSIM_CHECK(index < live_.size() && live_[index].used, "an allocation that is not live");
    return live_[index];
  }

  [[nodiscard]] OutOfMemory out_of_memory(Bytes requested) const {
    const DeviceMemory& memory = driver_.memory();
    return {.requested = requested,
            .segment = requested,
            .free = memory.free(),
            .capacity = memory.capacity(),
            .allocated = usage_.allocated,
            .reserved = usage_.reserved,
            .largest_free_block = Bytes(0),
            .message = "out of memory"};  // cudaGetErrorString(cudaErrorMemoryAllocation)
  }

  Driver& driver_;
  AllocatorUsage usage_;
  std::vector<Live> live_;
  std::vector<AllocationId> unused_;
};

}  // namespace

std::unique_ptr<Allocator> make_driver_allocator(Driver& driver) {
  return std::make_unique<DriverAllocator>(driver);
}

}  // namespace memsim::sim
