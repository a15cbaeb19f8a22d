#include "validate/import/allocator_generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "validate/import/text_lines.hpp"

namespace memsim::validate {
namespace {

// Every so many operations the cache is emptied.
constexpr std::int64_t flush_interval = 50000;
// More than this is no test but a wrong number.
constexpr std::int64_t most_operations = 10'000'000;

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(trim(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Cells of a row of a Markdown table; empty if the line is none.
std::vector<std::string_view> cells(std::string_view line) {
  line = trim(line);
  if (line.size() < 2 || !line.starts_with('|') || !line.ends_with('|')) return {};
  return split(line.substr(1, line.size() - 2), '|');
}

template <class Number>
sim::Result<void> read_parameter(std::string_view name, std::string_view text, Number largest,
                                 Number& number) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > largest)
    return sim::fail(
        fmt::format("generator: {} '{}' is not a number from 0 to {}", name, text, largest));
  number = value;
  return {};
}

// Sets one parameter of the generator; names are those of the table's columns.
sim::Result<void> set_parameter(GeneratorSpec& spec, std::string_view name, std::string_view text) {
  if (name == "seed") return read_parameter(name, text, ~std::uint64_t{0}, spec.seed);
  if (name == "N") return read_parameter(name, text, most_operations, spec.operations);
  if (name == "L") return read_parameter(name, text, most_operations, spec.live);
  if (name == "S") return read_parameter(name, text, std::uint32_t{1} << 16, spec.streams);
  if (name == "REC") {
    std::int64_t flag = 0;
    const auto read = read_parameter(name, text, std::int64_t{1}, flag);
    spec.record = flag == 1;
    return read;
  }
  if (name == "header") {
    for (const std::string_view line : split(text, ';')) {
      if (!line.empty()) spec.header.emplace_back(line);
    }
    return {};
  }
  return sim::fail(fmt::format("generator: unknown parameter '{}'", name));
}

sim::Result<GeneratorSpec> checked(const GeneratorSpec& spec) {
  if (spec.operations == 0 || spec.streams == 0)
    return sim::fail("generator: N and S must be at least 1");
  return spec;
}

}  // namespace

sim::Result<GeneratorSpec> find_generator_in_table(std::string_view markdown,
                                                   std::string_view file) {
  std::vector<std::string_view> columns;
  while (!markdown.empty()) {
    const auto row = cells(next_line(markdown));
    if (row.empty()) {
      columns.clear();
    } else if (row[0] == "file" && std::ranges::find(row, "seed") != row.end()) {
      columns = row;
    } else if (row[0] == file && columns.size() == row.size()) {
      GeneratorSpec spec;
      for (std::size_t at = 1; at < row.size(); ++at) {
        if (auto set = set_parameter(spec, columns[at], row[at]); !set)
          return tl::unexpected(set.error());
      }
      return checked(spec);
    }
  }
  return sim::fail(fmt::format("no generator parameters for '{}'", file));
}

std::optional<sim::Result<GeneratorSpec>> find_generator_in_digest(std::string_view digest) {
  GeneratorSpec spec;
  bool found = false;
  while (digest.starts_with('#')) {
    const std::string_view line = trim(next_line(digest).substr(1));
    if (line.find('=') == std::string_view::npos) continue;
    found = true;
    const std::vector<std::string_view> pairs =
        line.starts_with("header=") ? std::vector<std::string_view>{line} : split_words(line);
    for (const std::string_view pair : pairs) {
      const std::size_t equals = std::min(pair.find('='), pair.size() - 1);
      const auto set = set_parameter(spec, pair.substr(0, equals), pair.substr(equals + 1));
      if (!set) return sim::Result<GeneratorSpec>(tl::unexpected(set.error()));
    }
  }
  if (!found) return std::nullopt;
  return checked(spec);
}

std::optional<TraceOp> TraceGenerator::next() {
  if (done_ == spec_.operations) return std::nullopt;
  ++done_;
  if (done_ % flush_interval == 0) return TraceOp{.verb = TraceVerb::empty_cache};
  const std::uint64_t x = below(100);
  const bool full = std::cmp_greater_equal(live_.size(), spec_.live);
  if (!live_.empty() && (x < 49 || full)) {
    const std::uint32_t at = draw_live();
    const std::uint32_t freed = live_[at];
    live_[at] = live_.back();
    live_.pop_back();
    return TraceOp{.verb = TraceVerb::free, .allocation = freed};
  }
  if (spec_.record && x == 99 && !live_.empty()) {
    const std::uint32_t used = live_[draw_live()];
    return TraceOp{.verb = TraceVerb::record, .allocation = used, .stream = draw_stream()};
  }
  TraceOp op{.verb = TraceVerb::alloc, .allocation = allocations_++};
  op.amount = draw_size();
  op.stream = draw_stream();
  live_.push_back(op.allocation);
  return op;
}

// Half of the sizes up to 64 KiB, the others larger and larger, the last whole MiB.
std::int64_t TraceGenerator::draw_size() {
  constexpr std::uint64_t mib = 1 << 20;
  const std::uint64_t kind = below(16);
  std::uint64_t size = 0;
  if (kind < 8) {
    size = 1 + below(65536);
  } else if (kind < 12) {
    size = 1 + below(mib);
  } else if (kind < 14) {
    size = 1 + below(10 * mib);
  } else if (kind < 15) {
    size = 1 + below(64 * mib);
  } else {
    size = (1 + below(64)) * mib;
  }
  return static_cast<std::int64_t>(size);
}

}  // namespace memsim::validate
