// What a byte is held for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace memsim::sim {

enum class Category : std::uint8_t {
  parameters,
  gradients,
  optimizer,    // optimizer states and master weights
  activations,  // saved for backward, or waiting for their consumer
  temporaries,  // alive within one operator or one optimizer step
  buffers,      // model buffers, inputs, staging and communication buffers, library workspaces
  cache,        // reserved by an allocator, owned by no tensor
  context,      // driver context, communicators: outside every allocator
};

inline constexpr std::size_t category_count = 8;

constexpr std::array<std::string_view, category_count> category_names{
    "parameters",  "gradients", "optimizer", "activations",
    "temporaries", "buffers",   "cache",     "context"};

constexpr std::string_view name(Category category) {
  return category_names[static_cast<std::size_t>(category)];
}

}  // namespace memsim::sim
