#include "sim/memory/allocators.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "sim/memory/async_allocator.hpp"
#include "sim/memory/best_fit_heap.hpp"
#include "sim/memory/buddy_heap.hpp"
#include "sim/memory/bump_heap.hpp"
#include "sim/memory/driver_allocator.hpp"
#include "sim/memory/option_list.hpp"
#include "sim/memory/paged_allocator.hpp"
#include "sim/memory/pinned_allocator.hpp"
#include "sim/memory/segment_allocator.hpp"
#include "sim/memory/torch_allocator.hpp"

namespace memsim::sim {
namespace {

using Made = Result<std::unique_ptr<Allocator>>;

// What reads the options of a kind, and what makes it of them.
template <auto read>
Result<void> check(std::string_view options) {
  return read(options).map([](const auto& /*options*/) {});
}
template <auto read, auto make>
Made make_of(Driver& driver, StreamEvents& events, std::string_view options) {
  return read(options).map(
      [&](const auto& known) -> std::unique_ptr<Allocator> { return make(driver, events, known); });
}

struct NoOptions {};
Result<NoOptions> read_driver_options(std::string_view text) {
  return read_options("driver", text, {}).map([] { return NoOptions(); });
}
std::unique_ptr<Allocator> make_driver(Driver& driver, StreamEvents& /*events*/,
                                       NoOptions /*options*/) {
  return make_driver_allocator(driver);
}

Result<TorchOptions> read_torch_options(std::string_view text) {
  TorchOptions options;
  return options.apply(text).map([&] { return options; });
}

template <class Options,
          std::unique_ptr<BlockHeap> (*make_heap)(const Driver& driver, const Options& options)>
std::unique_ptr<Allocator> make_segmented(Driver& driver, StreamEvents& events,
                                          const Options& options) {
  return make_segment_allocator(
      driver, events, [options](const Driver& owner) { return make_heap(owner, options); });
}

template <auto read, auto make>
constexpr AllocatorKind kind(std::string_view name, std::string_view help) {
  return {name, help, check<read>, make_of<read, make>};
}

constexpr std::array table{
    kind<read_async_options, make_async_allocator>(
        "async",
        "The driver's stream-ordered pool (cudaMallocAsync) as PyTorch's backend uses it."),
    kind<read_best_fit_options, make_segmented<BestFitOptions, make_best_fit_heap>>(
        "best_fit", "Best fit with coalescing in cached segments."),
    kind<read_buddy_options, make_segmented<BuddyOptions, make_buddy_heap>>(
        "buddy", "Binary buddies: powers of two that split and merge in halves."),
    kind<read_bump_options, make_segmented<BumpOptions, make_bump_heap>>(
        "bump", "Arenas that only grow; one goes back when all of its blocks are free."),
    kind<read_driver_options, make_driver>(
        "driver", "The CUDA driver itself: every request is a cudaMalloc of whole 2 MiB pages."),
    kind<read_paged_options, make_paged_allocator>(
        "paged", "Blocks of one size from a pool reserved at the start, as vLLM's KV cache."),
    kind<read_pinned_options, make_pinned_allocator>(
        "pinned", "PyTorch's cache of pinned host memory: powers of two, never split."),
    kind<read_torch_options, make_torch_allocator>(
        "torch",
        "The caching allocator of PyTorch 2.6, to the byte; options as in "
        "PYTORCH_CUDA_ALLOC_CONF."),
};

}  // namespace

std::span<const AllocatorKind> allocator_kinds() { return table; }

const AllocatorKind* find_allocator_kind(std::string_view name) {
  const auto* const found = std::ranges::find(table, name, &AllocatorKind::name);
  return found == table.end() ? nullptr : found;
}

Result<std::unique_ptr<Allocator>> make_allocator(std::string_view name, Driver& driver,
                                                  StreamEvents& events, std::string_view options) {
  if (const AllocatorKind* kind = find_allocator_kind(name))
    return kind->make(driver, events, options);
  std::string known;
  for (const AllocatorKind& kind : table)
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  return fail("no allocator '" + std::string(name) + "'; there are: " + known);
}

}  // namespace memsim::sim
