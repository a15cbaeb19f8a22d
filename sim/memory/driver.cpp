#include "sim/memory/driver.hpp"

#include "sim/core/check.hpp"

namespace memsim::sim {
namespace {

// End of the addresses of 5-level paging: as far as any machine goes.
constexpr std::uint64_t address_limit = std::uint64_t{1} << 57;

// Up to the other arena, if that lies above.
constexpr std::uint64_t reservation_limit(const DriverSpec& spec) {
  return spec.reservation_base_address <= spec.base_address ? spec.base_address : address_limit;
}

}  // namespace

Driver::Driver(DeviceMemory& memory, const DriverSpec& spec)
    : memory_(memory),
      spec_(spec),
      arena_(spec.base_address, address_limit),
      reservations_(spec.reservation_base_address, reservation_limit(spec)) {
  MEMSIM_CHECK(spec.granularity > Bytes(0), "a driver without granularity");
}

std::optional<Driver::Region> Driver::malloc(Bytes size) {
  // Whole granules that are left: a request within them can be rounded up without overflow.
  const Bytes granule = spec_.granularity;
  if (size > memory_.free() / granule.value() * granule.value()) return std::nullopt;
  const Bytes rounded = round_up(size, granule);
  MEMSIM_CHECK(memory_.take(rounded), "the device is fuller than it said");
  const std::optional<Region> region = arena_.take(rounded);
  if (!region) memory_.give_back(rounded);
  return region;
}

void Driver::free(Region region) {
  const Bytes size = arena_.size(region);
  arena_.give_back(region);
  memory_.give_back(size);
}

void Driver::add_state(Digest& digest) const {
  digest.add(memory_.capacity()).add(memory_.used()).add(memory_.external());
  arena_.add_state(digest);
  reservations_.add_state(digest);
}

void Driver::check_invariants() const {
  arena_.check_invariants();
  reservations_.check_invariants();
}

}  // namespace memsim::sim
