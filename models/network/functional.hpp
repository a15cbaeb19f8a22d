// The operators of networks as functions, and the modules that own parameters: what
// torch.nn.functional and torch.nn are to a PyTorch model. Shapes, lifetimes and gradients of each
// operator stand in models/training/operators.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "models/network/builder.hpp"

namespace memsim::models {

// Modules. A parameter that is absent (bias = false) is an unbound name.
struct Linear {
  Var weight;  // [out, in]
  Var bias;    // [out]
};
struct LayerNorm {
  Var weight;
  Var bias;
};
struct Embedding {
  Var weight;  // [rows, width]
};

Linear make_linear(Builder& builder, std::string name, std::int64_t in, std::int64_t out,
                   bool bias = true);
LayerNorm make_layer_norm(Builder& builder, std::string name, std::int64_t width, bool bias = true);
Embedding make_embedding(Builder& builder, std::string name, std::int64_t rows, std::int64_t width);

Var linear(Arg x, const Linear& module);
Var layer_norm(Arg x, const LayerNorm& module);
Var embedding(Arg indices, const Embedding& module);

// Elementwise.
Var operator+(Arg a, Arg b);
Var operator*(Arg a, Arg b);
Var scale(Arg x);  // times a Python number
Var neg(Arg x);
Var equals_number(Arg x);
Var where(Arg condition, Arg x, Arg y);
Var masked_fill(Arg x, Arg mask);
Var cast_like(Arg x, Arg like);  // x.to(like.dtype)

// Activations, normalised exponentials, loss.
Var relu(Arg x, bool in_place = false);
Var gelu(Arg x);
Var tanh(Arg x);
Var sigmoid(Arg x);
Var silu(Arg x);
Var softmax(Arg x, std::int64_t dim = -1);
Var dropout(Arg x, std::int64_t millionths);
// Mean negative log-likelihood of labels [N] under logits [N, classes].
Var cross_entropy(Arg logits, Arg labels);

// Matrix products and attention.
Var matmul(Arg a, Arg b);
Var baddbmm(Arg input, Arg a, Arg b);  // input + alpha * a @ b, batched
// Causal scaled_dot_product_attention of q, k, v [batch, heads, sequence, head width].
Var causal_attention(Arg q, Arg k, Arg v, std::int64_t dropout_millionths);

// Views and copies.
Var view(Arg x, std::initializer_list<Extent> shape);
Var transpose(Arg x, std::int64_t dim0, std::int64_t dim1);
Var permute(Arg x, std::initializer_list<Extent> order);
Var unsqueeze(Arg x, std::int64_t dim);
Var contiguous(Arg x);
Var cat(Arg a, Arg b, std::int64_t dim);
// x[..., begin:end] along `dim`; bounds count as in Python (negative: from the end).
Var slice(Arg x, std::int64_t dim, Extent begin, Extent end);
Var index_rows(Arg x, Arg indices);  // x[indices], along the first dimension
std::array<Var, 3> split3(Arg x, std::int64_t size, std::int64_t dim);

// New tensors.
Var arange(Builder& builder, Extent end);                  // int64
Var zeros(Arg like, std::initializer_list<Extent> shape);  // dtype of `like`
Var scalar(Arg like);                                      // 0-d, dtype of `like`

}  // namespace memsim::models
