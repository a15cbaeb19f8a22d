#include "models/training/operators/table.hpp"

#include <algorithm>
#include <array>

#include "models/training/operators/operators.hpp"

namespace memsim::models {

const Operator* find_operator(std::string_view name) {
  static const std::array all{
      &add_operator,         &arange_operator,        &baddbmm_operator,
      &cast_like_operator,   &cat_operator,           &causal_attention_operator,
      &contiguous_operator,  &cross_entropy_operator, &dropout_operator,
      &embedding_operator,   &equals_number_operator, &gelu_operator,
      &index_rows_operator,  &layer_norm_operator,    &linear_operator,
      &masked_fill_operator, &matmul_operator,        &mul_operator,
      &neg_operator,         &permute_operator,       &relu_in_place_operator,
      &relu_operator,        &scalar_operator,        &scale_operator,
      &sigmoid_operator,     &silu_operator,          &slice_operator,
      &softmax_operator,     &split_operator,         &tanh_operator,
      &transpose_operator,   &unsqueeze_operator,     &view_operator,
      &where_operator,       &zeros_operator,
  };
  const auto* const found =
      std::ranges::find(all, name, [](const Operator* op) { return op->name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace memsim::models
