// Operations per second of the caching allocator on the generated traces of
// validate/data/allocator, beside the same rules over std::set; and the cost of a state digest.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/memory/allocators.hpp"
#include "sim/memory/torch_allocator.hpp"
#include "tests/sim/memory/plain_caching_allocator.hpp"
#include "tests/sim/memory/stream_events.hpp"
#include "validate/import/allocator_digest.hpp"
#include "validate/import/allocator_generator.hpp"
#include "validate/import/text_file.hpp"

namespace {

using namespace memsim;

struct Workload {
  sim::Bytes capacity;
  validate::AllocatorTrace header;
  std::vector<validate::TraceOp> ops;
};

Workload load(const std::string& digest) {
  const auto readme =
      validate::read_text_file(MEMSIM_SOURCE_DIR "/validate/data/allocator/README.md");
  if (!readme) throw std::runtime_error(readme.error().message);
  const auto spec = validate::find_generator_in_table(*readme, digest);
  if (!spec) throw std::runtime_error(spec.error().message);
  const auto header = validate::generator_header(*spec);
  if (!header) throw std::runtime_error(header.error().message);
  Workload workload{sim::Bytes(header->ops.at(0).amount), *header, {}};
  validate::TraceGenerator generator(*spec);
  while (const auto op = generator.next()) workload.ops.push_back(*op);
  return workload;
}

// memsim's allocator; a failed request has no name.
class Torch {
 public:
  using Name = sim::AllocationId;
  static constexpr Name none = sim::null_allocation;

  explicit Torch(sim::Driver& driver) : allocator_(sim::make_torch_allocator(driver, events_)) {}

  void set_up(const validate::AllocatorTrace& header) {
    for (const validate::TraceOp& op : header.ops) {
      const auto kept = static_cast<std::size_t>(op.amount);
      if (op.verb == validate::TraceVerb::config && !allocator_->configure(header.options[kept]))
        throw std::runtime_error("a header with options that are not known");
      if (op.verb == validate::TraceVerb::fraction)
        allocator_->set_memory_fraction(header.fractions[kept]);
    }
  }

  Name allocate(std::int64_t size, sim::StreamId stream = {}) {
    const auto made = allocator_->allocate(sim::Bytes(size), stream, work_);
    return made ? *made : none;
  }
  void record(Name name, sim::StreamId stream) { allocator_->record_stream(name, stream); }
  void free(Name name) { allocator_->free(name, work_); }
  void empty_cache() { allocator_->empty_cache(work_); }
  sim::TorchAllocator& allocator() { return *allocator_; }

 private:
  sim::TestEvents events_;
  sim::DriverWork work_;
  std::unique_ptr<sim::TorchAllocator> allocator_;
};

class Plain {
 public:
  using Name = sim::PlainCachingAllocator::Block*;
  static constexpr Name none = nullptr;

  explicit Plain(sim::Driver& driver) : allocator_(driver) {}

  void set_up(const validate::AllocatorTrace& /*header*/) {}  // it has no options
  Name allocate(std::int64_t size, sim::StreamId stream) {
    return allocator_.allocate(size, static_cast<std::uint32_t>(stream));
  }
  void record(Name /*name*/, sim::StreamId /*stream*/) {}
  void free(Name name) {
    if (name != none) allocator_.free(name);
  }
  void empty_cache() { allocator_.empty_cache(); }

 private:
  sim::PlainCachingAllocator allocator_;
};

// Any kind with its default options. What finds no room is left out of the run.
class Other {
 public:
  using Name = sim::AllocationId;
  static constexpr Name none = sim::null_allocation;

  Other(std::string_view kind, sim::Driver& driver)
      : allocator_(sim::make_allocator(kind, driver, events_, "").value()) {}

  void set_up(const validate::AllocatorTrace& /*header*/) {}  // options of another one
  Name allocate(std::int64_t size, sim::StreamId stream) {
    const auto made = allocator_->allocate(sim::Bytes(size), stream, work_);
    return made ? *made : none;
  }
  void record(Name name, sim::StreamId stream) { allocator_->record_stream(name, stream); }
  void free(Name name) { allocator_->free(name, work_); }
  void empty_cache() { allocator_->empty_cache(work_); }

 private:
  sim::TestEvents events_;
  sim::DriverWork work_;
  std::unique_ptr<sim::Allocator> allocator_;
};

// `make` makes the allocator of a driver.
template <class Make>
void replay(benchmark::State& state, const std::string& digest, Make make) {
  using Subject = std::invoke_result_t<Make, sim::Driver&>;
  const Workload workload = load(digest);
  std::vector<typename Subject::Name> live(workload.ops.size(), Subject::none);
  for (auto round : state) {
    static_cast<void>(round);
    sim::DeviceMemory memory(workload.capacity);
    sim::Driver driver(memory);
    Subject subject = make(driver);
    subject.set_up(workload.header);
    for (const validate::TraceOp& op : workload.ops) {
      auto& name = live[op.allocation];
      if (op.verb == validate::TraceVerb::alloc) {
        name = subject.allocate(op.amount, op.stream);
      } else if (op.verb == validate::TraceVerb::free) {
        subject.free(std::exchange(name, Subject::none));
      } else if (op.verb == validate::TraceVerb::record) {
        subject.record(name, op.stream);
      } else {
        subject.empty_cache();
      }
    }
    live.assign(live.size(), Subject::none);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(workload.ops.size()));
}

void torch(benchmark::State& state, const std::string& digest) {
  replay(state, digest, [](sim::Driver& driver) { return Torch(driver); });
}
void std_set(benchmark::State& state, const std::string& digest) {
  replay(state, digest, [](sim::Driver& driver) { return Plain(driver); });
}

void d1(benchmark::State& state, std::string_view kind) {
  replay(state, "d1_default", [&](sim::Driver& driver) { return Other(kind, driver); });
}

// Many blocks of many sizes live, then every second one freed and allocated again: what grows with
// the number of live blocks shows in the time of one operation.
void many_live(benchmark::State& state, std::string_view kind) {
  for (auto round : state) {
    static_cast<void>(round);
    sim::DeviceMemory memory(sim::Bytes(std::int64_t{1} << 40));
    sim::Driver driver(memory);
    Other subject(kind, driver);
    std::vector<sim::AllocationId> blocks;
    const auto size = [](std::size_t block) {
      return static_cast<std::int64_t>(512 + block % 97 * 4096);
    };
    for (std::size_t block = 0; block < static_cast<std::size_t>(state.range(0)); ++block)
      blocks.push_back(subject.allocate(size(block), {}));
    for (std::size_t block = 0; block < blocks.size(); block += 2) subject.free(blocks[block]);
    for (std::size_t block = 0; block < blocks.size(); block += 2)
      blocks[block] = subject.allocate(size(block + 1), {});
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * 2);
}

// A state with many live blocks of many sizes, as at a large job's peak.
void state_digest(benchmark::State& state) {
  sim::DeviceMemory memory(sim::Bytes(std::int64_t{1} << 40));
  sim::Driver driver(memory);
  Torch subject(driver);
  for (std::int64_t block = 0; block < state.range(0); ++block)
    subject.allocate(512 + block % 97 * 40960);
  for (auto round : state) {
    static_cast<void>(round);
    sim::Digest digest;
    subject.allocator().add_state(digest);
    benchmark::DoNotOptimize(digest);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// Half of many equal blocks are freed one by one: the free set's worst crowd.
void crowd(benchmark::State& state) {
  for (auto round : state) {
    static_cast<void>(round);
    sim::DeviceMemory memory(sim::Bytes(std::int64_t{1} << 40));
    sim::Driver driver(memory);
    Torch subject(driver);
    std::vector<sim::AllocationId> blocks;
    for (std::int64_t block = 0; block < state.range(0); ++block)
      blocks.push_back(subject.allocate(512));
    for (std::size_t block = 0; block < blocks.size(); block += 2) subject.free(blocks[block]);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * 3 / 2);
}

BENCHMARK_CAPTURE(torch, d1, "d1_default")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(torch, d2, "d2_maxsplit_gc")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(torch, d3, "d3_expandable")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(torch, d4, "d4_roundup_streams")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(std_set, d1, "d1_default")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(torch, d5, "d5_million")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(std_set, d5, "d5_million")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(d1, async, "async")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(d1, best_fit, "best_fit")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(d1, buddy, "buddy")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(d1, bump, "bump")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(d1, paged, "paged")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(d1, pinned, "pinned")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(many_live, async, "async")
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(many_live, best_fit, "best_fit")
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(many_live, buddy, "buddy")
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(many_live, bump, "bump")->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(many_live, paged, "paged")
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(many_live, pinned, "pinned")
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(state_digest)->Arg(20000)->Unit(benchmark::kMicrosecond);
BENCHMARK(crowd)->Arg(2000)->Arg(200000)->Unit(benchmark::kMillisecond);

}  // namespace
