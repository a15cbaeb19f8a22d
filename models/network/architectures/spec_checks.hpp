// What specifications of transformers have in common: fields within bounds, heads that divide the
// width, a rate between 0 and 1.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "sim/core/result.hpp"

namespace memsim::models {

// Far beyond any network, so that a slip of the hand is found before memory runs out.
inline constexpr std::int64_t most_layers = 4'096;
inline constexpr std::int64_t most_elements = std::int64_t{1} << 40;  // of one extent

struct BoundedField {
  std::string_view name;
  std::int64_t value;
  std::int64_t least;
  std::int64_t most = most_elements;
};

// The heads of a transformer divide its width. Requires: heads > 0.
std::optional<sim::Error> heads_defect(std::int64_t hidden, std::int64_t heads);

// The first thing that is wrong, named as the field.
std::optional<sim::Error> first_defect(std::initializer_list<BoundedField> fields,
                                       std::int64_t hidden, std::int64_t heads,
                                       std::int64_t dropout_millionths);

}  // namespace memsim::models
