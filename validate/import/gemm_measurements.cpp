#include "validate/import/gemm_measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "models/machine/kernel_cost.hpp"
#include "sim/core/digest.hpp"
#include "sim/core/int128.hpp"

namespace memsim::validate {
namespace {

using models::DataType;
using scenarios::Diagnostics;
using scenarios::SourceFile;

constexpr std::int64_t longest_side = std::int64_t{1} << 24;
constexpr double longest_time = 1e9;  // us
constexpr std::int64_t most_multiplications = 1'000'000'000'000'000'000;

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

// All of `text` as one number.
template <class Number>
std::optional<Number> read_number(std::string_view text) {
  Number number{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

class Parser {
 public:
  Parser(const SourceFile& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics) {}

  GemmMeasurements parse() {
    line_ = file_.line(1);
    if (line_ != gemm_header) {
      report(line_, fmt::format("'{:.60}' is not the header {}", line_, gemm_header));
      return {};
    }
    for (number_ = 2; number_ <= file_.lines(); ++number_) {
      line_ = file_.line(number_);
      if (line_.find_first_not_of(" \t") != std::string_view::npos) read_line();
    }
    return std::move(found_);
  }

 private:
  void read_line() {
    constexpr std::size_t fields_of_a_row = 5;
    const std::vector<std::string_view> fields = split_commas();
    if (fields.size() != fields_of_a_row)
      return report(line_, fmt::format("a row of {} fields; expected the {} of {}", fields.size(),
                                       fields_of_a_row, gemm_header));
    GemmMeasurement row;
    const bool readable = read_side("m", fields[1], row.m) && read_side("n", fields[2], row.n) &&
                          read_side("k", fields[3], row.k) && read_time(fields[4], row) &&
                          is_possible(row);
    if (!readable) return;
    const auto* const type =
        std::ranges::find(type_names, fields[0], [](const auto& name) { return name.first; });
    if (type == type_names.end()) {
      found_.foreigners.push_back({number_, fmt::format("{:.40}", fields[0])});
      return;
    }
    row.type = type->second;
    found_.rows.push_back(row);
  }

  bool read_side(std::string_view name, std::string_view field, std::int64_t& side) {
    const auto number = read_number<std::int64_t>(field);
    if (!number || *number < 1 || *number > longest_side) {
      report(field, fmt::format("{} is '{:.40}'; expected a whole number from 1 to {}", name, field,
                                longest_side));
      return false;
    }
    side = *number;
    return true;
  }

  bool read_time(std::string_view field, GemmMeasurement& row) {
    const auto time = read_number<double>(field);
    if (!time || !(*time > 0) || *time > longest_time) {
      report(field, fmt::format("time_us is '{:.40}'; expected a number above 0, at most {}", field,
                                longest_time));
      return false;
    }
    row.microseconds = *time;
    return true;
  }

  bool is_possible(const GemmMeasurement& row) {
    const sim::Int128 multiplications = static_cast<sim::Int128>(row.m) * row.n * row.k;
    if (multiplications <= most_multiplications) return true;
    report(line_, "more than 10^18 multiplications; expected a product that a GPU computes");
    return false;
  }

  [[nodiscard]] std::vector<std::string_view> split_commas() const {
    std::vector<std::string_view> fields;
    for (std::string_view rest = line_;;) {
      const std::size_t comma = rest.find(',');
      fields.push_back(rest.substr(0, comma));
      if (comma == std::string_view::npos) return fields;
      rest.remove_prefix(comma + 1);
    }
  }

  // `part` lies in the line.
  void report(std::string_view part, std::string message) {
    const auto before = static_cast<std::size_t>(part.data() - line_.data());
    const std::uint32_t column = scenarios::character_count(line_.substr(0, before)) + 1;
    diagnostics_.add(
        {.code = "E113",
         .location = {&file_, {number_, column, column + scenarios::character_count(part)}},
         .message = std::move(message),
         .label = "",
         .notes = {},
         .help = "",
         .suggestion = ""});
  }

  const SourceFile& file_;
  Diagnostics& diagnostics_;
  GemmMeasurements found_;
  std::string_view line_;
  std::uint32_t number_ = 1;
};

std::uint64_t hash_of(const GemmMeasurement& row) {
  return sim::Digest().add(gemm_row_name(row)).value();
}

}  // namespace

GemmMeasurements parse_gemm_measurements(const SourceFile& file, Diagnostics& diagnostics) {
  return Parser(file, diagnostics).parse();
}

std::string gemm_row_name(const GemmMeasurement& row) {
  const auto* const type =
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
