#include "validate/compare/row.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "sim/core/check.hpp"

namespace memsim::validate {

std::string_view name(Status status) {
  constexpr std::array<std::string_view, 4> names{"ok", "off", "not_modelled", "input_error"};
  return names[static_cast<std::size_t>(status)];
}

Value exact_value(std::int64_t integer) {
  Value value;
  value.present = true;
  value.exact = true;
  value.integer = integer;
  return value;
}

Value number_value(double number) {
  Value value;
  value.present = true;
  value.number = number;
  return value;
}

Value text_value(std::string_view text) {
  MEMSIM_CHECK(!text.empty(), "an empty text is no value");
  Value value;
  value.present = true;
  value.text = std::string(text);
  return value;
}

double relative_error(const Value& measured, const Value& predicted) {
  if (!measured.is_number() || !predicted.is_number()) return 0;
  // Equal integers beyond 2^53 must not differ by their rounding.
  if (measured.exact && predicted.exact && measured.integer == predicted.integer) return 0;
  const double truth = measured.as_number();
  const double guess = predicted.as_number();
  if (truth == 0) return guess == 0 ? 0 : 1;
  constexpr double most = 1e12;
  return std::clamp((guess - truth) / truth, -most, most);
}

Row input_error_row(std::string_view kind, std::string file, std::string id, std::string reason) {
  Row row;
  row.kind = std::string(kind);
  row.file = std::move(file);
  row.id = std::move(id);
  row.status = Status::input_error;
  row.reason = std::move(reason);
  return row;
}

void add_input_errors(const scenarios::Diagnostics& diagnostics, std::string_view kind,
                      const std::string& file, const std::string& id, const RowSink& sink) {
  for (const scenarios::Diagnostic& diagnostic : diagnostics.sorted())
    sink(input_error_row(kind, file, id, diagnostic.sentence()));
}

Row exact_row(Row row, Value measured, Value predicted) {
  MEMSIM_CHECK(measured.exact == predicted.exact, "a number is compared with a text");
  const bool equal = measured.text == predicted.text &&
                     (!measured.is_number() || measured.integer == predicted.integer);
  row.measured = std::move(measured);
  row.predicted = std::move(predicted);
  row.error = relative_error(row.measured, row.predicted);
  row.status = equal ? Status::ok : Status::off;
  return row;
}

}  // namespace memsim::validate
