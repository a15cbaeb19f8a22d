// The fast allocator against the plain one, on random sequences.
#include <rapidcheck/catch.h>

#include <vector>

#include "sim/memory/torch_allocator.hpp"
#include "tests/sim/memory/plain_caching_allocator.hpp"
#include "tests/sim/memory/stream_events.hpp"
#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

// Sizes around every boundary of the rules.
std::int64_t size_of_step(std::uint32_t step) {
  constexpr std::int64_t mib = 1 << 20;
  constexpr std::int64_t sizes[] = {1,       511,     512,      513,          4096,
                                    262144,  mib - 1, mib,      mib + 1,      3 * mib / 2,
                                    2 * mib, 5 * mib, 10 * mib, 10 * mib - 1, 12 * mib + 5};
  constexpr std::size_t count = sizeof(sizes) / sizeof(sizes[0]);
  const std::size_t at = step % (count + 1);
  return at == count ? 1 + step / 16 % 300000 : sizes[at];
}

// Two allocators with the same questions, each over its own device.
struct Pair {
  static constexpr Bytes capacity = 64_MiB;
  DeviceMemory torch_memory{capacity};
  DeviceMemory plain_memory{capacity};
  Driver torch_driver{torch_memory};
  Driver plain_driver{plain_memory};
  TestEvents events;
  DriverWork work;
  std::unique_ptr<TorchAllocator> torch = make_torch_allocator(torch_driver, events);
  PlainCachingAllocator plain{plain_driver};
  std::vector<std::pair<AllocationId, PlainCachingAllocator::Block*>> live;

  void allocate(std::int64_t size, std::uint32_t stream) {
    const auto given = torch->allocate(Bytes(size), StreamId{stream}, work);
    PlainCachingAllocator::Block* expected = plain.allocate(size, stream);
    RC_ASSERT(given.has_value() == (expected != nullptr));
    if (!given) return;
    RC_ASSERT(torch->address(*given) == expected->address);
    live.emplace_back(*given, expected);
  }
  void free(std::size_t at) {
    torch->free(live[at].first, work);
    plain.free(live[at].second);
    live[at] = live.back();
    live.pop_back();
  }
  void compare() const {
    RC_ASSERT(torch->usage().allocated == Bytes(plain.allocated()));
    RC_ASSERT(torch->usage().reserved == Bytes(plain.reserved()));
    RC_ASSERT(torch_memory.used() == plain_memory.used());
    torch->check_invariants();
  }
};

}  // namespace

TEST_CASE("every address, failure and total is that of the plain caching allocator") {
  rc::prop("random requests on three streams", [] {
    const auto steps = *rc::gen::scale(
        8, rc::gen::container<std::vector<std::uint32_t>>(rc::gen::arbitrary<std::uint32_t>()));
    Pair pair;
    for (const std::uint32_t step : steps) {
      const std::uint32_t choice = step % 16;
      if (choice == 15) {
        pair.torch->empty_cache(pair.work);
        pair.plain.empty_cache();
      } else if (choice < 9 || pair.live.empty()) {
        pair.allocate(size_of_step(step / 16), step / 7 % 3);
      } else {
        pair.free(step / 16 % pair.live.size());
      }
      pair.compare();
    }
  });
}

TEST_CASE("thousands of free blocks of one size are served like any others") {
  // Enough of them to outgrow the small arrays of a size class; then all ways back.
  Pair pair;
  const auto fill = [&] {
    for (int i = 0; i < 3000; ++i) pair.allocate(512 + i % 3 * 512, 0);
  };
  const auto free_every_second = [&] {
    for (std::size_t at = 0; at < pair.live.size(); ++at) pair.free(at);
  };
  fill();
  pair.compare();
  for (int round = 0; round < 3; ++round) {
    free_every_second();
    pair.compare();
    for (int i = 0; i < 700; ++i) pair.allocate(1024, 0);
    pair.compare();
    fill();
    pair.compare();
  }
  while (!pair.live.empty()) pair.free(pair.live.size() / 2);
  pair.compare();
}

}  // namespace memsim::sim
