// Whether a measured figure is where the catalogue has one of its own figures from: then nothing is
// compared by holding the two against each other.
#pragma once

#include <string>
#include <vector>

#include "validate/compare/link_questions.hpp"
#include "validate/import/link_figures.hpp"
#include "validate/import/link_measurements.hpp"

namespace memsim::validate {

// Whether one of `sources` (figures of a machine and their comments) is the row's figure, or it for
// one of the devices that the row adds up, or the rate of a time; in the row's unit or rounded. As
// numbers meet by chance, too, `predicted` (bytes per second or seconds) must be that figure:
// within 1 %, or within 10 % where the comment names the row's hardware or source, or four digits
// agree.
bool is_cited(const LinkMeasurement& row, const Figure& figure, const LinkQuestion& question,
              double predicted, const std::vector<std::string>& sources);

}  // namespace memsim::validate
