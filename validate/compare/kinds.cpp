#include "validate/compare/kind.hpp"

#include <array>

namespace memsim::validate {

std::span<const Kind> kinds() {
  static const std::array<Kind, 2> all{allocator_kind, flows_kind};
  return all;
}

}  // namespace memsim::validate
