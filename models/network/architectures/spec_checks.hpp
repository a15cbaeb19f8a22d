// What specifications of transformers have in common: fields that must not be too small, heads
// that divide the width, a rate between 0 and 1.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "sim/core/result.hpp"

namespace memsim::models {

struct BoundedField {
  std::string_view name;
  std::int64_t value;
  std::int64_t least;
};

// The first thing that is wrong, named as the field.
std::optional<sim::Error> first_defect(std::initializer_list<BoundedField> fields,
                                       std::int64_t hidden, std::int64_t heads,
                                       std::int64_t dropout_millionths);

}  // namespace memsim::models
