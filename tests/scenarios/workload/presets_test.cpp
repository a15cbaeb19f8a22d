#include <map>
#include <string>

#include "models/network/network.hpp"
#include "scenarios/workload/workload.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

const std::filesystem::path scenarios_folder =
    std::filesystem::path(MEMSIM_SOURCE_DIR) / "scenarios";

// GPT: 12 L h^2 + 13 L h + (V + T) h + 2 h; GPT-NeoX with a head of its own and without positions:
// 12 L h^2 + 13 L h + 2 V h + 2 h; published sizes of GPT-2.
const std::map<std::string, std::int64_t> published{
    {"125m", 125'226'240},     {"350m", 355'871'744},        {"760m", 760'300'032},
    {"1b", 1'011'781'632},     {"1.3b", 1'315'723'264},      {"2.7b", 2'651'553'280},
    {"6.7b", 6'658'404'352},   {"13b", 12'853'386'240},      {"22b", 22'074'273'792},
    {"175b", 174'604'259'328}, {"530b", 529'600'819'200},    {"1t", 1'008'038'758'400},
    {"gpt2", 124'439'808},     {"gpt2-medium", 354'823'168}, {"gpt2-large", 774'030'080},
    {"gpt2-xl", 1'557'611'200}};

TEST_CASE("every preset is a model with the published number of parameters") {
  const auto presets = model_presets(scenarios_folder);
  CHECK(presets.size() == published.size());
  for (const std::string& preset : presets) {
    Sources sources;
    Diagnostics diagnostics;
    const auto model = read_model(scenarios_folder, preset, {}, sources, diagnostics);
    INFO(preset << diagnostics.text(""));
    REQUIRE(model.has_value());
    CHECK(model->name == preset);
    REQUIRE(published.contains(preset));
    CHECK(models::parameter_count(model->network) == published.at(preset));
  }
}

}  // namespace
}  // namespace memsim::scenarios
