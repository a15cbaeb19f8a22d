// The text form of a validation, 80 columns wide: the outcome first, tables by kind, then the rows
// that a person should look at.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validate/compare/row.hpp"
#include "validate/compare/summary.hpp"

namespace memsim::validate {

// Keeps a bounded number of rows, however many are added.
class TextReport {
 public:
  void add(const Row& row);

  // `files` counts those that were run.
  [[nodiscard]] std::string render(const Summary& summary, std::int64_t files) const;

 private:
  static constexpr std::size_t shown_rows = 20;
  static constexpr std::size_t shown_worst = 5;
  static constexpr std::size_t kept_reasons = 1000;

  [[nodiscard]] std::string render_not_modelled() const;

  std::vector<Row> off_;           // the first ones
  std::vector<Row> input_errors_;  // the first ones
  std::vector<Row> worst_;         // compared rows with the largest errors, largest first
  std::map<std::string, std::int64_t> not_modelled_;  // rows by reason
};

// One line that says how a validation went.
std::string outcome_line(const Summary& summary, std::int64_t files);

}  // namespace memsim::validate
