// The JSON Schemas for editors against what memsim itself reads and refuses.
#include "scenarios/editor/file_schema.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>

#include "scenarios/hardware/catalogue.hpp"
#include "scenarios/hardware/tree_loader.hpp"
#include "scenarios/schema/toml.hpp"
#include "scenarios/workload/model_families.hpp"
#include "scenarios/workload/training_settings.hpp"
#include "tests/scenarios/editor/schema_check.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path root = MEMSIM_SOURCE_DIR;

Json schema_named(const std::string& name) { return Json::parse(file_schema(name).value()); }

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// What a schema says against a text of TOML; empty if it accepts it.
std::string refusal(const Json& schema, const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  const auto tree = parse_toml(sources.add("x.toml", text, SourceRole::given), diagnostics);
  REQUIRE(tree.has_value());
  REQUIRE_FALSE(diagnostics.has_errors());
  return violation(schema, *tree);
}

void accept_all(const std::string& name, const fs::path& folder) {
  const Json schema = schema_named(name);
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    INFO(entry.path());
    CHECK(refusal(schema, text_of(entry.path())) == "");
    ++count;
  }
  CHECK(count > 0);
}

// Every key below a table, as "memory.achieved.read".
void collect(const TableSchema& schema, const std::string& path, std::set<std::string>& keys) {
  for (const Field& field : schema.fields()) {
    keys.insert(path + field.key);
    if (field.schema != nullptr) collect(*field.schema, path + field.key + ".", keys);
  }
}

// The keys of a JSON Schema in the same form, those of files that inherit left out.
class Keys {
 public:
  explicit Keys(const Json& document) : document_(document) {}

  std::set<std::string> all() {
    walk(document_, "");
    return std::move(keys_);
  }

 private:
  void walk(const Json& schema, const std::string& path) {
    if (schema.contains("$ref")) {
      const std::string name = schema["$ref"].get<std::string>().substr(8);
      if (name.find("(overlay)") == std::string::npos) walk(document_["$defs"][name], path);
    }
    for (const char* several : {"anyOf", "oneOf"})
      if (schema.contains(several))
        for (const Json& each : schema[several]) walk(each, path);
    if (schema.contains("items")) walk(schema["items"], path);
    if (!schema.contains("properties")) return;
    for (const auto& [key, described] : schema["properties"].items()) {
      keys_.insert(path + key);
      walk(described, path + key + ".");
    }
  }

  const Json& document_;
  std::set<std::string> keys_;
};

}  // namespace

TEST_CASE("the schema of every kind accepts all files of the catalogue") {
  const fs::path hardware = root / "scenarios" / "hardware";
  for (const HardwareKind kind : hardware_kinds) {
    const std::string folder(name(kind));
    accept_all(folder, hardware / folder);
    accept_all("hardware", hardware / folder);
  }
  accept_all("model", root / "scenarios" / "models");
}

TEST_CASE("the schema of training files accepts every setting by every name") {
  const Json schema = schema_named("training");
  CHECK(refusal(schema, "schema = \"memsim.train/1\"\n").empty());
  CHECK(refusal(schema, "schema = \"memsim.train/1\"\n[train]\nseq = 512\noptimizer = \"sgd\"\n") ==
        "");
  CHECK_FALSE(refusal(schema, "schema = \"memsim.train/1\"\n[train]\nsequ = 512\n").empty());
}

TEST_CASE("what is wrong with the form of a file is refused by its schema too") {
  // Those that are TOML, and whose fault is one of form: an unknown or missing key, a wrong type or
  // word, a quantity without or with another unit.
  const std::set<std::string> of_form{"E104", "E105", "E106", "E107",
                                      "E108", "E121", "E122", "E123"};
  const std::set<std::string> beyond_one_file{"hardware/part_of_another_kind",
                                              "hardware/inherited_fault"};
  // Words that anybody may coin, refused for their likeness to known ones.
  const std::set<std::string> likenesses{"hardware/generation_misspelt", "hardware/kind_misspelt",
                                         "hardware/kind_with_generation",
                                         "hardware/memory_misspelt"};
  std::ifstream expectations(root / "tests" / "malformed" / "expected.txt");
  int refused = 0;
  for (std::string line; std::getline(expectations, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::string file = line.substr(0, line.find(' '));
    if (!of_form.contains(line.substr(file.size() + 3, 4)) || beyond_one_file.contains(file) ||
        likenesses.contains(file))
      continue;
    std::string kind = file.substr(0, file.find('/'));
    if (kind == "train") kind = "training";
    INFO(line);
    std::string text = text_of(root / "tests" / "malformed" / (file + ".toml"));
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    CHECK_FALSE(refusal(schema_named(kind), text).empty());
    ++refused;
  }
  CHECK(refused >= 30);
}

TEST_CASE("every key that memsim reads is in the schema of its kind, and no other") {
  const auto expect = [](const std::string& name, const TableSchema& schema,
                         std::set<std::string> more) {
    INFO(name);
    const Json document = schema_named(name);
    std::set<std::string> keys = std::move(more);
    collect(schema, "", keys);
    CHECK(Keys(document).all() == keys);
  };
  const std::set<std::string> of_files{"schema", "inherits", "imaginary"};
  for (const HardwareKind kind : hardware_kinds)
    expect(std::string(name(kind)), table_schema(kind), of_files);
  std::set<std::string> short_names{"schema"};
  for (const SettingAlias& alias : setting_aliases())
    short_names.insert("train." + std::string(alias.alias));
  expect("training", training_file_schema(), std::move(short_names));
  std::set<std::string> of_models{"schema"};
  for (const ModelFamily& family : model_families()) collect(*family.schema(), "", of_models);
  CHECK(Keys(schema_named("model")).all() == of_models);
}

TEST_CASE("a field says what it means, what it may be and what it is without a file") {
  const Json gpu = schema_named("gpu");
  const Json& memory = gpu["$defs"]["gpu.memory"];
  CHECK(memory["required"] == Json({"kind", "capacity", "bandwidth"}));
  const Json& page = memory["properties"]["page"];
  CHECK(page["description"] == "unit of mapping; 512 B to 1 GiB, usual are 4 KiB to 512 MiB");
  CHECK(page["default"] == "2 MiB");
  const Json& read = gpu["$defs"]["gpu.memory.achieved"]["properties"]["read"];
  CHECK(read["minimum"] == 0.001);
  CHECK(read["maximum"] == 1);
  const Json host = schema_named("host");
  CHECK(host["oneOf"][0]["properties"]["staging"]["enum"] == Json({"overlapped", "serial"}));
  CHECK(host["oneOf"][0]["properties"]["schema"]["const"] == "memsim.host/1");
  CHECK_FALSE(file_schema("gpus").has_value());
}

}  // namespace memsim::scenarios
