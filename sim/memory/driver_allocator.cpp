#include "sim/memory/driver_allocator.hpp"

#include <optional>

#include "sim/core/check.hpp"
#include "sim/memory/live_allocations.hpp"

namespace memsim::sim {
namespace {

class DriverAllocator final : public Allocator {
 public:
  explicit DriverAllocator(Driver& driver) : driver_(driver) {}

  ~DriverAllocator() override {
    live_.visit([&](const Live& live) { driver_.free(live.region); });
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
    return live_.keep({.requested = requested, .region = *region});
  }

  void free(AllocationId allocation, DriverWork& work) override {
    if (allocation == null_allocation) return;
    const Live live = live_.take(allocation);
    usage_.requested -= live.requested;
    usage_.allocated -= driver_.size(live.region);
    usage_.reserved = usage_.allocated;
    driver_.free(live.region);
    ++work.frees;
    work.synchronized = true;
  }

  void record_stream(AllocationId allocation, StreamId /*stream*/) override {
    if (allocation != null_allocation) static_cast<void>(live_.at(allocation));
  }
  void empty_cache(DriverWork& /*work*/) override {}

  [[nodiscard]] Bytes block_size(AllocationId allocation) const override {
    return allocation == null_allocation ? Bytes(0) : driver_.size(live_.at(allocation).region);
  }
  [[nodiscard]] std::uint64_t address(AllocationId allocation) const override {
    return allocation == null_allocation ? 0 : driver_.address(live_.at(allocation).region);
  }
  [[nodiscard]] AllocatorUsage usage() const override { return usage_; }

  void add_state(Digest& digest) const override { driver_.add_state(digest); }

  void check_invariants() const override {
    driver_.check_invariants();
    AllocatorUsage sum;
    live_.visit([&](const Live& live) {
      sum.requested += live.requested;
      sum.allocated += driver_.size(live.region);
    });
    MEMSIM_CHECK(sum.requested == usage_.requested && sum.allocated == usage_.allocated,
                 "live allocations do not add up to the usage");
    MEMSIM_CHECK(usage_.allocated <= driver_.memory().used(), "more in use than the device gave");
  }

 private:
  struct Live {
    Bytes requested;
    Driver::Region region{};
  };

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
  LiveAllocations<Live> live_;
};

}  // namespace

std::unique_ptr<Allocator> make_driver_allocator(Driver& driver) {
  return std::make_unique<DriverAllocator>(driver);
}

}  // namespace memsim::sim
