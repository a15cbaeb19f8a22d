#include "validate/compare/json_report.hpp"

#include <nlohmann/json.hpp>
#include <optional>

namespace memsim::validate {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Value& value) {
  if (!value.present) return nullptr;
  if (!value.text.empty()) return value.text;
  if (value.exact) return value.integer;
  return value.number;
}

Json to_json(const std::optional<double>& value) {
  if (!value) return nullptr;
  return *value;
}

Json to_json(const Row& row) {
  const bool compared = row.measured.is_number() && row.predicted.is_number();
  return {{"file", row.file},
          {"id", row.id},
          {"quantity", row.quantity},
          {"unit", row.unit},
          {"asked", row.asked},
          {"measured", to_json(row.measured)},
          {"predicted", to_json(row.predicted)},
          {"error", compared ? Json(row.error) : Json(nullptr)},
          {"status", name(row.status)},
          {"reason", row.reason}};
}

Json to_json(const SummaryLine& line) {
  return {{"kind", line.kind},
          {"quantity", line.quantity},
          {"compared", line.compared},
          {"not_modelled", line.not_modelled},
          {"input_error", line.input_error},
          {"median_abs_error", to_json(line.median_abs_error)},
          {"p90_abs_error", to_json(line.p90_abs_error)},
          {"bias", to_json(line.bias)},
          {"oom_recall", to_json(line.oom_recall)},
          {"specificity", to_json(line.specificity)}};
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string JsonReport::begin() const { return R"({"schema":"memsim.validate/1","rows":[)"; }

std::string JsonReport::row(const Row& row) {
  const std::string separator = first_ ? "\n" : ",\n";
  first_ = false;
  return separator + dump(to_json(row));
}

std::string JsonReport::end(std::span<const SummaryLine> summary) const {
  std::string text = "\n],\"summary\":[";
  bool first = true;
  for (const SummaryLine& line : summary) {
    text += first ? "\n" : ",\n";
    first = false;
    text += dump(to_json(line));
  }
  return text + "\n]}\n";
}

}  // namespace memsim::validate
