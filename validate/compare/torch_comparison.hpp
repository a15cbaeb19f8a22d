// Rows of `data/torch` against what memsim predicts for them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validate/compare/row.hpp"
#include "validate/compare/torch_expectations.hpp"
#include "validate/compare/torch_prediction.hpp"
#include "validate/compare/torch_row.hpp"
#include "validate/compare/torch_trace.hpp"

namespace memsim::validate {

inline constexpr std::string_view torch_kind_name = "torch";

struct TorchTrace {
  std::string name;  // of its file, for messages
  std::vector<TorchEvent> events;
};

class TorchComparison {
 public:
  // `file`: of the rows. `sink` outlives this.
  TorchComparison(std::string file, const RowSink& sink) : file_(std::move(file)), sink_(&sink) {}

  // One row for each stated quantity, and two for each sequence. Programs decide these numbers, so
  // nothing but equality will do. `place`: of the row. Requires: row.readable, row.not_modelled is
  // empty.
  void run(const TorchRow& row, const TorchExpectations& expected,
           const std::optional<TorchTrace>& trace, const scenarios::Location& place);

  // Rows without a comparison.
  void refuse(const std::string& id, std::string reason);
  void not_modelled(const std::string& id, const std::string& quantity, Value measured,
                    std::string reason);

 private:
  using Stated = std::set<std::pair<std::string, std::string>>;  // scopes and quantities

  [[nodiscard]] Row new_row(std::string id, std::string quantity) const;
  void compare(const std::string& id, const std::string& quantity, Value measured, Value predicted,
               const std::string& where);
  void compare_quantities(const std::string& id, const TorchExpectations& expected,
                          const TorchPrediction& prediction);
  void compare_unstated(const std::string& id, const TorchPrediction& prediction,
                        const std::vector<std::string>& names, const std::string& quantity,
                        const Stated& stated);
  void compare_traces(const TorchRow& row, const TorchTrace& trace, TorchPrediction& prediction);
  void compare_events(const std::string& id, TorchTrace trace, std::vector<TorchEvent> predicted,
                      bool autocasts);

  std::string file_;
  const RowSink* sink_;
  std::int64_t compared_ = 0;  // of the row under way
};

}  // namespace memsim::validate
