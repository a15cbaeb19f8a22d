#include "validate/import/gemm_measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "models/machine/kernel_cost.hpp"
#include "sim/core/digest.hpp"
#include "validate/import/text_lines.hpp"

namespace memsim::validate {
namespace {

using models::DataType;

constexpr std::int64_t longest_side = std::int64_t{1} << 24;
constexpr double longest_time = 1e9;  // us

// The first name of a type is the one in names of rows.
constexpr std::array<std::pair<std::string_view, DataType>, 11> type_names{{
    {"bfloat16", DataType::bf16},
    {"bf16", DataType::bf16},
    {"float16", DataType::fp16},
    {"fp16", DataType::fp16},
    {"float32", DataType::fp32},
    {"fp32", DataType::fp32},
    {"tf32", DataType::tf32},
    {"float64", DataType::fp64},
    {"fp64", DataType::fp64},
    {"fp8", DataType::fp8},
    {"int8", DataType::int8},
}};

std::vector<std::string_view> split_commas(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t comma = line.find(',');
    fields.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

// All of `text` as one number.
template <class Number>
std::optional<Number> read_number(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// The reason why the fields behind the type are none of a row, or nothing.
std::string read_fields(std::span<const std::string_view> fields, GemmMeasurement& row) {
  const std::array sides{std::pair("m", &row.m), std::pair("n", &row.n), std::pair("k", &row.k)};
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const auto side = read_number<std::int64_t>(fields[i]);
    if (!side || *side < 1 || *side > longest_side)
      return fmt::format("{} is '{}', expected a whole number from 1 to {}", sides[i].first,
                         fields[i], longest_side);
    *sides[i].second = *side;
  }
  const auto time = read_number<double>(fields[3]);
  if (!time || !(*time > 0) || *time > longest_time)
    return fmt::format("time_us is '{}', expected a number above 0, at most {}", fields[3],
                       longest_time);
  row.microseconds = *time;
  if (static_cast<double>(row.m) * static_cast<double>(row.n) * static_cast<double>(row.k) > 1e18)
    return "more than 10^18 multiplications: no GPU computes that in one product";
  return {};
}

void read_line(std::string_view line, std::size_t number, GemmMeasurements& found) {
  constexpr std::size_t fields_of_a_row = 5;
  const std::vector<std::string_view> fields = split_commas(line);
  if (fields.size() != fields_of_a_row) {
    found.problems.push_back(
        {number, false,
         fmt::format("{} fields, expected {}: {}", fields.size(), fields_of_a_row, gemm_header)});
    return;
  }
  GemmMeasurement row;
  row.line = number;
  if (std::string reason = read_fields(std::span(fields).subspan(1), row); !reason.empty()) {
    found.problems.push_back({number, false, std::move(reason)});
    return;
  }
  const auto type = std::ranges::find(type_names, fields[0], [](const auto& t) { return t.first; });
  if (type == type_names.end()) {
    found.problems.push_back(
        {number, true, fmt::format("memsim knows no products of type '{}'", fields[0])});
    return;
  }
  row.type = type->second;
  found.rows.push_back(row);
}

std::uint64_t hash_of(const GemmMeasurement& row) {
  return sim::Digest().add(gemm_row_name(row)).value();
}

}  // namespace

GemmMeasurements parse_gemm_measurements(std::string_view text) {
  GemmMeasurements found;
  if (text.empty() || next_line(text) != gemm_header) {
    found.problems.push_back({1, false, fmt::format("expected the header {}", gemm_header)});
    return found;
  }
  for (std::size_t number = 2; !text.empty(); ++number) {
    const std::string_view line = next_line(text);
    if (line.find_first_not_of(" \t") != std::string_view::npos) read_line(line, number, found);
  }
  return found;
}

std::string gemm_row_name(const GemmMeasurement& row) {
  const auto type =
      std::ranges::find(type_names, row.type, [](const auto& name) { return name.second; });
  return fmt::format("{},{},{},{}", type->first, row.m, row.n, row.k);
}

bool is_held_out(const GemmMeasurement& row) { return hash_of(row) % 10 < 2; }

std::uint32_t gemm_fingerprint(const GemmMeasurement& row) {
  return static_cast<std::uint32_t>(hash_of(row) >> 32);
}

models::KernelWork gemm_work(const GemmMeasurement& row) {
  const std::int64_t size = models::size_of(row.type);
  models::KernelWork work;
  work.kind = models::KernelClass::gemm;
  work.type = row.type;
  work.m = row.m;
  work.n = row.n;
  work.k = row.k;
  work.flops = 2 * row.m * row.n * row.k;
  work.read = sim::Bytes(size * (row.m + row.n) * row.k);
  work.written = sim::Bytes(std::max<std::int64_t>(size, 2) * row.m * row.n);
  return work;
}

sim::Result<sim::Duration> gemm_time(const models::GpuSpec& gpu, const GemmMeasurement& row) {
  return models::kernel_cost(gpu, gemm_work(row)).map([&](const models::KernelCost& cost) {
    return models::duration_alone(gpu, cost);
  });
}

}  // namespace memsim::validate
