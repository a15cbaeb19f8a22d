// All operators, by the file that holds them. The table itself is written out in table.cpp.
#pragma once

namespace memsim::models {

struct Operator;

// views.cpp, slices.cpp, copies.cpp, cat.cpp
extern const Operator view_operator, transpose_operator, permute_operator, unsqueeze_operator;
extern const Operator slice_operator, split_operator;
extern const Operator contiguous_operator, cast_like_operator;
extern const Operator cat_operator;
// elementwise.cpp, masks.cpp, activations.cpp
extern const Operator add_operator, mul_operator, scale_operator, neg_operator;
extern const Operator equals_number_operator, masked_fill_operator, where_operator;
extern const Operator relu_operator, relu_in_place_operator, gelu_operator, tanh_operator,
    sigmoid_operator, silu_operator;
// products.cpp, linear.cpp, attention.cpp
extern const Operator baddbmm_operator, matmul_operator, linear_operator;
extern const Operator causal_attention_operator;
// softmax.cpp, cross_entropy.cpp, dropout.cpp, layer_norm.cpp, embedding.cpp, index.cpp
extern const Operator softmax_operator, cross_entropy_operator, dropout_operator,
    layer_norm_operator, embedding_operator, index_rows_operator;
// creation.cpp
extern const Operator arange_operator, zeros_operator, scalar_operator;

}  // namespace memsim::models
