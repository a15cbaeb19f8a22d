// Specifications that cannot be built say which field is wrong.
#include <string>

#include "models/network/architectures/gpt.hpp"
#include "models/network/architectures/gpt_neox.hpp"
#include "models/network/architectures/mlp.hpp"
#include "models/network/architectures/spec_checks.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

template <class Spec>
std::string message(const Spec& spec) {
  const auto error = defect(spec);
  return error ? error->message : "";
}

TEST_CASE("a specification as it comes can be built") {
  CHECK(message(GptSpec{}).empty());
  CHECK(message(GptNeoxSpec{}).empty());
  MlpSpec spec;
  spec.widths = {4, 2};
  CHECK(message(spec).empty());
}

TEST_CASE("of several fields out of bounds the first is named") {
  const auto first = [](std::int64_t layers, std::int64_t heads) {
    const auto error =
        first_defect({{"layers", layers, 1, most_layers}, {"heads", heads, 1}}, 64, heads, 0);
    return error ? error->message : "";
  };
  CHECK(first(most_layers, 8).empty());
  CHECK(first(most_layers + 1, 0) == "layers: 4097 is more than 4096");
  CHECK(first(1, 0) == "heads: 0 is less than 1");
  CHECK(first(1, 7) == "heads: 7 do not divide hidden 64");
}

TEST_CASE("a network knows whether it has tokens and attention") {
  CHECK(has_sequence(gpt(GptSpec{})));
  CHECK(has_attention(gpt(GptSpec{})));
  CHECK(has_attention(gpt_neox(GptNeoxSpec{})));
  MlpSpec layers;
  layers.widths = {4, 2};
  CHECK_FALSE(has_sequence(mlp(layers)));
  CHECK_FALSE(has_attention(mlp(layers)));
}

TEST_CASE("a GPT's heads must divide its width") {
  GptSpec spec;
  spec.heads = 7;
  CHECK(message(spec) == "heads: 7 do not divide hidden 768");
}

TEST_CASE("a GPT's sizes must be positive and within reason") {
  GptSpec spec;
  spec.layers = 0;
  CHECK(message(spec) == "layers: 0 is less than 1");
  spec = {};
  spec.layers = 5000;
  CHECK(message(spec) == "layers: 5000 is more than 4096");
  spec = {};
  spec.dropout_millionths = 1'000'001;
  CHECK(message(spec) == "dropout: not between 0 and 1");
  spec = {};
  spec.inner = -1;
  CHECK(message(spec) == "inner: -1 is less than 0");
}

TEST_CASE("the rotated part of a GPT-NeoX head must be even and not empty") {
  GptNeoxSpec spec;
  spec.rotary_millionths = 0;
  CHECK(message(spec).find("rotary: the rotated part of a head has 0") == 0);
  spec.rotary_millionths = 2'000'000;
  CHECK(message(spec) == "rotary: not between 0 and 1");
  spec.rotary_millionths = 1'000'000;
  CHECK(message(spec).empty());
  spec.heads = 3;
  CHECK(message(spec) == "heads: 3 do not divide hidden 2048");
}

TEST_CASE("a multi-layer perceptron needs two widths above zero") {
  MlpSpec spec;
  spec.widths = {4};
  CHECK(message(spec) == "widths: at least the input and the classes");
  spec.widths = {4, 0};
  CHECK(message(spec).find("widths: 0 is not between 1") == 0);
  spec.widths = {4, 4};
  spec.dropout_millionths = -1;
  CHECK(message(spec) == "dropout: not between 0 and 1");
  spec.dropout_millionths = 0;
  spec.widths.assign(5000, 1);
  CHECK(message(spec) == "widths: more than 4096");
}

}  // namespace
}  // namespace memsim::models
