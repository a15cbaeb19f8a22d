#include "models/network/architectures/gpt_neox.hpp"

#include <string>
#include <vector>

#include "models/network/architectures/spec_checks.hpp"
#include "models/network/functional.hpp"

namespace memsim::models {
namespace {

std::int64_t rotary_width(const GptNeoxSpec& spec) {
  return spec.hidden / spec.heads * spec.rotary_millionths / 1'000'000;
}

// cat((-x2, x1)): the halves of the last dimension, turned by a quarter.
Var rotate_half(Arg x, std::int64_t width) {
  const Scope scope(x);
  const Var x1 = slice(x, -1, 0, width / 2);
  const Var x2 = slice(x, -1, width / 2, width);
  return cat(neg(x2), x1, -1);
}

class Block {
 public:
  Block(Builder& builder, std::string name, const GptNeoxSpec& spec, std::int64_t inner)
      : spec_(&spec), head_width_(spec.hidden / spec.heads), rotary_(rotary_width(spec)) {
    const ModuleScope block(builder, std::move(name));
    const std::int64_t width = spec.hidden;
    input_norm_ = make_layer_norm(builder, "input_layernorm", width);
    post_norm_ = make_layer_norm(builder, "post_attention_layernorm", width);
    {
      const ModuleScope attention(builder, "attention");
      {
        const ModuleScope rotary(builder, "rotary_emb");
        builder.buffer("inv_freq", {rotary_ / 2}, DataType::fp32);
        cos_ = builder.buffer("cos_cached", {spec.positions, rotary_}, DataType::fp32);
        sin_ = builder.buffer("sin_cached", {spec.positions, rotary_}, DataType::fp32);
      }
      qkv_ = make_linear(builder, "query_key_value", width, 3 * width);
      dense_ = make_linear(builder, "dense", width, width);
      mask_ = builder.buffer("bias", {1, 1, spec.positions, spec.positions}, DataType::boolean,
                             Presence::eager_attention);
      builder.buffer("masked_bias", {}, DataType::fp32);
    }
    const ModuleScope mlp(builder, "mlp");
    mlp_in_ = make_linear(builder, "dense_h_to_4h", width, inner);
    mlp_out_ = make_linear(builder, "dense_4h_to_h", inner, width);
  }

  Var operator()(Arg x, const Var& positions) const {
    const Scope scope(x);
    Var attended = attention(layer_norm(x, input_norm_), positions);
    attended = dropout(attended, spec_->dropout_millionths);
    Var transformed = mlp(layer_norm(x, post_norm_));
    transformed = dropout(transformed, spec_->dropout_millionths);
    return transformed + attended + x;
  }

 private:
  Var attention(Arg x, const Var& positions) const {
    const Scope scope(x);
    Var qkv = linear(x, qkv_);
    qkv = view(qkv, {same_extent, same_extent, spec_->heads, 3 * head_width_});
    Var query = head(qkv, 0);
    Var key = head(qkv, 1);
    const Var value = head(qkv, 2);
    const Var query_rotated = slice(query, -1, 0, rotary_);
    const Var query_kept = slice(query, -1, rotary_, head_width_);
    const Var key_rotated = slice(key, -1, 0, rotary_);
    const Var key_kept = slice(key, -1, rotary_, head_width_);
    const Var cos = cast_like(cos_, value);
    const Var sin = cast_like(sin_, value);
    const auto [query_turned, key_turned] =
        apply_rotary(query_rotated, key_rotated, cos, sin, positions);
    query = cat(query_turned, query_kept, -1);
    key = cat(key_turned, key_kept, -1);
    Var output = x.builder().attention([&] { return eager_attention(query, key, value); },
                                       [&] { return causal_attention(query, key, value, 0); });
    output =
        view(contiguous(permute(output, {0, 2, 1, 3})), {same_extent, same_extent, spec_->hidden});
    output = linear(output, dense_);
    return output;
  }

  // The part-th third of each head of qkv [batch, sequence, heads, 3 x head width].
  Var head(const Var& qkv, std::int64_t part) const {
    return permute(slice(qkv, -1, part * head_width_, (part + 1) * head_width_), {0, 2, 1, 3});
  }

  std::pair<Var, Var> apply_rotary(const Var& query, const Var& key, const Var& all_cos,
                                   const Var& all_sin, const Var& positions) const {
    const Scope scope(query.builder());
    const Var cos = unsqueeze(index_rows(all_cos, positions), 1);
    const Var sin = unsqueeze(index_rows(all_sin, positions), 1);
    Var query_turned = (query * cos) + (rotate_half(query, rotary_) * sin);
    Var key_turned = (key * cos) + (rotate_half(key, rotary_) * sin);
    return {std::move(query_turned), std::move(key_turned)};
  }

  Var eager_attention(const Var& query_heads, const Var& key_heads, const Var& value) const {
    const Scope scope(value.builder());
    const Extent all_heads{Extent::Base::batch, spec_->heads};
    const Var mask = slice(slice(mask_, 2, 0, sequence_extent), 3, 0, sequence_extent);
    const Var query = view(query_heads, {all_heads, sequence_extent, head_width_});
    const Var key = view(key_heads, {all_heads, sequence_extent, head_width_});
    Var scores = zeros(query, {all_heads, sequence_extent, sequence_extent});
    scores = baddbmm(scores, query, transpose(key, 1, 2));
    scores = view(scores, {batch_extent, spec_->heads, sequence_extent, sequence_extent});
    const Var mask_value = scalar(scores);
    scores = where(mask, scores, mask_value);
    Var weights = softmax(scores);
    weights = cast_like(weights, value);
    return matmul(weights, value);
  }

  Var mlp(Arg input) const {
    const Scope scope(input);
    Var x = input.name();
    x = linear(x, mlp_in_);
    x = gelu(x);
    x = linear(x, mlp_out_);
    return x;
  }

  const GptNeoxSpec* spec_;
  std::int64_t head_width_;
  std::int64_t rotary_;
  LayerNorm input_norm_, post_norm_;
  Linear qkv_, dense_, mlp_in_, mlp_out_;
  Var cos_, sin_, mask_;
};

}  // namespace

std::optional<sim::Error> defect(const GptNeoxSpec& spec) {
  if (auto error = first_defect({{"vocabulary", spec.vocabulary, 1},
                                 {"positions", spec.positions, 1},
                                 {"layers", spec.layers, 1, most_layers},
                                 {"heads", spec.heads, 1},
                                 {"hidden", spec.hidden, 1},
                                 {"inner", spec.inner, 0}},
                                spec.hidden, spec.heads, spec.dropout_millionths))
    return error;
  if (spec.rotary_millionths < 0 || spec.rotary_millionths > 1'000'000)
    return sim::Error{"rotary: not between 0 and 1"};
  if (rotary_width(spec) < 2 || rotary_width(spec) % 2 != 0)
    return sim::Error{"rotary: the rotated part of a head has " +
                      std::to_string(rotary_width(spec)) + " elements, not an even number above 0"};
  return std::nullopt;
}

Network gpt_neox(const GptNeoxSpec& spec) {
  const std::int64_t inner = spec.inner == 0 ? 4 * spec.hidden : spec.inner;
  Builder builder;
  builder.limit_sequence(spec.positions);
  const Var ids = builder.input("ids", {batch_extent, sequence_extent}, DataType::int64);
  const Var labels = builder.input("labels", {batch_extent, sequence_extent}, DataType::int64);
  const Embedding embed_in = make_embedding(builder, "embed_in", spec.vocabulary, spec.hidden);
  std::vector<Block> blocks;
  blocks.reserve(static_cast<std::size_t>(spec.layers));
  for (std::int64_t i = 0; i < spec.layers; ++i)
    blocks.emplace_back(builder, "layers." + std::to_string(i), spec, inner);
  const LayerNorm final_norm = make_layer_norm(builder, "final_layer_norm", spec.hidden);
  const Linear embed_out =
      make_linear(builder, "embed_out", spec.hidden, spec.vocabulary, /*bias=*/false);
  {
    const Scope scope(builder);
    const Var positions = unsqueeze(arange(builder, sequence_extent), 0);
    Var hidden = dropout(embedding(ids, embed_in), spec.dropout_millionths);
    for (const Block& block : blocks)
      hidden =
          builder.layer({hidden.id(), positions.id()}, [&] { return block(hidden, positions); });
    hidden = layer_norm(hidden, final_norm);
    const Var logits = linear(hidden, embed_out);
    // Token t predicts token t + 1.
    const Var shifted = contiguous(slice(logits, 1, 0, -1));
    const Var targets = contiguous(slice(labels, 1, 1, sequence_extent));
    const Var loss =
        cross_entropy(view(shifted, {rest_extent, spec.vocabulary}), view(targets, {rest_extent}));
    builder.result(loss, logits);
  }
  return builder.finish();
}

}  // namespace memsim::models
