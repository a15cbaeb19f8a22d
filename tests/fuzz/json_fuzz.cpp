// JSON: one value, lines of values, flow scenarios, rows of recorded PyTorch runs.
#include "scenarios/schema/json.hpp"
#include "tests/fuzz/invariants.hpp"
#include "validate/compare/torch_expectations.hpp"
#include "validate/compare/torch_row.hpp"
#include "validate/import/flow_scenario.hpp"

namespace memsim::fuzz {
namespace {

using scenarios::Diagnostics;
using scenarios::Node;
using scenarios::SourceFile;

void read_lines(const SourceFile& file) {
  for (std::uint32_t line = 1; line <= file.lines(); ++line) {
    Diagnostics diagnostics;
    const auto tree = scenarios::parse_json_line(file, line, diagnostics);
    check_reading(diagnostics, tree.has_value());
  }
}

// What is wrong with a row need not be an error of the whole: it is told beside what can be used.
void read_row(const Node& tree) {
  if (tree.type != scenarios::NodeType::table) return;
  Diagnostics diagnostics;
  validate::JsonFields fields(tree, "", diagnostics);
  const validate::TorchRow row = validate::read_torch_row(fields);
  require(row.readable != diagnostics.has_errors(), "a row is readable or refused");
  if (row.readable) (void)validate::read_torch_expectations(fields, row);
  check_reading(diagnostics, !diagnostics.has_errors());
}

}  // namespace
}  // namespace memsim::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memsim;
  const scenarios::SourceFile file("input.json", fuzz::text_of(data, size),
                                   scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  const auto tree = scenarios::parse_json(file, diagnostics);
  fuzz::check_reading(diagnostics, tree.has_value());
  fuzz::read_lines(file);
  scenarios::Diagnostics of_flows;
  const auto scenario = validate::parse_flow_scenario(file, of_flows);
  fuzz::check_reading(of_flows, scenario.has_value());
  if (tree) fuzz::read_row(*tree);
  return 0;
}
