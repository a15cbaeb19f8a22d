// From a tree to a record, by the description of its kind. Everything that is wrong is reported at
// once; what was read is listed with its origin.
#pragma once

#include <optional>
#include <utility>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/faults.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/schema.hpp"
#include "scenarios/schema/setting.hpp"

namespace memsim::scenarios {

// Writes shorthands out (a scalar in place of a table), as merge needs it.
Node expand(const TableSchema& schema, Node table);

// Reads a table into the record that `schema` describes; false after an error. `faults` receives
// the keys whose values are not known, `settings` (may be null) every value, defaults included.
// Requires: record is of the schema's type.
bool read_table(const TableSchema& schema, const Node& table, void* record, Faults& faults,
                Diagnostics& diagnostics, Settings* settings);

// A record as far as it could be read: what `faults` name is as in a new one.
template <class Record>
struct PartlyRead {
  Record record{};
  Faults faults;
  bool good = false;  // without an error
};

template <class Record>
PartlyRead<Record> read_partly(const Schema<Record>& schema, const Node& table,
                               Diagnostics& diagnostics, Settings* settings = nullptr) {
  PartlyRead<Record> result;
  result.good = read_table(schema, expand(schema, table), &result.record, result.faults,
                           diagnostics, settings);
  return result;
}

// The record of a table; empty after an error.
template <class Record>
std::optional<Record> read(const Schema<Record>& schema, const Node& table,
                           Diagnostics& diagnostics, Settings* settings = nullptr) {
  PartlyRead<Record> result = read_partly(schema, table, diagnostics, settings);
  if (!result.good) return std::nullopt;
  return std::optional<Record>(std::move(result.record));
}

}  // namespace memsim::scenarios
