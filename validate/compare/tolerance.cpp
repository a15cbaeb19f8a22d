#include "validate/compare/tolerance.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace memsim::validate {
namespace {

// If more than `allowed` of the rows differ by more than `most`, these are off.
void limit(const std::vector<std::size_t>& compared, double most, std::size_t allowed,
           std::string_view share, std::vector<Row>& rows) {
  std::vector<std::size_t> beyond;
  for (const std::size_t i : compared)
    if (std::abs(rows[i].error) > most) beyond.push_back(i);
  if (beyond.size() <= allowed) return;
  for (const std::size_t i : beyond) {
    rows[i].status = Status::off;
    rows[i].reason =
        fmt::format("more than {} of these rows differ by more than {:.0f} %", share, most * 100);
  }
}

}  // namespace

void hold(const Tolerance& tolerance, const std::vector<std::size_t>& compared,
          std::vector<Row>& rows) {
  limit(compared, tolerance.median, compared.size() / 2, "half", rows);
  limit(compared, tolerance.p90, compared.size() / 10, "a tenth", rows);
}

}  // namespace memsim::validate
