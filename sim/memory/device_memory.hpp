// One physical memory: how much there is, how much is in use.
//
// Whoever takes memory of a device (the driver's cudaMalloc, mapped pages, a context) takes it from
// here, so that all of them share one limit. Addresses are the driver's business.
#pragma once

#include "sim/core/check.hpp"
#include "sim/core/units.hpp"

namespace memsim::sim {

// Invariants: used >= 0, external >= 0. used + external may pass the capacity only where
// set_capacity or set_external made it so.
class DeviceMemory {
 public:
  // `external` bytes are taken by others: contexts, other processes, a display.
  explicit DeviceMemory(Bytes capacity, Bytes external = Bytes(0)) {
    set_capacity(capacity);
    set_external(external);
  }

  // Takes `size` bytes; false, and no change, if they are not free. Requires: size >= 0.
  [[nodiscard]] bool take(Bytes size) {
    MEMSIM_CHECK(size >= Bytes(0), "a negative amount of memory");
    if (size > free()) return false;
    used_ += size;
    return true;
  }
  // Requires: 0 <= size <= used().
  void give_back(Bytes size) {
    MEMSIM_CHECK(size >= Bytes(0) && size <= used_, "more memory given back than was taken");
    used_ -= size;
  }

  // Requires: capacity >= 0.
  void set_capacity(Bytes capacity) {
    MEMSIM_CHECK(capacity >= Bytes(0), "negative capacity");
    capacity_ = capacity;
  }
  // Requires: external >= 0.
  void set_external(Bytes external) {
    MEMSIM_CHECK(external >= Bytes(0), "negative external use");
    external_ = external;
  }

  [[nodiscard]] Bytes capacity() const { return capacity_; }
  [[nodiscard]] Bytes used() const { return used_; }
  [[nodiscard]] Bytes external() const { return external_; }
  // What is left; 0 when others take more than there is.
  [[nodiscard]] Bytes free() const {
    const Bytes unused = capacity_ - used_;
    return unused > external_ ? unused - external_ : Bytes(0);
  }

 private:
  Bytes capacity_;
  Bytes used_;
  Bytes external_;
};

}  // namespace memsim::sim
