// Error statistics of many rows, by kind and quantity.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validate/compare/row.hpp"

namespace memsim::validate {

// One line of the summary. Statistics that no row speaks of are empty.
struct SummaryLine {
  std::string kind;
  std::string quantity;
  std::string unit;           // of the first row that has one
  std::int64_t compared = 0;  // ok or off
  std::int64_t off = 0;
  std::int64_t not_modelled = 0;
  std::int64_t input_error = 0;
  std::optional<double> median_abs_error;  // of even counts: the mean of the middle two
  std::optional<double> p90_abs_error;     // nearest rank: the smallest that 90 % do not exceed
  std::optional<double> bias;              // mean signed error
  std::optional<double> oom_recall;        // of the measured "oom": share predicted "oom"
  std::optional<double> specificity;       // of the measured "fits": share predicted "fits"
};

// Adds up rows without keeping them: eight bytes a compared number.
class Summary {
 public:
  void add(const Row& row);

  // By kind, then by quantity, in the order of their names; behind those of a kind whose rows are
  // held together a line of the quantity "all".
  [[nodiscard]] std::vector<SummaryLine> lines() const;
  // Rows seen with this status.
  [[nodiscard]] std::int64_t count(Status status) const;
  // Compared rows whose tolerance is one of many rows together.
  [[nodiscard]] std::int64_t held_together() const;

 private:
  // All groups of a kind as one line.
  [[nodiscard]] SummaryLine all_of(std::string_view kind) const;

  struct Group {
    SummaryLine line;
    std::vector<double> errors;
    std::int64_t measured_oom = 0, found_oom = 0;
    std::int64_t measured_fits = 0, found_fits = 0;
  };
  std::map<std::pair<std::string, std::string>, Group> groups_;
  std::vector<std::int64_t> counts_ = std::vector<std::int64_t>(4);
};

}  // namespace memsim::validate
