#include <array>

#include "validate/compare/kind.hpp"

namespace memsim::validate {

std::span<const Kind> kinds() {
  static const std::array<Kind, 5> all{allocator_kind, flows_kind, gemm_kind, links_kind,
                                       torch_kind};
  return all;
}

}  // namespace memsim::validate
