#include "validate/compare/torch_comparison.hpp"

#include <fmt/format.h>

#include "validate/compare/torch_sequence.hpp"

namespace memsim::validate {
namespace {

std::string unit_of(std::string_view quantity) {
  if (quantity == "sequence" || quantity == "sequence length") return "events";
  const bool bytes = quantity.find("bytes") != std::string_view::npos ||
                     quantity.starts_with("after_") || quantity.starts_with("peak") ||
                     quantity.starts_with("start") || quantity.starts_with("end");
  return bytes && !quantity.ends_with("_phase") && !quantity.ends_with("_op") ? "B" : "";
}

Value count_value(std::size_t count) { return exact_value(static_cast<std::int64_t>(count)); }

}  // namespace

void TorchComparison::run(const TorchRow& row, const TorchExpectations& expected,
                          const std::optional<TorchTrace>& trace,
                          const scenarios::Location& place) {
  auto prediction = predict_torch(row.network, row.training, expected.steps);
  if (!prediction) {
    const TorchRefusal& refusal = prediction.error();
    if (refusal.status == Status::not_modelled) return not_modelled(row.id, "", {}, refusal.reason);
    return refuse(row.id, fmt::format("E124 {}: {}", place.text(), refusal.reason));
  }
  compared_ = 0;
  compare_quantities(row.id, expected, *prediction);
  if (trace) compare_traces(row, *trace, *prediction);
  if (compared_ == 0)
    refuse(row.id, fmt::format("E114 {}: nothing in this row can be compared", place.text()));
}

void TorchComparison::refuse(const std::string& id, std::string reason) {
  (*sink_)(input_error_row(torch_kind_name, file_, id, std::move(reason)));
}

void TorchComparison::not_modelled(const std::string& id, const std::string& quantity,
                                   Value measured, std::string reason) {
  Row row = new_row(id, quantity);
  row.measured = std::move(measured);
  row.status = Status::not_modelled;
  row.reason = std::move(reason);
  (*sink_)(std::move(row));
}

Row TorchComparison::new_row(std::string id, std::string quantity) const {
  Row row;
  row.kind = torch_kind_name;
  row.file = file_;
  row.id = std::move(id);
  row.unit = unit_of(quantity);
  row.quantity = std::move(quantity);
  return row;
}

void TorchComparison::compare(const std::string& id, const std::string& quantity, Value measured,
                              Value predicted, const std::string& where) {
  Row row = exact_row(new_row(id, quantity), std::move(measured), std::move(predicted));
  if (row.status == Status::off) row.reason = where;
  ++compared_;
  (*sink_)(std::move(row));
}

void TorchComparison::compare_quantities(const std::string& id, const TorchExpectations& expected,
                                         const TorchPrediction& prediction) {
  Stated stated;
  bool unknown_operators = false;
  for (const TorchExpectation& expectation : expected.list) {
    const std::string scope = expectation.scope.empty() ? id : id + " " + expectation.scope;
    const std::pair key(expectation.scope, expectation.quantity);
    stated.insert(key);
    const auto found = prediction.quantities.find(key);
    const bool predicted = found != prediction.quantities.end();
    if (!expectation.not_modelled.empty()) {
      not_modelled(scope, expectation.quantity, expectation.measured, expectation.not_modelled);
    } else if (!predicted && expectation.quantity == "forward_ops") {
      unknown_operators = true;
    } else if (!predicted && !expectation.measured.is_number()) {
      not_modelled(scope, expectation.quantity, expectation.measured,
                   "the step's peak is where it starts");
    } else {
      // Nodes that memsim does not have save nothing there.
      compare(scope, expectation.quantity, expectation.measured,
              predicted ? found->second : exact_value(0), expectation.place.text() + ": not equal");
    }
  }
  if (unknown_operators)
    not_modelled(id, "forward_ops", {}, "calls of operators that make no new tensor");
  if (expected.states_nodes)
    compare_unstated(id, prediction, prediction.nodes, "saved_by_grad_fn.tensors", stated);
  if (expected.states_operators)
    compare_unstated(id, prediction, prediction.operators, "forward_ops", stated);
}

// What a table that names everything does not name is 0 there.
void TorchComparison::compare_unstated(const std::string& id, const TorchPrediction& prediction,
                                       const std::vector<std::string>& names,
                                       const std::string& quantity, const Stated& stated) {
  for (const std::string& name : names)
    if (!stated.contains({name, quantity}))
      compare(fmt::format("{} {}", id, name), quantity, exact_value(0),
              prediction.quantities.at({name, quantity}), "the row does not name it");
}

void TorchComparison::compare_traces(const TorchRow& row, const TorchTrace& trace,
                                     TorchPrediction& prediction) {
  const bool autocasts = row.training.precision == models::Precision::autocast_bf16 ||
                         row.training.precision == models::Precision::autocast_fp16;
  compare_events(row.id, trace, std::move(prediction.events), autocasts);
  compare_events(row.id + " 2.x", {trace.name, sum_in_place(trace.events)},
                 std::move(prediction.events_2x), autocasts);
}

// Measured: the events of the trace; predicted: memsim's, and those that agree from the start.
void TorchComparison::compare_events(const std::string& id, TorchTrace trace,
                                     std::vector<TorchEvent> predicted, bool autocasts) {
  if (autocasts) {
    order_conversions(trace.events);
    order_conversions(predicted);
  }
  const SequenceComparison result = compare_sequences(trace.events, predicted);
  const std::string where = fmt::format("{}:{}", trace.name, result.parting);
  const Value length = count_value(trace.events.size());
  compare(id, "sequence length", length, count_value(predicted.size()), where);
  compare(id, "sequence", length, count_value(result.agreeing), where);
}

}  // namespace memsim::validate
