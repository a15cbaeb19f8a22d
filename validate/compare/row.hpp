// One comparison of memsim with a measured, published or computed value.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "scenarios/schema/diagnostic.hpp"

namespace memsim::validate {

enum class Status : std::uint8_t {
  ok,            // within the tolerance of its kind
  off,           // outside
  not_modelled,  // memsim cannot say; the reason names what is missing
  input_error,   // the row cannot be read; the reason says why, with the position
};
std::string_view name(Status status);

// A value is a number with a unit, or a text: a verdict ("fits", "oom", "uncertain") or a name.
struct Value {
  bool present = false;
  bool exact = false;  // `integer` holds it exactly, else `number`
  std::int64_t integer = 0;
  double number = 0;
  std::string text;  // not empty: a text

  [[nodiscard]] bool is_number() const { return present && text.empty(); }
  // Requires: is_number().
  [[nodiscard]] double as_number() const { return exact ? static_cast<double>(integer) : number; }
};
Value exact_value(std::int64_t integer);
Value number_value(double number);
// Requires: `text` is not empty.
Value text_value(std::string_view text);

// (predicted - measured) / measured, at most 1e12 to either side, so that sums of errors are
// numbers; 0/0 is 0, x/0 is 1. 0 unless both values are numbers.
double relative_error(const Value& measured, const Value& predicted);

struct Row {
  std::string kind;  // "allocator", "flows", "gemm", "links", "torch"
  std::string file;
  std::string id;
  std::string quantity;
  std::string unit;
  std::string asked;  // the machine and the question that was put to it; empty: the row says it
  Value measured;
  Value predicted;
  double error = 0;  // relative_error(measured, predicted)
  Status status = Status::ok;
  std::string reason;  // why it is off, not modelled or unreadable
};

// A row that says why something cannot be read. `id` may be empty: the whole file.
Row input_error_row(std::string_view kind, std::string file, std::string id, std::string reason);

using RowSink = std::function<void(Row)>;

// One such row for each diagnostic, in the order of their places.
void add_input_errors(const scenarios::Diagnostics& diagnostics, std::string_view kind,
                      const std::string& file, const std::string& id, const RowSink& sink);

// A comparison that nothing but equality passes. `row` has everything else.
Row exact_row(Row row, Value measured, Value predicted);

}  // namespace memsim::validate
