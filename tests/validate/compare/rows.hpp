// Rows for the tests of reports and summaries.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "validate/compare/kind.hpp"
#include "validate/compare/row.hpp"

namespace memsim::validate {

// All rows of a file.
inline std::vector<Row> run_kind(const Kind& kind, const std::filesystem::path& file) {
  std::vector<Row> rows;
  kind.run(file, MEMSIM_SOURCE_DIR, [&](Row row) { rows.push_back(std::move(row)); });
  return rows;
}

inline Row number_row(std::string id, double measured, double predicted, Status status) {
  Row row;
  row.kind = "flows";
  row.file = "a.json";
  row.id = std::move(id);
  row.quantity = "completion";
  row.unit = "s";
  row.measured = number_value(measured);
  row.predicted = number_value(predicted);
  row.error = relative_error(row.measured, row.predicted);
  row.status = status;
  return row;
}

inline Row verdict_row(std::string id, const char* measured, const char* predicted) {
  Row row;
  row.kind = "published";
  row.file = "b.jsonl";
  row.id = std::move(id);
  row.quantity = "verdict";
  row.measured = text_value(measured);
  row.predicted = text_value(predicted);
  row.status = row.measured.text == row.predicted.text ? Status::ok : Status::off;
  return row;
}

}  // namespace memsim::validate
