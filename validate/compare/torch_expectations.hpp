// What a row of `data/torch` says that the real program did.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/schema/source.hpp"
#include "validate/compare/row.hpp"
#include "validate/compare/torch_row.hpp"
#include "validate/import/json_fields.hpp"

namespace memsim::validate {

// One stated quantity.
struct TorchExpectation {
  // Of what: empty (the whole program), "step0", "step0 2.x", a node ("AddmmBackward0"), an
  // operator
  // ("addmm").
  std::string scope;
  std::string quantity;
  Value measured;
  scenarios::Location place;
  std::string not_modelled;  // why memsim has nothing to say to it; empty: it has
};

struct TorchExpectations {
  std::vector<TorchExpectation> list;  // in a fixed order
  std::size_t steps = 1;               // that the row speaks of
  bool states_nodes = false;      // by `saved_by_grad_fn`: those that it does not name save nothing
  bool states_operators = false;  // by `forward_ops`: those that it does not name never ran
};

// "step0", "step0 2.x".
std::string torch_step_scope(std::size_t step, models::TorchRules rules);

// Reads every key of a row that read_torch_row has not asked for. Values of a wrong type, steps
// that do not fit together and misspelt keys are diagnostics; what a row lacks is not expected, and
// keys that are no quantity of the format are expectations that are not modelled.
TorchExpectations read_torch_expectations(JsonFields& fields, const TorchRow& row);

}  // namespace memsim::validate
