// Prints the words of memsim's files for libFuzzer: keys, enumerators, examples, units.
#include <fmt/format.h>

#include <cstdio>
#include <set>
#include <string>

#include "scenarios/hardware/hardware_schema.hpp"
#include "scenarios/schema/unit.hpp"
#include "scenarios/workload/model_families.hpp"
#include "scenarios/workload/training_settings.hpp"
#include "validate/import/allocator_trace.hpp"

namespace memsim::fuzz {
namespace {

using scenarios::Field;
using scenarios::TableSchema;
using Words = std::set<std::string>;

void add_table(const TableSchema& schema, Words& words) {
  for (const Field& field : schema.fields()) {
    words.insert(field.key);
    words.insert(field.words.begin(), field.words.end());
    if (!field.rules.example.empty()) words.emplace(field.rules.example);
    if (field.schema != nullptr) add_table(*field.schema, words);
  }
}

// A word between quotes, as dictionaries want it.
std::string quoted(const std::string& word) {
  std::string text = "\"";
  for (const char c : word) {
    const bool plain = c >= ' ' && c <= '~' && c != '"' && c != '\\';
    text += plain ? std::string(1, c) : fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
  }
  return text + "\"";
}

Words all_words() {
  Words words{"schema", "inherits",  "memsim.gpu/1", "memsim.model/1", "memsim.train/1",
              "[[",     "]]",        "---",          "\xEF\xBB\xBF",   "1e9",
              "nan",    "-inf",      "0x7fff",       "ddr0",           "gpu0",
              "gpu[*]", "1KiB..1GiB"};
  add_table(scenarios::system_schema(), words);
  add_table(scenarios::training_schema(), words);
  for (const scenarios::ModelFamily& family : scenarios::model_families()) {
    words.emplace(family.name);
    add_table(*family.schema(), words);
  }
  for (const scenarios::Unit& unit : scenarios::units()) words.insert(unit.symbol);
  using validate::TraceVerb;
  for (int verb = 0; verb <= static_cast<int>(TraceVerb::pool_release); ++verb)
    words.emplace(validate::name(static_cast<TraceVerb>(verb)));
  return words;
}

}  // namespace
}  // namespace memsim::fuzz

int main() {
  for (const std::string& word : memsim::fuzz::all_words())
    std::printf("%s\n", memsim::fuzz::quoted(word).c_str());
}
