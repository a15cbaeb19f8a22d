// Tolerances of many rows, where single ones may be far off: at most half of them may differ by
// more than `median`, a tenth by more than `p90`.
#pragma once

#include <cstddef>
#include <vector>

#include "validate/compare/row.hpp"

namespace memsim::validate {

struct Tolerance {
  double median;
  double p90;
};

// Rows `compared` of `rows` that break a tolerance are off, with the reason.
void hold(const Tolerance& tolerance, const std::vector<std::size_t>& compared,
          std::vector<Row>& rows);

}  // namespace memsim::validate
