#include "validate/compare/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "validate/compare/kind.hpp"

namespace memsim::validate {
namespace {

void set_error_statistics(const std::vector<double>& errors, SummaryLine& line) {
  if (errors.empty()) return;
  std::vector<double> sizes;
  sizes.reserve(errors.size());
  double sum = 0;
  for (const double error : errors) {
    sizes.push_back(std::abs(error));
    sum += error;
  }
  std::ranges::sort(sizes);
  const std::size_t count = sizes.size();
  const double upper = sizes[count / 2];
  line.median_abs_error = count % 2 == 1 ? upper : (sizes[count / 2 - 1] + upper) / 2;
  line.p90_abs_error = sizes[(count * 9 + 9) / 10 - 1];
  line.bias = sum / static_cast<double>(count);
}

Holding holding_of(std::string_view kind_name) {
  const auto found = std::ranges::find(kinds(), kind_name, &Kind::name);
  return found == kinds().end() ? Holding::each : found->holding;
}

std::optional<double> share(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void Summary::add(const Row& row) {
  ++counts_[static_cast<std::size_t>(row.status)];
  Group& group = groups_[{row.kind, row.quantity}];
  if (group.line.unit.empty()) group.line.unit = row.unit;
  if (row.status == Status::not_modelled) {
    ++group.line.not_modelled;
    return;
  }
  if (row.status == Status::input_error) {
    ++group.line.input_error;
    return;
  }
  ++group.line.compared;
  if (row.status == Status::off) ++group.line.off;
  if (row.measured.is_number() && row.predicted.is_number()) group.errors.push_back(row.error);
  if (row.measured.text == "oom") {
    ++group.measured_oom;
    if (row.predicted.text == "oom") ++group.found_oom;
  } else if (row.measured.text == "fits") {
    ++group.measured_fits;
    if (row.predicted.text == "fits") ++group.found_fits;
  }
}

SummaryLine Summary::all_of(std::string_view kind) const {
  SummaryLine line;
  line.kind = kind;
  line.quantity = "all";
  std::vector<double> errors;
  for (const auto& [key, group] : groups_) {
    if (key.first != kind) continue;
    line.compared += group.line.compared;
    line.off += group.line.off;
    line.not_modelled += group.line.not_modelled;
    line.input_error += group.line.input_error;
    errors.insert(errors.end(), group.errors.begin(), group.errors.end());
  }
  set_error_statistics(errors, line);
  return line;
}

std::vector<SummaryLine> Summary::lines() const {
  std::vector<SummaryLine> lines;
  lines.reserve(groups_.size());
  for (auto next = groups_.begin(); next != groups_.end();) {
    const auto& [key, group] = *next++;
    SummaryLine& line = lines.emplace_back(group.line);
    line.kind = key.first;
    line.quantity = key.second;
    set_error_statistics(group.errors, line);
    line.oom_recall = share(group.found_oom, group.measured_oom);
    line.specificity = share(group.found_fits, group.measured_fits);
    const bool last = next == groups_.end() || next->first.first != key.first;
    if (last && holding_of(line.kind) == Holding::all) lines.push_back(all_of(lines.back().kind));
  }
  return lines;
}

std::int64_t Summary::held_together() const {
  std::int64_t rows = 0;
  for (const auto& [key, group] : groups_)
    if (holding_of(key.first) != Holding::each) rows += group.line.compared;
  return rows;
}

std::int64_t Summary::count(Status status) const {
  return counts_[static_cast<std::size_t>(status)];
}

}  // namespace memsim::validate
