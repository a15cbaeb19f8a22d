// Numbers as people read them in reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/machine/units.hpp"
#include "sim/core/units.hpp"

namespace memsim::app {

// GiB with one decimal, without the unit: "21.4".
std::string gib(sim::Bytes bytes);
// The least such figure that is not below.
std::string gib_rounded_up(sim::Bytes bytes);
// One decimal and the largest unit that leaves at least 1: "21.4 GiB", "32 KiB".
std::string size(sim::Bytes bytes);
// GiB with a sign: "-3.8".
std::string signed_gib(std::int64_t bytes);
// Three significant digits and a unit: "412 ms", "1.23 s".
std::string duration(sim::Duration time);
// "1,011,781,632"
std::string grouped(std::int64_t number);
// Whole percents; "<1 %" and ">99 %" where certainty would be claimed.
std::string percent(models::Fraction fraction);
// A change with its sign: "-1.2 %".
std::string signed_percent(std::int64_t parts_per_million);

// Appends words to `text`, separated by `separator`, in lines of at most 80 columns; lines after
// the first begin with `indent` blanks.
class Wrapped {
 public:
  Wrapped(std::string& text, std::size_t indent, std::string_view separator);
  void add(std::string_view word);

 private:
  std::string& text_;
  std::size_t indent_;
  std::string_view separator_;
  bool first_ = true;
};

}  // namespace memsim::app
