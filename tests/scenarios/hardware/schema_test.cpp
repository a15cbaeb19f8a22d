// What the descriptions of hardware files have in common.
#include <set>
#include <string>

#include "scenarios/hardware/hardware_schema.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

bool is_figure(FieldType type) {
  return type == FieldType::quantity || type == FieldType::count || type == FieldType::fraction;
}

// Paths of figures for which no range is stated.
void collect_open(const TableSchema& schema, const std::string& path,
                  std::set<std::string>& found) {
  for (const Field& field : schema.fields()) {
    const std::string below = path + "." + field.key;
    if (field.schema != nullptr) collect_open(*field.schema, below, found);
    const bool asked = field.rules.usual != Range{} || !field.rules.follows.empty();
    if (is_figure(field.type) && !asked) found.insert(below);
    // What is beyond `most` is impossible, so there is such a thing for every figure.
    if (is_figure(field.type)) {
      INFO(below);
      CHECK(field.rules.most < FieldRules{}.most);
    }
  }
}

TEST_CASE("every figure of hardware has a range that is usual, or follows one that has") {
  std::set<std::string> open;
  collect_open(system_schema(), "system", open);
  // Points of a curve start from nothing; other tenants may hold any part of the host.
  CHECK(open == std::set<std::string>{"system.link.efficiency.fraction",
                                      "system.link.efficiency.size",
                                      "system.other_tenants.memory"});
}

TEST_CASE("what is usual is possible") {
  const auto check = [](const TableSchema& schema, const auto& self) -> void {
    for (const Field& field : schema.fields()) {
      INFO(field.key);
      if (field.schema != nullptr) self(*field.schema, self);
      if (field.rules.usual == Range{}) continue;
      CHECK(field.rules.usual.least <= field.rules.usual.most);
      CHECK(field.rules.usual.most <= field.rules.most);
      CHECK((field.rules.usual.least >= field.rules.least || field.rules.least <= 0));
    }
  };
  check(system_schema(), check);
  check(gpu_schema(), check);
}

TEST_CASE("keys that follow or rule others are keys of the same table") {
  const auto check = [](const TableSchema& schema, const auto& self) -> void {
    for (const Field& field : schema.fields()) {
      INFO(field.key);
      if (field.schema != nullptr) self(*field.schema, self);
      for (const std::string_view other : {field.rules.follows, field.rules.ruled_by})
        CHECK((other.empty() || schema.find(other) != nullptr));
    }
  };
  check(system_schema(), check);
}

}  // namespace
}  // namespace memsim::scenarios
