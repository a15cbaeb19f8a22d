// Parameter counts of published models, against the integers of their papers' formulas:
// GPT with a tied head and learned positions: 12 L h^2 + 13 L h + (V + T) h + 2 h; Pythia with a
// head of its own and rotary positions: 12 L h^2 + 13 L h + 2 V h + 2 h.
#include <string>

#include "models/network/architectures/gpt.hpp"
#include "models/network/architectures/gpt_neox.hpp"
#include "models/network/architectures/mlp.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

struct GptCount {
  const char* name;
  std::int64_t layers, hidden, heads, vocabulary, positions, parameters;
};

constexpr GptCount gpt_counts[] = {
    {"125m", 12, 768, 12, 50257, 2048, 125'226'240},
    {"350m", 24, 1024, 16, 50257, 2048, 355'871'744},
    {"760m", 24, 1536, 16, 50257, 2048, 760'300'032},
    {"1.3b", 24, 2048, 16, 50257, 2048, 1'315'723'264},
    {"2.7b", 32, 2560, 32, 50257, 2048, 2'651'553'280},
    {"6.7b", 32, 4096, 32, 50257, 2048, 6'658'404'352},
    {"13b", 40, 5120, 40, 50257, 2048, 12'853'386'240},
    {"22b", 48, 6144, 64, 51200, 2048, 22'074'273'792},
    {"175b", 96, 12288, 96, 50257, 2048, 174'604'259'328},
    {"530b", 105, 20480, 128, 51200, 2048, 529'600'819'200},
    {"1t", 128, 25600, 160, 51200, 2048, 1'008'038'758'400},
    {"gpt2", 12, 768, 12, 50257, 1024, 124'439'808},
    {"gpt2-medium", 24, 1024, 16, 50257, 1024, 354'823'168},
    {"gpt2-large", 36, 1280, 20, 50257, 1024, 774'030'080},
    {"gpt2-xl", 48, 1600, 25, 50257, 1024, 1'557'611'200},
};

TEST_CASE("GPT networks have the published number of parameters") {
  for (const GptCount& count : gpt_counts) {
    INFO(count.name);
    GptSpec spec;
    spec.layers = count.layers;
    spec.hidden = count.hidden;
    spec.heads = count.heads;
    spec.vocabulary = count.vocabulary;
    spec.positions = count.positions;
    REQUIRE_FALSE(defect(spec).has_value());
    const Network network = gpt(spec);
    CHECK(parameter_count(network) == count.parameters);
    CHECK(network.layers == static_cast<std::uint32_t>(count.layers));
  }
}

TEST_CASE("Pythia-1B has the published number of parameters") {
  CHECK(parameter_count(gpt_neox(GptNeoxSpec{})) == 1'011'781'632);
}

TEST_CASE("a GPT without biases has weights only") {
  GptSpec spec;
  spec.vocabulary = 100;
  spec.positions = 10;
  spec.layers = 2;
  spec.heads = 2;
  spec.hidden = 8;
  spec.bias = false;
  // (V + T) h + L (12 h^2 + 2 h) + h
  CHECK(parameter_count(gpt(spec)) == 110 * 8 + 2 * (12 * 64 + 16) + 8);
}

TEST_CASE("the inner width of the feed-forward part can be set") {
  GptSpec spec;
  spec.vocabulary = 100;
  spec.positions = 10;
  spec.layers = 1;
  spec.heads = 2;
  spec.hidden = 8;
  const std::int64_t usual = parameter_count(gpt(spec));
  spec.inner = 33;  // one more than 4 h: a row and a column of h, and a bias
  CHECK(parameter_count(gpt(spec)) == usual + 2 * 8 + 1);
}

TEST_CASE("a multi-layer perceptron has a weight and a bias per pair of widths") {
  MlpSpec spec;
  spec.widths = {784, 512, 256, 10};
  CHECK(parameter_count(mlp(spec)) == 784 * 512 + 512 + 512 * 256 + 256 + 256 * 10 + 10);
  spec.bias = false;
  CHECK(parameter_count(mlp(spec)) == 784 * 512 + 512 * 256 + 256 * 10);
}

}  // namespace
}  // namespace memsim::models
