#include "sim/memory/allocators.hpp"

#include <array>
#include <string>
#include <utility>

#include "sim/memory/driver_allocator.hpp"
#include "sim/memory/torch_allocator.hpp"

namespace memsim::sim {
namespace {

using Made = Result<std::unique_ptr<Allocator>>;

tl::unexpected<Error> refuse(std::string_view allocator, std::string_view options) {
  return fail("the allocator '" + std::string(allocator) + "' does not know the option '" +
              std::string(options) + "'");
}

Made make_driver(Driver& driver, StreamEvents& /*events*/, std::string_view options) {
  if (!options.empty()) return refuse("driver", options);
  return make_driver_allocator(driver);
}

Made make_torch(Driver& driver, StreamEvents& events, std::string_view options) {
  TorchOptions read;
  if (const auto applied = read.apply(options); !applied) return tl::unexpected(applied.error());
  return make_torch_allocator(driver, events, read);
}

constexpr std::array<AllocatorKind, 2> table{{
    {"driver", "The CUDA driver itself: every request is a cudaMalloc of whole 2 MiB pages.",
     make_driver},
    {"torch", "The caching allocator of PyTorch 2.6, to the byte; options as in PYTORCH_CUDA_ALLOC_CONF.",
     make_torch},
}};

}  // namespace

std::span<const AllocatorKind> allocator_kinds() { return table; }

Result<std::unique_ptr<Allocator>> make_allocator(std::string_view name, Driver& driver,
                                                  StreamEvents& events, std::string_view options) {
  std::string known;
  for (const AllocatorKind& kind : table) {
    if (kind.name == name) return kind.make(driver, events, options);
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  return fail("no allocator '" + std::string(name) + "'; there are: " + known);
}

}  // namespace memsim::sim
