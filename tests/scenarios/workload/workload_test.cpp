#include "scenarios/workload/workload.hpp"

#include <unistd.h>

#include <fstream>
#include <string>

#include "scenarios/workload/training_settings.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

namespace fs = std::filesystem;

const fs::path scenarios_folder = fs::path(MEMSIM_SOURCE_DIR) / "scenarios";

// Reads one thing and keeps what its settings point into.
struct Reading {
  Sources sources;
  Diagnostics diagnostics;

  std::optional<Model> model(const std::string& wanted, std::vector<std::string> sets = {}) {
    const Overrides overrides = read_overrides(sets, {}, sources, diagnostics);
    auto model = read_model(scenarios_folder, wanted, overrides, sources, diagnostics);
    return diagnostics.has_errors() ? std::nullopt : std::move(model);
  }
  std::optional<Training> training(std::optional<std::string> file,
                                   std::vector<std::string> sets = {}) {
    const Overrides overrides = read_overrides(sets, {}, sources, diagnostics);
    auto training = read_training(file, overrides, sources, diagnostics);
    return diagnostics.has_errors() ? std::nullopt : std::move(training);
  }
  [[nodiscard]] std::string text() const { return diagnostics.text("nothing was simulated"); }
};

class File {
 public:
  explicit File(const std::string& text)
      : path_(fs::temp_directory_path() /
              ("memsim-workload-" + std::to_string(getpid()) + ".toml")) {
    std::ofstream(path_) << text;
  }
  ~File() { fs::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] std::string name() const { return path_.string(); }

 private:
  fs::path path_;
};

const Setting* find(const Settings& settings, std::string_view path) {
  for (const Setting& setting : settings)
    if (setting.path == path) return &setting;
  return nullptr;
}

TEST_CASE("without a file training has the documented defaults") {
  Reading reading;
  const auto training = reading.training(std::nullopt);
  REQUIRE(training.has_value());
  CHECK(training->spec.sequence == 1024);
  CHECK(training->spec.micro_batch == 1);
  CHECK(training->spec.accumulation == 1);
  CHECK(training->spec.precision == models::Precision::autocast_bf16);
  CHECK(training->spec.optimizer == models::OptimizerKind::adamw);
  CHECK(training->spec.implementation == models::OptimizerImplementation::foreach);
  CHECK(training->spec.checkpointing == models::Checkpointing::none);
  CHECK(training->spec.attention == models::AttentionKind::eager);
  REQUIRE(find(training->settings, "train.sequence") != nullptr);
  CHECK(origin(*find(training->settings, "train.sequence")) == "default");
}

TEST_CASE("the defaults of files are those of the specification that the lowering takes") {
  Reading reading;
  CHECK(changed_settings(models::TrainingSpec(), reading.training(std::nullopt)->spec).empty());
}

TEST_CASE("every setting of training can be written as it is printed") {
  models::TrainingSpec other;
  other.sequence = 7;
  other.micro_batch = 3;
  other.accumulation = 5;
  other.precision = models::Precision::pure_fp16;
  other.optimizer = models::OptimizerKind::sgd_momentum;
  other.implementation = models::OptimizerImplementation::fused;
  other.weight_decay = false;
  other.checkpointing = models::Checkpointing::reentrant;
  other.attention = models::AttentionKind::flash;
  other.zero_to_none = false;
  other.zero_at = models::ZeroGradAt::end;
  other.hold_outputs = true;
  std::vector<std::string> sets;
  for (const SettingValue& setting : changed_settings(models::TrainingSpec(), other))
    sets.push_back(setting.key + "=" + setting.value);
  CHECK(sets.size() == training_schema().fields().size());

  Reading reading;
  const auto training = reading.training(std::nullopt, sets);
  INFO(reading.text());
  REQUIRE(training.has_value());
  CHECK(training_settings(training->spec) == training_settings(other));
}

TEST_CASE("a training file is read, and --set replaces what it says") {
  const File file("schema = \"memsim.train/1\"\n[train]\nsequence = 2048\nmicro_batch = 4\n");
  Reading reading;
  const auto training = reading.training(file.name(), {"micro=8", "train.accumulation=2"});
  REQUIRE(training.has_value());
  CHECK(training->spec.sequence == 2048);
  CHECK(training->spec.micro_batch == 8);
  CHECK(training->spec.accumulation == 2);
  CHECK(origin(*find(training->settings, "train.sequence")) == file.name() + ":3");
  CHECK(origin(*find(training->settings, "train.micro_batch")) == "--set");
}

TEST_CASE("short names are keys of files too, but not beside the long one") {
  const File good("schema = \"memsim.train/1\"\n[train]\nseq = 2048\naccum = 3\n");
  Reading reading;
  const auto training = reading.training(good.name(), {"train.micro=2"});
  REQUIRE(training.has_value());
  CHECK(training->spec.sequence == 2048);
  CHECK(training->spec.accumulation == 3);
  CHECK(training->spec.micro_batch == 2);
}

TEST_CASE("a setting given under two names is reported") {
  const File twice("schema = \"memsim.train/1\"\n[train]\nseq = 2048\nsequence = 1024\n");
  Reading reading;
  CHECK_FALSE(reading.training(twice.name()).has_value());
  CHECK_THAT(reading.text(), Catch::Contains("E103") && Catch::Contains(":4:1"));
}

TEST_CASE("of two overrides of one setting the later one counts, alias or not") {
  Reading reading;
  CHECK(reading.training(std::nullopt, {"seq=512", "train.sequence=256"})->spec.sequence == 256);
}

TEST_CASE("an override that names nothing is reported at the text that was typed") {
  Reading reading;
  reading.training(std::nullopt, {"micro_bach=2"});
  CHECK(reading.text() ==
        "error[E104]: unknown key `micro_bach`\n"
        "  --> --set:1:1\n"
        "   |\n"
        " 1 | micro_bach=2\n"
        "   | ^^^^^^^^^^ neither a path nor a setting of [train]\n"
        "   |\n"
        "help: did you mean `micro_batch`?\n"
        "\n1 error; nothing was simulated\n");
}

TEST_CASE("an unknown key of a table and a wrong word are reported with what is known") {
  Reading reading;
  CHECK_FALSE(reading.training(std::nullopt, {"train.sequense=2", "precision=bf16"}).has_value());
  CHECK_THAT(reading.text(), Catch::Contains("unknown key `sequense`"));
  CHECK_THAT(reading.text(), Catch::Contains("did you mean `sequence`?"));
  CHECK_THAT(reading.text(), Catch::Contains("autocast_bf16"));
  CHECK_THAT(reading.text(), Catch::Contains("pure_bf16"));
  CHECK(reading.diagnostics.errors() == 2);
}

TEST_CASE("sizes that cannot be are out of range") {
  for (const char* set : {"seq=0", "micro=-1", "accum=0", "seq=2000000000"}) {
    Reading reading;
    CHECK_FALSE(reading.training(std::nullopt, {set}).has_value());
    CHECK_THAT(reading.text(), Catch::Contains("E124"));
  }
}

TEST_CASE("a model file describes a network") {
  // 784 x 256 + 256 + 256 x 10 + 10
  const File file(
      "schema = \"memsim.model/1\"\nname = \"digits\"\nfamily = \"mlp\"\ninput = 784\n"
      "layer = [{ width = 256 }, { width = 10 }]\n");
  Reading reading;
  const auto model = reading.model(file.name());
  INFO(reading.text());
  REQUIRE(model.has_value());
  CHECK(model->name == "digits");
  CHECK(model->family == "mlp");
  CHECK(models::parameter_count(model->network) == 203'530);
}

TEST_CASE("an override changes a preset") {
  Reading reading;
  const auto model = reading.model("125m", {"model.layers=24"});
  REQUIRE(model.has_value());
  // 125m has 12 layers of 12 h^2 + 13 h parameters, h = 768.
  CHECK(models::parameter_count(model->network) == 125'226'240 + 12 * (12 * 768 * 768 + 13 * 768));
  CHECK(origin(*find(model->settings, "model.layers")) == "--set");
  CHECK(origin(*find(model->settings, "model.hidden")) == "models/125m.toml:7");
}

TEST_CASE("presets are known with and without extension, unknown ones by the nearest name") {
  Reading reading;
  CHECK(reading.model("gpt2.toml").has_value());
  CHECK_FALSE(reading.model("gpt2-xxl").has_value());
  CHECK(reading.text() ==
        "error[E101]: no model `gpt2-xxl`: neither a file nor in the catalogue\n"
        "  --> command line:1:1\n"
        "   |\n"
        " 1 | gpt2-xxl\n"
        "   | ^^^^^^^^ did you mean `gpt2-xl`?\n"
        "   |\n"
        "help: `memsim model list` shows the catalogue\n"
        "\n1 error; nothing was simulated\n");
}

TEST_CASE("a file of another schema is refused") {
  Reading wrong_schema;
  const File gpu("schema = \"memsim.gpu/1\"\n");
  CHECK_FALSE(wrong_schema.model(gpu.name()).has_value());
  CHECK_THAT(wrong_schema.text(), Catch::Contains("E108"));
  CHECK_THAT(wrong_schema.text(), Catch::Contains("expected schema = \"memsim.model/1\""));
}

TEST_CASE("a model without a family, or of an unknown one, is told what there is") {
  const File none("schema = \"memsim.model/1\"\nlayers = 2\n");
  Reading missing;
  CHECK_FALSE(missing.model(none.name()).has_value());
  CHECK_THAT(missing.text(), Catch::Contains("E105"));
  CHECK_THAT(missing.text(), Catch::Contains("gpt, gpt_neox, mlp"));
  Reading unknown;
  CHECK_FALSE(unknown.model("1b", {"model.family=lama"}).has_value());
  CHECK_THAT(unknown.text(), Catch::Contains("E107"));
}

TEST_CASE("figures of a model that contradict each other are reported at the key") {
  Reading reading;
  CHECK_FALSE(reading.model("125m", {"model.heads=7"}).has_value());
  CHECK_THAT(reading.text(), Catch::Contains("E135"));
  CHECK_THAT(reading.text(), Catch::Contains("model.heads=7"));
}

TEST_CASE("a model without a name is called like its file, and listed so") {
  const File file(
      "schema = \"memsim.model/1\"\nfamily = \"mlp\"\ninput = 4\nlayer = [{ width = 2 }]\n");
  Reading reading;
  const auto model = reading.model(file.name());
  REQUIRE(model.has_value());
  CHECK(model->name == fs::path(file.name()).stem());
  CHECK(find(model->settings, "model.name")->value == model->name);
  CHECK(origin(*find(model->settings, "model.name")) == "default");
}

TEST_CASE("sizes beyond any network are refused at their keys") {
  for (const char* set :
       {"model.layers=4097", "model.hidden=2000000", "model.heads=2000000",
        "model.vocabulary=1000000000", "model.positions=100000000", "model.inner=1000000000"}) {
    Reading reading;
    CHECK_FALSE(reading.model("125m", {set}).has_value());
    INFO(reading.text());
    CHECK(reading.diagnostics.errors() == 1);
    CHECK_THAT(reading.text(), Catch::StartsWith("error[E124]"));
  }
  const File file(
      "schema = \"memsim.model/1\"\nfamily = \"mlp\"\ninput = 1000000000\n"
      "layer = [{ width = 1000000000 }, { width = 1 }]\n");
  Reading mlp;
  CHECK_FALSE(mlp.model(file.name()).has_value());
  CHECK(mlp.diagnostics.errors() == 2);
  const File none("schema = \"memsim.model/1\"\nfamily = \"mlp\"\ninput = 4\nlayer = []\n");
  Reading empty;
  CHECK_FALSE(empty.model(none.name()).has_value());
  CHECK_THAT(empty.text(), Catch::StartsWith("error[E105]: `layer` is missing"));
}

TEST_CASE("sizes that multiply to more than any memory are refused with their keys (E137)") {
  // Embedding: 200,000,000 x 1,048,576 elements of 4 bytes are 8.4e14; a layer of 1,048,576 has
  // 12 x 2^40 elements, 5.3e13 bytes: 4096 of them are more than 2^53 = 9.0e15.
  Reading reading;
  CHECK_FALSE(reading
                  .model("125m", {"model.layers=4096", "model.hidden=1048576", "model.heads=16",
                                  "model.vocabulary=200000000"})
                  .has_value());
  REQUIRE(reading.diagnostics.errors() == 1);
  const Diagnostic found = reading.diagnostics.sorted().front();
  CHECK(found.code == "E137");
  CHECK(text_at(found.location) == "1048576");
  REQUIRE(found.notes.size() == 1);
  CHECK_THAT(found.notes[0],
             Catch::Contains("200000000 (vocabulary = 200000000) x 1048576 (hidden = "
                             "1048576)"));
  // 100 layers of it are within: 100 x 5.3e13 + 8.4e14 = 6.1e15.
  Reading within;
  CHECK(within
            .model("125m", {"model.layers=100", "model.hidden=1048576", "model.heads=16",
                            "model.vocabulary=200000000"})
            .has_value());
  // Masks count too: 2^24 x 2^24 flags are 2.8e14 bytes, in 96 layers 2.7e16.
  Reading masks;
  CHECK_FALSE(masks.model("175b", {"model.positions=16777216"}).has_value());
  CHECK_THAT(masks.text(), Catch::Contains("positions"));
}

TEST_CASE("overrides reach the layers of a model by the paths that are shown") {
  const File file(
      "schema = \"memsim.model/1\"\nfamily = \"mlp\"\ninput = 4\n"
      "layer = [{ width = 3 }, { width = 2 }]\n");
  Reading reading;
  const auto model = reading.model(file.name(), {"model.layer[0].width=5"});
  REQUIRE(model.has_value());
  // 4 x 5 + 5 + 5 x 2 + 2
  CHECK(models::parameter_count(model->network) == 37);
  Reading none;
  CHECK_FALSE(none.model(file.name(), {"model.layer[2].width=5"}).has_value());
  CHECK_THAT(none.text(), Catch::Contains("there are layer[0] to layer[1]"));
}

TEST_CASE("words of the machine are known where there is one") {
  Sources sources;
  Diagnostics diagnostics;
  const std::vector<std::string> sets{"host=ddr5-2ch"};
  const std::vector<std::string> machine{"host"};
  CHECK(read_overrides(sets, machine, sources, diagnostics).machine.size() == 1);
  CHECK_FALSE(diagnostics.has_errors());
  read_overrides(sets, {}, sources, diagnostics);
  CHECK_THAT(diagnostics.text(""), Catch::StartsWith("error[E104]: unknown key `host`"));
}

TEST_CASE("figures of the planner are listed, but no settings") {
  Reading reading;
  reading.training(std::nullopt, {"plan.process=5 GiB"});
  CHECK_THAT(reading.text(),
             Catch::StartsWith("error[E104]: assumptions of the planner are fixed"));
}

TEST_CASE("a name is short and can be shown") {
  Reading reading;
  CHECK_FALSE(reading.model("125m", {"model.name=" + std::string(65, 'x')}).has_value());
  CHECK_THAT(reading.text(), Catch::Contains("is too long"));
  Reading steering;
  CHECK_FALSE(steering.model("125m", {"model.name=a\x1b[31m"}).has_value());
  CHECK_THAT(steering.text(), Catch::Contains("cannot be shown"));
}

TEST_CASE("a training file needs its schema") {
  const File file("[train]\nsequence = 2048\n");
  Reading reading;
  CHECK_FALSE(reading.training(file.name()).has_value());
  CHECK_THAT(reading.text(), Catch::Contains("E108"));
  Reading missing;
  CHECK_FALSE(missing.training("/does/not/exist.toml").has_value());
  CHECK_THAT(missing.text(), Catch::Contains("E101"));
}

}  // namespace
}  // namespace memsim::scenarios
