#include "validate/compare/row.hpp"

#include <array>
#include <cstddef>
#include <utility>

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

Value verdict_value(std::string_view verdict) {
  Value value;
  value.present = true;
  value.verdict = std::string(verdict);
  return value;
}

double relative_error(const Value& measured, const Value& predicted) {
  if (!measured.is_number() || !predicted.is_number()) return 0;
  // Equal integers beyond 2^53 must not differ by their rounding.
  if (measured.exact && predicted.exact && measured.integer == predicted.integer) return 0;
  const double truth = measured.as_number();
  const double guess = predicted.as_number();
  if (truth == 0) return guess == 0 ? 0 : 1;
  return (guess - truth) / truth;
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

}  // namespace memsim::validate
