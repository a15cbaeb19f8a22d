// The JSON form of a validation, `memsim.validate/1`, written piece by piece so that rows need not
// be kept:
//
//   {"schema":"memsim.validate/1","rows":[
//   {"file":..,"id":..,"quantity":..,"unit":..,"measured":..,"predicted":..,"error":..,"status":..,"reason":..},
//   ...
//   ],"summary":[
//   {"kind":..,"quantity":..,"compared":..,"not_modelled":..,"input_error":..,"median_abs_error":..,
//    "p90_abs_error":..,"bias":..,"oom_recall":..,"specificity":..},
//   ...
//   ]}
//
// One row a line. Values are numbers, texts (verdicts, names) or null; the error is
// null where it was not computed from two numbers. Numbers have the fewest digits that read back
// the same. Text that is not UTF-8 gets U+FFFD in place of what is wrong.
#pragma once

#include <span>
#include <string>

#include "validate/compare/row.hpp"
#include "validate/compare/summary.hpp"

namespace memsim::validate {

class JsonReport {
 public:
  // Each call returns the next piece of the text, to be written in this order: begin, any number
  // of rows, end.
  [[nodiscard]] std::string begin() const;
  [[nodiscard]] std::string row(const Row& row);
  [[nodiscard]] std::string end(std::span<const SummaryLine> summary) const;

 private:
  bool first_ = true;
};

}  // namespace memsim::validate
