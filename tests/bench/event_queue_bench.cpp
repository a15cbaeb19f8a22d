// The hold model: with n events pending, pop one and push one at a random later time.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "sim/core/event_queue.hpp"
#include "sim/core/random.hpp"

namespace {

using namespace memsim::sim;

// Random delays, drawn beforehand: the generator is not what is measured.
std::vector<std::int64_t> delays() {
  Random random(1);
  std::vector<std::int64_t> drawn(1 << 16);
  for (std::int64_t& delay : drawn) delay = static_cast<std::int64_t>(random.bounded(1'000'000));
  return drawn;
}

void event_queue(benchmark::State& state) {
  const std::vector<std::int64_t> drawn = delays();
  EventQueue queue;
  std::uint64_t next = 0;
  const auto push = [&](Time now) {
    queue.push(now + Duration(drawn[next & 0xFFFF]), static_cast<EventPhase>(next & 3), next);
    ++next;
  };
  for (std::int64_t i = 0; i < state.range(0); ++i) push(Time(0));
  for (auto _ : state) push(queue.pop().time);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(event_queue)->Arg(100)->Arg(1'000)->Arg(100'000);

// The peer: the same events in the standard library's heap.
void priority_queue(benchmark::State& state) {
  using Entry = std::tuple<std::int64_t, std::uint64_t, std::uint64_t>;  // time, order, payload
  const std::vector<std::int64_t> drawn = delays();
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  std::uint64_t next = 0;
  const auto push = [&](std::int64_t now) {
    queue.emplace(now + drawn[next & 0xFFFF], (next & 3) << 62 | next, next);
    ++next;
  };
  for (std::int64_t i = 0; i < state.range(0); ++i) push(0);
  for (auto _ : state) {
    const std::int64_t now = std::get<0>(queue.top());
    queue.pop();
    push(now);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(priority_queue)->Arg(100)->Arg(1'000)->Arg(100'000);

}  // namespace
