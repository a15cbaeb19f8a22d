#include "validate/compare/kind.hpp"

#include <array>

namespace memsim::validate {

std::span<const Kind> kinds() {
  static const std::array<Kind, 3> all{allocator_kind, flows_kind, torch_kind};
  return all;
}

}  // namespace memsim::validate
