// What PyTorch's own allocator did (traces with their expected log, digests of generated traces)
// against memsim's model of it, byte for byte.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "validate/compare/kind.hpp"
#include "validate/import/allocator_digest.hpp"
#include "validate/import/allocator_generator.hpp"
#include "validate/import/allocator_replay.hpp"
#include "validate/import/allocator_trace.hpp"
#include "validate/import/text_file.hpp"
#include "validate/import/text_lines.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kind_name = "allocator";

// A path without ".gz".
fs::path plain(const fs::path& file) {
  return file.extension() == ".gz" ? file.parent_path() / file.stem() : file;
}

Row new_row(const fs::path& file, std::string_view quantity, std::string_view unit) {
  Row row;
  row.kind = kind_name;
  row.file = file.generic_string();
  row.id = plain(file).stem().string();
  row.quantity = quantity;
  row.unit = unit;
  return row;
}

Row numbers_row(const fs::path& file, std::string_view quantity, std::string_view unit,
                std::int64_t measured, std::int64_t predicted) {
  Row row = new_row(file, quantity, unit);
  row.measured = exact_value(measured);
  row.predicted = exact_value(predicted);
  row.error = relative_error(row.measured, row.predicted);
  row.status = measured == predicted ? Status::ok : Status::off;
  return row;
}

// How many lines agree, and where the texts part.
Row lines_row(const fs::path& file, std::string_view expected, std::string_view got) {
  std::int64_t lines = 0;
  std::int64_t equal = 0;
  std::string first_difference;
  while (!expected.empty() || !got.empty()) {
    ++lines;
    const std::string_view wanted = expected.empty() ? "(nothing)" : next_line(expected);
    const std::string_view given = got.empty() ? "(nothing)" : next_line(got);
    if (wanted == given) {
      ++equal;
    } else if (first_difference.empty()) {
      first_difference = fmt::format("line {}: expected '{}', got '{}'", lines, wanted, given);
    }
  }
  Row row = numbers_row(file, "lines equal", "lines", lines, equal);
  row.reason = first_difference;
  return row;
}

// The statistics that people look at, by name, from what follows END in a log.
std::map<std::string, std::int64_t> final_statistics(std::string_view log) {
  constexpr std::string_view all_pools = ".all";
  std::map<std::string, std::int64_t> found;
  const std::size_t end = log.starts_with("END\n") ? 0 : log.find("\nEND\n");
  if (end == std::string_view::npos) return found;
  log.remove_prefix(end);
  while (!log.empty()) {
    const auto words = split_words(next_line(log));
    const bool measure = words.size() == 5 && words[0].ends_with(all_pools);
    for (const std::string_view word : words) {
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos) continue;
      const std::string_view key = word.substr(0, equals);
      const std::string_view value = word.substr(equals + 1);
      if (!(measure && key == "peak") && !key.starts_with("num_")) continue;
      std::int64_t number = 0;
      std::from_chars(value.data(), value.data() + value.size(), number);
      found[measure ? fmt::format("{}.{}", words[0], key) : std::string(key)] = number;
    }
  }
  return found;
}

void add_statistics_rows(const fs::path& file, std::string_view expected, std::string_view got,
                         std::vector<Row>& rows) {
  const auto measured = final_statistics(expected);
  const auto predicted = final_statistics(got);
  for (const auto& [quantity, value] : measured) {
    const auto found = predicted.find(quantity);
    if (found == predicted.end()) continue;
    const bool bytes = quantity.find("_bytes.") != std::string::npos;
    rows.push_back(numbers_row(file, quantity, bytes ? "B" : "count", value, found->second));
  }
}

std::vector<Row> compare(const fs::path& file, std::string_view expected, std::string_view got) {
  std::vector<Row> rows{lines_row(file, expected, got)};
  add_statistics_rows(file, expected, got, rows);
  return rows;
}

std::vector<Row> unreadable(const fs::path& file, std::string reason) {
  return {input_error_row(kind_name, file.generic_string(), plain(file).stem().string(),
                          std::move(reason))};
}

std::vector<Row> not_modelled(const fs::path& file, std::string feature) {
  Row row = new_row(file, "lines equal", "lines");
  row.status = Status::not_modelled;
  row.reason = std::move(feature);
  return {row};
}

// A file beside this one, plain or compressed.
std::optional<fs::path> beside(const fs::path& file, const fs::path& name) {
  for (const char* ending : {"", ".gz"}) {
    fs::path path = file.parent_path() / name;
    path += ending;
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) return path;
  }
  return std::nullopt;
}

std::vector<Row> run_trace(const fs::path& file, std::string_view text) {
  const auto trace = read_allocator_trace(text);
  if (!trace) return unreadable(file, trace.error().message);
  const fs::path name = plain(file).filename().replace_extension(".expected");
  const auto expected_path = beside(file, name);
  if (!expected_path) return unreadable(file, "no " + name.string() + " beside it");
  const auto expected = read_text_file(*expected_path);
  if (!expected) return unreadable(file, expected.error().message);
  if (auto feature = unmodelled_feature(*trace)) return not_modelled(file, *std::move(feature));
  const auto log = replay_trace(*trace);
  if (!log) return unreadable(file, log.error().message);
  return compare(file, *expected, *log);
}

// The generator's parameters: in the digest's own first lines, else in the README beside it.
sim::Result<GeneratorSpec> find_generator(const fs::path& file, std::string_view text) {
  if (auto own = find_generator_in_digest(text)) return *std::move(own);
  const auto readme = beside(file, "README.md");
  if (!readme) return sim::fail("no generator parameters: neither in the file nor in a README.md");
  const auto table = read_text_file(*readme);
  if (!table) return tl::unexpected(table.error());
  return find_generator_in_table(*table, plain(file).stem().string());
}

std::string_view without_comments(std::string_view text) {
  while (text.starts_with('#')) next_line(text);
  return text;
}

std::vector<Row> run_digest_file(const fs::path& file, std::string_view text) {
  const auto spec = find_generator(file, text);
  if (!spec) return unreadable(file, spec.error().message);
  const auto interval = digest_interval(text);
  if (!interval) return unreadable(file, interval.error().message);
  const auto header = generator_header(*spec);
  if (!header) return unreadable(file, header.error().message);
  if (auto feature = unmodelled_feature(*header)) return not_modelled(file, *std::move(feature));
  const auto digest = run_digest(*header, *spec, *interval);
  if (!digest) return unreadable(file, digest.error().message);
  return compare(file, without_comments(text), *digest);
}

bool is_trace_name(const fs::path& file) { return plain(file).extension() == ".trace"; }

// A log's first words are numbers, so it is not taken for a trace.
bool is_trace_text(std::string_view head) {
  while (!head.empty()) {
    const auto words = split_words(next_line(head));
    if (words.empty() || words.front().starts_with('#')) continue;
    return starts_with_trace_verb(words.front());
  }
  return false;
}

bool recognises(const fs::path& file, std::string_view head) {
  if (head.find('\0') != std::string_view::npos) return false;
  // By name as well: a trace whose first line is wrong is still told where.
  return is_allocator_digest(head) || is_trace_name(file) || is_trace_text(head);
}

std::vector<Row> rows_of(const fs::path& file) {
  const auto text = read_text_file(file);
  if (!text) return unreadable(file, text.error().message);
  return is_allocator_digest(*text) ? run_digest_file(file, *text) : run_trace(file, *text);
}

void run(const fs::path& file, const RowSink& sink) {
  for (Row& row : rows_of(file)) sink(std::move(row));
}

bool companion(const fs::path& file) {
  const fs::path name = plain(file).filename();
  return name.extension() == ".expected" &&
         beside(file, fs::path(name).replace_extension(".trace")).has_value();
}

}  // namespace

const Kind allocator_kind{kind_name, recognises, run, companion};

}  // namespace memsim::validate
