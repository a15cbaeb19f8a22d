#include "sim/memory/allocators.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "sim/memory/driver_allocator.hpp"
#include "sim/memory/torch_allocator.hpp"

namespace memsim::sim {
namespace {

using Made = Result<std::unique_ptr<Allocator>>;

Result<void> check_driver(std::string_view options) {
  if (options.empty()) return {};
  return fail("the driver knows no option '" + std::string(options) + "'");
}

Made make_driver(Driver& driver, StreamEvents& /*events*/, std::string_view options) {
  return check_driver(options).map(
      [&]() -> std::unique_ptr<Allocator> { return make_driver_allocator(driver); });
}

Result<void> check_torch(std::string_view options) { return TorchOptions().apply(options); }

Made make_torch(Driver& driver, StreamEvents& events, std::string_view options) {
  TorchOptions read;
  return read.apply(options).map(
      [&]() -> std::unique_ptr<Allocator> { return make_torch_allocator(driver, events, read); });
}

constexpr std::array<AllocatorKind, 2> table{{
    {"driver", "The CUDA driver itself: every request is a cudaMalloc of whole 2 MiB pages.",
     check_driver, make_driver},
    {"torch",
     "The caching allocator of PyTorch 2.6, to the byte; options as in PYTORCH_CUDA_ALLOC_CONF.",
     check_torch, make_torch},
}};

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
