// The CUDA driver's memory calls on one device: cudaMalloc and cudaFree, and the calls that reserve
// addresses and put memory behind them (cuMemAddressReserve, cuMemCreate, cuMemMap).
//
// Each request is rounded up to the granularity, succeeds iff the device has that much left, and
// lies at the lowest address where it fits. Physical fragmentation does not exist: the driver maps
// pages wherever they are.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/core/digest.hpp"
#include "sim/core/units.hpp"
#include "sim/memory/address_arena.hpp"
#include "sim/memory/device_memory.hpp"

namespace memsim::sim {

struct DriverSpec {
  Bytes granularity = 2_MiB;                    // a request takes a multiple of this; > 0
  std::uint64_t base_address = 0x7f0000000000;  // where the arena of cudaMalloc starts
  std::uint64_t reservation_base_address = 0x600000000000;  // ... and that of reservations
  int device = 0;                                           // ordinal, for messages
  bool reports_processes = false;  // NVML is there: messages name this process' bytes
};

class Driver {
 public:
  using Region = AddressArena::Range;

  // `memory` outlives the driver. Requires: spec.granularity > 0.
  explicit Driver(DeviceMemory& memory, const DriverSpec& spec = {});

  // Nothing, and no change, when the device is full. Requires: size > 0.
  [[nodiscard]] std::optional<Region> malloc(Bytes size);
  // Requires: `region` is allocated.
  void free(Region region);

  // Addresses without memory. Nothing when none are left. Requires: size > 0, whole granules.
  [[nodiscard]] std::optional<Region> reserve(Bytes size) { return reservations_.take(size); }
  // Requires: `region` is reserved and has no memory behind it.
  void release(Region region) { reservations_.give_back(region); }
  // Memory behind reserved addresses; false, and no change, when the device has not that much.
  // Which addresses they are is the caller's business. Requires: whole granules.
  [[nodiscard]] bool map(Bytes size) { return memory_.take(size); }
  void unmap(Bytes size) { memory_.give_back(size); }
  [[nodiscard]] std::uint64_t reserved_address(Region region) const {
    return reservations_.address(region);
  }
  [[nodiscard]] Bytes reserved_size(Region region) const { return reservations_.size(region); }

  [[nodiscard]] std::uint64_t address(Region region) const { return arena_.address(region); }
  // Rounded up to the granularity.
  [[nodiscard]] Bytes size(Region region) const { return arena_.size(region); }

  [[nodiscard]] DeviceMemory& memory() { return memory_; }
  [[nodiscard]] const DeviceMemory& memory() const { return memory_; }
  [[nodiscard]] const DriverSpec& spec() const { return spec_; }
  void report_processes(bool on) { spec_.reports_processes = on; }

  // Everything that decides where later requests go.
  void add_state(Digest& digest) const;
  void check_invariants() const;

 private:
  DeviceMemory& memory_;
  DriverSpec spec_;
  AddressArena arena_;
  AddressArena reservations_;
};

}  // namespace memsim::sim
