#include "validate/probe/cuda/virtual_memory.hpp"

#include <cstddef>

#include "validate/probe/cuda/cuda_check.hpp"

namespace memsim::probe {

VirtualMemory::VirtualMemory(int gpu) : gpu_(gpu), library_("libcuda.so.1") { open(); }

void VirtualMemory::open() {
  library_.find("cuDeviceGetAttribute", device_get_attribute_);
  library_.find("cuMemGetAllocationGranularity", get_granularity_);
  library_.find("cuMemAddressReserve", address_reserve_);
  library_.find("cuMemAddressFree", address_free_);
  library_.find("cuMemCreate", create_);
  library_.find("cuMemRelease", release_);
  library_.find("cuMemMap", map_);
  library_.find("cuMemUnmap", unmap_);
  library_.find("cuMemSetAccess", set_access_);
  problem_ = library_.problem();
  if (!problem_.empty()) return;
  int supported = 0;
  // The runtime's number of a GPU is the driver's.
  check(device_get_attribute_(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                              gpu_),
        "cuDeviceGetAttribute");
  if (supported == 0) problem_ = "this GPU has no virtual memory management";
}

CUmemAllocationProp VirtualMemory::properties() const {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = gpu_;
  return properties;
}

std::int64_t VirtualMemory::granularity(CUmemAllocationGranularity_flags option) const {
  const CUmemAllocationProp wanted = properties();
  std::size_t bytes = 0;
  check(get_granularity_(&bytes, &wanted, option), "cuMemGetAllocationGranularity");
  return static_cast<std::int64_t>(bytes);
}

std::int64_t VirtualMemory::minimum_granularity() const {
  return granularity(CU_MEM_ALLOC_GRANULARITY_MINIMUM);
}

std::int64_t VirtualMemory::recommended_granularity() const {
  return granularity(CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
}

VirtualMemory::Range::Range(const VirtualMemory& driver, std::int64_t bytes)
    : driver_(driver), bytes_(bytes) {
  check(driver_.address_reserve_(&address_, static_cast<std::size_t>(bytes_), 0, 0, 0),
        "cuMemAddressReserve");
}

VirtualMemory::Range::~Range() {
  driver_.address_free_(address_, static_cast<std::size_t>(bytes_));
}

VirtualMemory::Block::~Block() {
  if (mapped_) driver_.unmap_(range_.address_, static_cast<std::size_t>(range_.bytes_));
  if (created_) driver_.release_(handle_);
}

void VirtualMemory::Block::create() {
  const CUmemAllocationProp wanted = driver_.properties();
  check(driver_.create_(&handle_, static_cast<std::size_t>(range_.bytes_), &wanted, 0),
        "cuMemCreate");
  created_ = true;
}

void VirtualMemory::Block::map() {
  check(driver_.map_(range_.address_, static_cast<std::size_t>(range_.bytes_), 0, handle_, 0),
        "cuMemMap");
  mapped_ = true;
}

void VirtualMemory::Block::set_access() {
  CUmemAccessDesc access = {};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location.id = driver_.gpu_;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  check(driver_.set_access_(range_.address_, static_cast<std::size_t>(range_.bytes_), &access, 1),
        "cuMemSetAccess");
}

void VirtualMemory::Block::unmap() {
  check(driver_.unmap_(range_.address_, static_cast<std::size_t>(range_.bytes_)), "cuMemUnmap");
  mapped_ = false;
}

void VirtualMemory::Block::release() {
  check(driver_.release_(handle_), "cuMemRelease");
  created_ = false;
}

}  // namespace memsim::probe
