#include "tests/sim/exec/random_jobs.hpp"

#include <array>
#include <memory>
#include <span>
#include <utility>

#include "sim/memory/allocators.hpp"

namespace memsim::test {

namespace {

using sim::Random;

constexpr std::int64_t mib = std::int64_t{1} << 20;
constexpr std::array<std::int64_t, 6> sizes{700, 90'000, 3 * mib / 2, 3 * mib, 12 * mib, 30 * mib};

// Writes one thread 0; structure comes from one generator, lengths of works from another, so that
// jobs of different speed still meet in their collectives.
class Writer {
 public:
  Writer(Script& script, Random& structure, Random& lengths, bool collectives, bool fed)
      : script_(script),
        structure_(structure),
        lengths_(lengths),
        collectives_(collectives),
        fed_(fed) {
    for (int i = 0; i < 6; ++i) works_.push_back(random_work());
  }

  // Returns the iterations of the outer loop.
  std::uint32_t write(std::uint64_t most_iterations) {
    ThreadScript& thread = script_.thread(0);
    thread.phase(0);
    body(thread, 3);
    const std::uint32_t iterations = 2 + pick(most_iterations);
    thread.phase(1).loop(iterations);
    if (fed_) thread.await(0);
    body(thread, 4);
    if (pick(2) == 0) {
      thread.phase(2).loop(2 + pick(6));
      body(thread, 3);
      thread.end_loop();
    }
    if (fed_) thread.post(1);
    if (pick(2) == 0) thread.phase(3);
    body(thread, 3);
    if (pick(4) == 0) thread.synchronize();
    thread.end_loop();
    thread.phase(4);
    body(thread, 2);
    script_.slots = next_slot_;
    return iterations;
  }

 private:
  std::uint32_t pick(std::uint64_t n) { return static_cast<std::uint32_t>(structure_.bounded(n)); }
  std::int64_t length() { return static_cast<std::int64_t>(1 + lengths_.bounded(12)) * 5; }
  std::uint32_t stream() { return pick(script_.streams); }

  // No two random numbers in one argument list: compilers evaluate those in different orders.
  std::uint32_t random_work() {
    std::vector<sim::Demand> demands;
    std::uint32_t engine = sim::no_engine;
    const std::uint32_t kind = pick(4);
    const std::int64_t first = length();
    const std::int64_t second = length();
    if (kind == 1) demands = {{compute, first}, {hbm, second}};
    if (kind == 2) demands = {{hbm, first}};
    if (kind == 3) {
      engine = pick(2);
      demands = {{engine == 0 ? link_up : link_down, first / 5}};
    }
    return script_.work("w", demands.empty() ? second : second / 10, demands, engine);
  }
  std::uint32_t work() { return works_[pick(works_.size())]; }
  std::uint32_t reduction() {
    const std::int64_t latency = length();
    return script_.work("reduce", latency, {{link_up, length() / 5}});
  }

  void body(ThreadScript& thread, std::uint64_t steps) {
    std::vector<std::uint32_t> live;
    for (std::uint64_t i = 0; i < steps + pick(steps); ++i) step(thread, live);
    structure_.shuffle(std::span(live));
    for (const std::uint32_t slot : live) thread.release(slot);
  }

  void step(ThreadScript& thread, std::vector<std::uint32_t>& live) {
    const std::uint32_t what = pick(12);
    const std::uint32_t on = stream();
    const std::uint32_t event = pick(script_.events);
    switch (what) {
      case 0:
      case 1:
      case 2:
        live.push_back(next_slot_);
        thread.allocate(next_slot_++, sizes[pick(sizes.size())], on);
        break;
      case 3:
        if (live.empty()) break;
        thread.use_on_stream(live.back(), on).release(live.back());
        live.pop_back();
        break;
      case 4:
        thread.record(on, event);
        break;
      case 5:
        thread.wait(on, event);
        break;
      case 6:
        small_waits(thread, on, event);
        break;
      case 7:
        if (collectives_) thread.collective(on, reduction());
        break;
      case 8:
        thread.host_work(work());
        break;
      default:
        thread.launch(on, work());
        break;
    }
  }

  void small_waits(ThreadScript& thread, std::uint32_t on, std::uint32_t event) {
    switch (pick(5)) {
      case 0:
        thread.synchronize_event(event);
        break;
      case 1:
        thread.synchronize_stream(on);
        break;
      case 2:
        thread.empty_cache();
        break;
      default:
        thread.launch(on, work(), 2);
        break;
    }
  }

  Script& script_;
  Random& structure_;
  Random& lengths_;
  bool collectives_;
  bool fed_;
  std::vector<std::uint32_t> works_;
  std::uint32_t next_slot_ = 0;
};

}  // namespace

RandomJobs::RandomJobs(std::uint64_t seed, const RandomJobOptions& options) {
  Random random(seed);
  const std::uint64_t jobs = 1 + random.bounded(options.most_jobs);
  const auto kinds = sim::allocator_kinds();
  const std::uint64_t kind = random.bounded(2 * kinds.size());
  allocator_ = kind < kinds.size() ? kinds[kind].name : "torch";
  constexpr std::array<std::int64_t, 4> capacities{30, 45, 70, 1000};
  capacity_ = capacities[random.bounded(capacities.size())] * mib;
  queue_depth_ = static_cast<std::uint32_t>(1 + random.bounded(12));
  launch_ = ps(static_cast<std::int64_t>(random.bounded(3)) * 7);
  const std::uint64_t structure = random.next();
  for (std::uint64_t j = 0; j < jobs; ++j) {
    Random same(structure);
    Random lengths(random.next());
    Script script;
    script.phases = {"prologue", "step", "inner", "tail", "epilogue"};
    script.streams = static_cast<std::uint32_t>(1 + same.bounded(options.most_streams));
    script.events = 2;
    script.semaphores = 2;
    const bool fed = same.bounded(options.most_threads) > 0;
    Writer writer(script, same, lengths, jobs > 1, fed);
    const std::uint32_t iterations = writer.write(options.most_iterations);
    if (fed) {
      // A loader that keeps at most two batches ahead.
      const auto load = script.work("load", static_cast<std::int64_t>(lengths.bounded(90)));
      script.thread(1).post(1, 2).loop(iterations).await(1).host_work(load).post(0).end_loop();
    }
    programs_.push_back(script.program());
  }
}

std::string RandomJobs::run(const sim::RunOptions& options) {
  Rig rig(allocator_, sim::Bytes(capacity_));
  struct Gpu {
    explicit Gpu(std::int64_t capacity) : memory(sim::Bytes(capacity)), driver(memory) {}
    sim::DeviceMemory memory;
    sim::Driver driver;
    sim::StreamClock clock;
    std::unique_ptr<sim::Allocator> allocator;
  };
  std::vector<std::unique_ptr<Gpu>> gpus;
  std::vector<sim::Job> jobs;
  for (std::size_t j = 0; j < programs_.size(); ++j) {
    Gpu& gpu = *gpus.emplace_back(std::make_unique<Gpu>(capacity_));
    gpu.allocator = sim::make_allocator(allocator_, gpu.driver, gpu.clock, "").value();
    sim::Placement placement =
        j == 0 ? rig.placement : rig.add_gpu(static_cast<std::uint32_t>(2 * j));
    // Everybody's transfers up share the first link.
    placement.routes[link_up] = rig.placement.routes[link_up];
    placement.memories = {gpu.allocator.get()};
    placement.clock = &gpu.clock;
    placement.communicators = {1};
    placement.driver.launch = launch_;
    placement.driver.malloc = ps(30);
    placement.driver.free = ps(20);
    placement.driver.queue_depth = queue_depth_;
    jobs.push_back({&programs_[j], placement});
  }
  sim::Result<sim::Run> result = rig.try_run(jobs, options);
  for (const auto& gpu : gpus) gpu->allocator->check_invariants();
  result_.reset();
  if (!result) return result.error().message;
  result_ = std::move(*result);
  return "end " + std::to_string(result_->end.value()) + " ps, digest " +
         std::to_string(result_->digest);
}

}  // namespace memsim::test
