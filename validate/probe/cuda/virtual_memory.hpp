// The driver's virtual memory management: physical blocks and the addresses that they are mapped
// to. The runtime has no such functions, so they are looked up in the driver.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <string>

#include "validate/probe/cuda/dynamic_library.hpp"

namespace memsim::probe {

class VirtualMemory {
 public:
  // Of a GPU, by CUDA's number. Requires: CUDA is initialised.
  explicit VirtualMemory(int gpu);

  // Why it cannot be used; empty when it can. All that follows requires that.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  // What sizes of blocks have to be, and should be, multiples of.
  [[nodiscard]] std::int64_t minimum_granularity() const;
  [[nodiscard]] std::int64_t recommended_granularity() const;

  // A range of addresses without memory.
  class Range {
   public:
    Range(const VirtualMemory& driver, std::int64_t bytes);
    ~Range();
    Range(const Range&) = delete;
    Range& operator=(const Range&) = delete;

   private:
    friend class VirtualMemory;
    const VirtualMemory& driver_;
    std::int64_t bytes_;
    CUdeviceptr address_ = 0;
  };

  // A physical block on its way through all steps, in this order, filling a range. Its end undoes
  // what was done.
  class Block {
   public:
    explicit Block(const Range& range) : range_(range), driver_(range.driver_) {}
    ~Block();
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    void create();
    void map();
    void set_access();
    void unmap();
    void release();

   private:
    const Range& range_;
    const VirtualMemory& driver_;
    CUmemGenericAllocationHandle handle_ = 0;
    bool created_ = false;
    bool mapped_ = false;
  };

 private:
  void open();
  [[nodiscard]] CUmemAllocationProp properties() const;
  [[nodiscard]] std::int64_t granularity(CUmemAllocationGranularity_flags option) const;

  int gpu_;
  DynamicLibrary library_;
  std::string problem_;
  decltype(cuDeviceGetAttribute)* device_get_attribute_ = nullptr;
  decltype(cuMemGetAllocationGranularity)* get_granularity_ = nullptr;
  decltype(cuMemAddressReserve)* address_reserve_ = nullptr;
  decltype(cuMemAddressFree)* address_free_ = nullptr;
  decltype(cuMemCreate)* create_ = nullptr;
  decltype(cuMemRelease)* release_ = nullptr;
  decltype(cuMemMap)* map_ = nullptr;
  decltype(cuMemUnmap)* unmap_ = nullptr;
  decltype(cuMemSetAccess)* set_access_ = nullptr;
};

}  // namespace memsim::probe
