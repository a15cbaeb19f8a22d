// From a tree to a record, by the description of its kind. Everything that is wrong is reported at
// once; what was read is listed with its origin.
#pragma once

#include <optional>
#include <utility>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/schema.hpp"
#include "scenarios/schema/setting.hpp"

namespace memsim::scenarios {

// Writes shorthands out (a scalar in place of a table), as merge needs it.
Node expand(const TableSchema& schema, Node table);

// Reads a table into the record that `schema` describes; false after an error. `settings` (may be
// null) receives every value, defaults included. Requires: record is of the schema's type.
bool read_table(const TableSchema& schema, const Node& table, void* record,
                Diagnostics& diagnostics, Settings* settings);

// The record of a table; empty after an error.
template <class Record>
std::optional<Record> read(const Schema<Record>& schema, const Node& table,
                           Diagnostics& diagnostics, Settings* settings = nullptr) {
  Record record{};
  if (!read_table(schema, expand(schema, table), &record, diagnostics, settings)) {
    return std::nullopt;
  }
  return std::optional<Record>(std::move(record));
}

}  // namespace memsim::scenarios
