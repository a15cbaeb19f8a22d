#include "scenarios/workload/model_families.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/machine/units.hpp"
#include "models/network/architectures/gpt.hpp"
#include "models/network/architectures/gpt_neox.hpp"
#include "models/network/architectures/mlp.hpp"
#include "models/network/architectures/spec_checks.hpp"
#include "scenarios/schema/reader.hpp"
#include "scenarios/workload/model_size.hpp"

namespace memsim::scenarios {
namespace {

using models::Fraction;

// Far beyond any network, so that a slip of the hand is found at its key. Wide layers: embedding
// tables of recommendation models have some 10^8 rows, contexts some 10^7 tokens.
constexpr std::int64_t most_layers = models::most_layers;
constexpr std::int64_t most_hidden = 1 << 20;
constexpr std::int64_t most_rows = 1 << 28;
constexpr std::int64_t most_positions = 1 << 24;
constexpr std::int64_t most_width = 1 << 28;

// A count that every model of a family needs.
FieldRules size_rules(std::string_view help, std::string_view example, std::int64_t most,
                      std::vector<std::string_view> aliases = {}) {
  return {.help = help,
          .required = true,
          .example = example,
          .aliases = std::move(aliases),
          .least = 1,
          .most = most};
}

FieldRules dropout_rules(std::string_view help) {
  return {.help = help, .fallback = "0", .least = 0, .most = models::parts_per_million};
}

struct GptModel {
  ModelHeader header;
  models::GptSpec spec;
  Fraction dropout;
  std::optional<std::int64_t> inner;

  [[nodiscard]] models::GptSpec complete() const {
    models::GptSpec result = spec;
    result.dropout_millionths = dropout.value();
    result.inner = inner.value_or(0);
    return result;
  }
};

struct GptNeoxModel {
  ModelHeader header;
  models::GptNeoxSpec spec;
  Fraction rotary;
  Fraction dropout;
  std::optional<std::int64_t> inner;

  [[nodiscard]] models::GptNeoxSpec complete() const {
    models::GptNeoxSpec result = spec;
    result.rotary_millionths = rotary.value();
    result.dropout_millionths = dropout.value();
    result.inner = inner.value_or(0);
    return result;
  }
};

struct MlpLayer {
  std::int64_t width = 0;
};

struct MlpModel {
  ModelHeader header;
  models::MlpSpec spec;
  std::int64_t input = 0;
  std::vector<MlpLayer> layers;
  Fraction dropout;

  [[nodiscard]] models::MlpSpec complete() const {
    models::MlpSpec result = spec;
    result.widths = {input};
    for (const MlpLayer& layer : layers) result.widths.push_back(layer.width);
    result.dropout_millionths = dropout.value();
    return result;
  }
};

// A specification's own complaint, "heads: 5 does not divide ...", at the key it names.
void add_defect(const sim::Error& error, const Node& table, Diagnostics& diagnostics) {
  const std::size_t colon = error.message.find(':');
  Diagnostic diagnostic;
  diagnostic.code = "E135";
  diagnostic.location = table.value_location(error.message.substr(0, colon));
  diagnostic.message = error.message;
  diagnostics.add(std::move(diagnostic));
}

template <class Model>
void check_heads(const Model& model, const Node& table, Diagnostics& diagnostics) {
  if (const auto wrong = models::heads_defect(model.spec.hidden, model.spec.heads))
    add_defect(*wrong, table, diagnostics);
}

// The keys that GPT and GPT-NeoX share.
template <class Model>
Schema<Model> transformer_schema(std::string title) {
  Schema<Model> schema(std::move(title));
  schema.include(&Model::header, model_header_schema())
      .field(
          "layers", [](Model& m) -> auto& { return m.spec.layers; },
          size_rules("blocks of attention and feed-forward part", "24", most_layers,
                     {"layer", "depth"}))
      .field(
          "hidden", [](Model& m) -> auto& { return m.spec.hidden; },
          size_rules("width of the residual stream", "2048", most_hidden, {"embd", "width"}))
      .field(
          "heads", [](Model& m) -> auto& { return m.spec.heads; },
          size_rules("attention heads; they divide `hidden`", "16", most_hidden, {"head"}))
      .field(
          "vocabulary", [](Model& m) -> auto& { return m.spec.vocabulary; },
          size_rules("rows of the token embedding", "50257", most_rows, {"vocab"}))
      .field(
          "positions", [](Model& m) -> auto& { return m.spec.positions; },
          size_rules("longest sequence", "2048", most_positions, {"ctx", "context"}))
      .field("inner", &Model::inner,
             {.help = "width of the feed-forward part; 4 x hidden if absent",
              .least = 1,
              .most = most_width})
      .field("dropout", &Model::dropout, dropout_rules("rate of every dropout"))
      .check(check_heads<Model>, {"hidden", "heads"});
  return schema;
}

const Schema<GptModel>& gpt_schema() {
  static const Schema<GptModel> schema =
      transformer_schema<GptModel>("gpt model")
          .field("bias", [](GptModel& m) -> auto& { return m.spec.bias; },
                 {.help = "whether Linear and LayerNorm have one", .fallback = "true"})
          .choice("mask", [](GptModel& m) -> auto& { return m.spec.mask_type; },
                  std::vector<std::pair<std::string_view, models::DataType>>{
                      {"bool", models::DataType::boolean}, {"fp32", models::DataType::fp32}},
                  {.help = "type of the causal mask of eager attention", .fallback = "bool"});
  return schema;
}

const Schema<GptNeoxModel>& gpt_neox_schema() {
  static const Schema<GptNeoxModel> schema =
      transformer_schema<GptNeoxModel>("gpt_neox model")
          .field("rotary", &GptNeoxModel::rotary,
                 {.help = "share of each head that is rotated",
                  .fallback = "0.25",
                  .least = 0,
                  .most = models::parts_per_million});
  return schema;
}

const Schema<MlpLayer>& mlp_layer_schema() {
  static const Schema<MlpLayer> schema = Schema<MlpLayer>("layer").field(
      "width", &MlpLayer::width, size_rules("outputs of this layer", "256", most_width));
  return schema;
}

const Schema<MlpModel>& mlp_schema() {
  using models::Activation;
  static const Schema<MlpModel> schema =
      Schema<MlpModel>("mlp model")
          .include(&MlpModel::header, model_header_schema())
          .field("input", &MlpModel::input, size_rules("width of a sample", "784", most_width))
          .list("layer", &MlpModel::layers, mlp_layer_schema(),
                {.help = "fully connected layers; the last one's width is the number of classes",
                 .required = true,
                 .least = 1,
                 .most = most_layers})
          .choice(
              "activation", [](MlpModel& m) -> auto& { return m.spec.activation; },
              std::vector<std::pair<std::string_view, Activation>>{{"relu", Activation::relu},
                                                                   {"gelu", Activation::gelu},
                                                                   {"tanh", Activation::tanh},
                                                                   {"sigmoid", Activation::sigmoid},
                                                                   {"silu", Activation::silu}},
              {.help = "between the layers", .fallback = "relu"})
          .field("in_place", [](MlpModel& m) -> auto& { return m.spec.in_place; },
                 {.help = "whether ReLU overwrites its input", .fallback = "false"})
          .field("bias", [](MlpModel& m) -> auto& { return m.spec.bias; },
                 {.help = "whether layers have one", .fallback = "true"})
          .field("dropout", &MlpModel::dropout, dropout_rules("rate after each activation"));
  return schema;
}

template <class Model>
std::optional<models::Network> read_model(const Schema<Model>& schema, const Node& table,
                                          Diagnostics& diagnostics, Settings& settings,
                                          models::Network (*make)(const decltype(Model::spec)&)) {
  const PartlyRead<Model> model = read_partly(schema, table, diagnostics, &settings);
  if (!model.faults.empty()) return std::nullopt;
  const auto spec = model.record.complete();
  if (const auto wrong = models::defect(spec)) {
    add_defect(*wrong, table, diagnostics);
    return std::nullopt;
  }
  models::Network network = make(spec);
  if (!check_size(network, settings, diagnostics)) return std::nullopt;
  return network;
}

std::optional<models::Network> read_gpt(const Node& table, Diagnostics& diagnostics,
                                        Settings& settings) {
  return read_model(gpt_schema(), table, diagnostics, settings, models::gpt);
}
std::optional<models::Network> read_gpt_neox(const Node& table, Diagnostics& diagnostics,
                                             Settings& settings) {
  return read_model(gpt_neox_schema(), table, diagnostics, settings, models::gpt_neox);
}
std::optional<models::Network> read_mlp(const Node& table, Diagnostics& diagnostics,
                                        Settings& settings) {
  return read_model(mlp_schema(), table, diagnostics, settings, models::mlp);
}

constexpr std::array<ModelFamily, 3> families{
    {{"gpt", "GPT-2 and GPT-3: learned positions, head tied to the embedding",
      []() -> const TableSchema* { return &gpt_schema(); }, read_gpt},
     {"gpt_neox", "GPT-NeoX and Pythia: rotary positions, parallel residual, own head",
      []() -> const TableSchema* { return &gpt_neox_schema(); }, read_gpt_neox},
     {"mlp", "fully connected layers with an activation between them",
      []() -> const TableSchema* { return &mlp_schema(); }, read_mlp}}};

}  // namespace

std::span<const ModelFamily> model_families() { return families; }

const ModelFamily* find_model_family(std::string_view name) {
  for (const ModelFamily& family : families)
    if (family.name == name) return &family;
  return nullptr;
}

const Schema<ModelHeader>& model_header_schema() {
  static const Schema<ModelHeader> schema =
      Schema<ModelHeader>("model")
          .field("name", &ModelHeader::name,
                 {.help = "for people; the name of the file if absent",
                  .fallback = "",
                  .most = longest_name})
          .field("family", &ModelHeader::family,
                 {.help = "gpt, gpt_neox or mlp", .required = true, .example = "gpt"});
  return schema;
}

}  // namespace memsim::scenarios
