#include "models/network/functional.hpp"

#include <utility>

namespace memsim::models {
namespace {

// An optional parameter as an operand.
struct Optional {
  explicit Optional(const Var& name) : arg(name), pointer(name ? &arg : nullptr) {}
  Arg arg;
  Arg* pointer;
};

}  // namespace

Linear make_linear(Builder& builder, std::string name, std::int64_t in, std::int64_t out,
                   bool bias) {
  const ModuleScope module(builder, std::move(name));
  return {builder.parameter("weight", {out, in}), bias ? builder.parameter("bias", {out}) : Var()};
}

LayerNorm make_layer_norm(Builder& builder, std::string name, std::int64_t width, bool bias) {
  const ModuleScope module(builder, std::move(name));
  return {builder.parameter("weight", {width}), bias ? builder.parameter("bias", {width}) : Var()};
}

Embedding make_embedding(Builder& builder, std::string name, std::int64_t rows,
                         std::int64_t width) {
  const ModuleScope module(builder, std::move(name));
  return {builder.parameter("weight", {rows, width})};
}

Var linear(Arg x, const Linear& module) {
  Arg weight(module.weight);
  const Optional bias(module.bias);
  return x.builder().call("linear", {&x, &weight, bias.pointer});
}

Var layer_norm(Arg x, const LayerNorm& module) {
  Arg weight(module.weight);
  const Optional bias(module.bias);
  return x.builder().call("layer_norm", {&x, &weight, bias.pointer});
}

Var embedding(Arg indices, const Embedding& module) {
  Arg weight(module.weight);
  return indices.builder().call("embedding", {&indices, &weight});
}

Var operator+(Arg a, Arg b) { return a.builder().call("add", {&a, &b}); }
Var operator*(Arg a, Arg b) { return a.builder().call("mul", {&a, &b}); }
Var scale(Arg x) { return x.builder().call("scale", {&x}); }
Var neg(Arg x) { return x.builder().call("neg", {&x}); }
Var equals_number(Arg x) { return x.builder().call("equals_number", {&x}); }
Var where(Arg condition, Arg x, Arg y) { return x.builder().call("where", {&condition, &x, &y}); }
Var masked_fill(Arg x, Arg mask) { return x.builder().call("masked_fill", {&x, &mask}); }
Var cast_like(Arg x, Arg like) { return x.builder().call("cast_like", {&x, &like}); }

Var relu(Arg x, bool in_place) { return x.builder().call(in_place ? "relu_" : "relu", {&x}); }
Var gelu(Arg x) { return x.builder().call("gelu", {&x}); }
Var tanh(Arg x) { return x.builder().call("tanh", {&x}); }
Var sigmoid(Arg x) { return x.builder().call("sigmoid", {&x}); }
Var silu(Arg x) { return x.builder().call("silu", {&x}); }
Var softmax(Arg x, std::int64_t dim) { return x.builder().call("softmax", {&x}, {dim}); }
Var dropout(Arg x, std::int64_t millionths) {
  return x.builder().call("dropout", {&x}, {millionths});
}
Var cross_entropy(Arg logits, Arg labels) {
  return logits.builder().call("cross_entropy", {&logits, &labels});
}

Var matmul(Arg a, Arg b) { return a.builder().call("matmul", {&a, &b}); }
Var baddbmm(Arg input, Arg a, Arg b) { return input.builder().call("baddbmm", {&input, &a, &b}); }
Var causal_attention(Arg q, Arg k, Arg v, std::int64_t dropout_millionths) {
  return q.builder().call("causal_attention", {&q, &k, &v}, {dropout_millionths});
}

Var view(Arg x, std::initializer_list<Extent> shape) {
  return x.builder().call("view", {&x}, shape);
}
Var transpose(Arg x, std::int64_t dim0, std::int64_t dim1) {
  return x.builder().call("transpose", {&x}, {dim0, dim1});
}
Var permute(Arg x, std::initializer_list<Extent> order) {
  return x.builder().call("permute", {&x}, order);
}
Var unsqueeze(Arg x, std::int64_t dim) { return x.builder().call("unsqueeze", {&x}, {dim}); }
Var contiguous(Arg x) { return x.builder().call("contiguous", {&x}); }
Var cat(Arg a, Arg b, std::int64_t dim) { return a.builder().call("cat", {&a, &b}, {dim}); }
Var slice(Arg x, std::int64_t dim, Extent begin, Extent end) {
  return x.builder().call("slice", {&x}, {dim, begin, end});
}
Var index_rows(Arg x, Arg indices) { return x.builder().call("index_rows", {&x, &indices}); }

std::array<Var, 3> split3(Arg x, std::int64_t size, std::int64_t dim) {
  std::vector<Var> parts = x.builder().call("split", {&x}, {size, dim}, 3);
  return {std::move(parts[0]), std::move(parts[1]), std::move(parts[2])};
}

Var arange(Builder& builder, Extent end) { return builder.call("arange", {}, {end}); }
Var zeros(Arg like, std::initializer_list<Extent> shape) {
  return like.builder().call("zeros", {&like}, shape);
}
Var scalar(Arg like) { return like.builder().call("scalar", {&like}); }

}  // namespace memsim::models
