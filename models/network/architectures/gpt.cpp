#include "models/network/architectures/gpt.hpp"

#include <string>
#include <vector>

#include "models/network/architectures/spec_checks.hpp"
#include "models/network/functional.hpp"

namespace memsim::models {
namespace {

class Block {
 public:
  Block(Builder& builder, std::string name, const GptSpec& spec, std::int64_t inner)
      : spec_(&spec) {
    const ModuleScope block(builder, std::move(name));
    const std::int64_t width = spec.hidden;
    ln_1_ = make_layer_norm(builder, "ln_1", width, spec.bias);
    {
      const ModuleScope attn(builder, "attn");
      c_attn_ = make_linear(builder, "c_attn", width, 3 * width, spec.bias);
      c_proj_ = make_linear(builder, "c_proj", width, width, spec.bias);
      mask_ = builder.buffer("bias", {1, 1, spec.positions, spec.positions}, spec.mask_type,
                             Presence::eager_attention);
    }
    ln_2_ = make_layer_norm(builder, "ln_2", width, spec.bias);
    const ModuleScope mlp(builder, "mlp");
    mlp_fc_ = make_linear(builder, "c_fc", width, inner, spec.bias);
    mlp_proj_ = make_linear(builder, "c_proj", inner, width, spec.bias);
  }

  Var operator()(Arg input) const {
    const Scope scope(input);
    Var x = input.name();
    x = x + attention(layer_norm(x, ln_1_));
    x = x + mlp(layer_norm(x, ln_2_));
    return x;
  }

 private:
  Var attention(Arg x) const {
    const Scope scope(x);
    const std::int64_t width = spec_->hidden;
    const auto [q, k, v] = heads(split3(linear(x, c_attn_), width, 2));
    Var att;
    Var y = x.builder().attention(
        [&, &q = q, &k = k, &v = v] {
          att = scale(matmul(q, transpose(k, -2, -1)));
          att = masked_fill(att, equals_number(visible_mask()));
          att = softmax(att);
          att = dropout(att, spec_->dropout_millionths);
          return matmul(att, v);
        },
        [&, &q = q, &k = k, &v = v] {
          return causal_attention(q, k, v, spec_->dropout_millionths);
        });
    y = view(contiguous(transpose(y, 1, 2)), {same_extent, same_extent, width});
    return dropout(linear(y, c_proj_), spec_->dropout_millionths);
  }

  Var mlp(Arg input) const {
    const Scope scope(input);
    Var x = input.name();
    x = linear(x, mlp_fc_);
    x = gelu(x);
    x = linear(x, mlp_proj_);
    x = dropout(x, spec_->dropout_millionths);
    return x;
  }

  // [batch, sequence, width] -> [batch, heads, sequence, head width], each rebound in turn.
  std::array<Var, 3> heads(std::array<Var, 3> qkv) const {
    const std::int64_t head_width = spec_->hidden / spec_->heads;
    for (Var& part : qkv)
      part = transpose(view(part, {same_extent, same_extent, spec_->heads, head_width}), 1, 2);
    return qkv;
  }

  // mask[:, :, :T, :T]
  Var visible_mask() const {
    return slice(slice(mask_, 2, 0, sequence_extent), 3, 0, sequence_extent);
  }

  const GptSpec* spec_;
  LayerNorm ln_1_, ln_2_;
  Linear c_attn_, c_proj_, mlp_fc_, mlp_proj_;
  Var mask_;
};

}  // namespace

std::optional<sim::Error> defect(const GptSpec& spec) {
  return first_defect({{"vocabulary", spec.vocabulary, 1},
                       {"positions", spec.positions, 1},
                       {"layers", spec.layers, 1, most_layers},
                       {"heads", spec.heads, 1},
                       {"hidden", spec.hidden, 1},
                       {"inner", spec.inner, 0}},
                      spec.hidden, spec.heads, spec.dropout_millionths);
}

Network gpt(const GptSpec& spec) {
  const std::int64_t inner = spec.inner == 0 ? 4 * spec.hidden : spec.inner;
  Builder builder;
  builder.limit_sequence(spec.positions);
  const Var ids = builder.input("ids", {batch_extent, sequence_extent}, DataType::int64);
  const Var labels = builder.input("labels", {batch_extent, sequence_extent}, DataType::int64);
  const Embedding wte = make_embedding(builder, "wte", spec.vocabulary, spec.hidden);
  const Embedding wpe = make_embedding(builder, "wpe", spec.positions, spec.hidden);
  std::vector<Block> blocks;
  blocks.reserve(static_cast<std::size_t>(spec.layers));
  for (std::int64_t i = 0; i < spec.layers; ++i)
    blocks.emplace_back(builder, "h." + std::to_string(i), spec, inner);
  const LayerNorm ln_f = make_layer_norm(builder, "ln_f", spec.hidden, spec.bias);
  const Linear lm_head{wte.weight, Var()};
  {
    const Scope scope(builder);
    const Var positions = arange(builder, sequence_extent);
    const Var token_embedding = embedding(ids, wte);
    const Var position_embedding = embedding(positions, wpe);
    Var x = dropout(token_embedding + position_embedding, spec.dropout_millionths);
    for (const Block& block : blocks) x = builder.layer({x.id()}, [&] { return block(x); });
    x = layer_norm(x, ln_f);
    const Var logits = linear(x, lm_head);
    const Var loss =
        cross_entropy(view(logits, {rest_extent, spec.vocabulary}), view(labels, {rest_extent}));
    builder.result(loss, logits);
  }
  return builder.finish();
}

}  // namespace memsim::models
