// What PyTorch's own allocator did (traces with their expected log, digests of generated traces)
// against memsim's model of it, byte for byte.
#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "validate/compare/kind.hpp"
#include "validate/import/allocator_digest.hpp"
#include "validate/import/allocator_generator.hpp"
#include "validate/import/allocator_replay.hpp"
#include "validate/import/allocator_trace.hpp"
#include "validate/import/log_statistics.hpp"
#include "validate/import/text_file.hpp"
#include "validate/import/text_lines.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;
using scenarios::Diagnostics;
using scenarios::SourceFile;
using scenarios::SourceRole;

constexpr std::string_view kind_name = "allocator";

// NAME of NAME.trace, NAME.digest.gz
std::string name_of(const fs::path& file) { return without_gz(file).stem().string(); }

fs::path log_beside(const fs::path& trace) {
  return without_gz(trace).replace_extension(".expected");
}

// One trace or digest.
class Run {
 public:
  Run(const fs::path& file, const RowSink& sink) : file_(&file), sink_(&sink) {}

  void run() {
    const auto text = read_text_file(*file_);
    if (!text) return refuse(text.error().message);
    const SourceFile source(file_->filename().string(), *text, SourceRole::given, 0);
    const bool digest = is_allocator_digest(*text) || without_gz(*file_).extension() == ".digest";
    return digest ? run_digest_file(source) : run_trace(source);
  }

 private:
  void refuse(std::string reason) {
    (*sink_)(
        input_error_row(kind_name, file_->generic_string(), name_of(*file_), std::move(reason)));
  }

  Row new_row(std::string_view quantity, std::string_view unit) const {
    Row row;
    row.kind = kind_name;
    row.file = file_->generic_string();
    row.id = name_of(*file_);
    row.quantity = quantity;
    row.unit = unit;
    return row;
  }

  void run_trace(const SourceFile& source) {
    Diagnostics diagnostics;
    const auto trace = read_allocator_trace(source, diagnostics);
    add_input_errors(diagnostics, kind_name, file_->generic_string(), name_of(*file_), *sink_);
    if (!trace) return;
    if (trace->ops.empty()) return refuse(fmt::format("E114 {}:1:1: no operation", source.name()));
    const auto path = find_text_file(log_beside(*file_));
    if (!path) return refuse("E114 " + path.error().message);
    const auto expected = read_text_file(*path);
    if (!expected) return refuse(expected.error().message);
    const auto log = replay_trace(*trace);
    if (!log)
      return refuse(
          fmt::format("E113 {}:{}:1: {}", source.name(), log.error().line, log.error().message));
    compare(SourceFile(path->filename().string(), *expected, SourceRole::given, 0), 1, *log);
  }

  // The generator's parameters: in the digest's own first lines, else in the README beside it.
  [[nodiscard]] sim::Result<GeneratorSpec> find_generator(std::string_view text) const {
    if (auto own = find_generator_in_digest(text)) return *std::move(own);
    const auto readme = find_text_file(file_->parent_path() / "README.md");
    if (!readme)
      return sim::fail("no generator parameters: neither in the file nor in a README.md");
    const auto table = read_text_file(*readme);
    if (!table) return tl::unexpected(table.error());
    return find_generator_in_table(*table, name_of(*file_));
  }

  void run_digest_file(const SourceFile& source) {
    // Comments come first; errors are about the first line behind them.
    std::uint32_t first = 1;
    while (source.line(first).starts_with('#')) ++first;
    const auto wrong = [&](const sim::Error& error) {
      refuse(fmt::format("E113 {}:{}:1: {}", source.name(), first, error.message));
    };
    const auto interval = digest_interval(source.text());
    if (!interval) return wrong(interval.error());
    const auto spec = find_generator(source.text());
    if (!spec) return wrong(spec.error());
    const auto header = generator_header(*spec);
    if (!header) return wrong(header.error());
    const auto digest = run_digest(*header, *spec, *interval);
    if (!digest) return wrong(digest.error());
    compare(source, first, *digest);
  }

  // The lines of `expected` from line `first` on, and the statistics in them.
  void compare(const SourceFile& expected, std::uint32_t first, std::string_view got) {
    std::string_view text = expected.text();
    for (std::uint32_t line = 1; line < first; ++line) next_line(text);
    if (text.empty())
      return refuse(fmt::format("E114 {}:{}:1: nothing to compare", expected.name(), first));
    compare_lines(expected.name(), first, text, got);
    compare_statistics(expected.name(), first, text, got);
  }

  // How many lines agree, and where the texts part.
  void compare_lines(const std::string& name, std::uint32_t first, std::string_view expected,
                     std::string_view got) {
    std::int64_t lines = 0;
    std::int64_t equal = 0;
    std::string first_difference;
    while (!expected.empty() || !got.empty()) {
      const std::string_view wanted = expected.empty() ? "(nothing)" : next_line(expected);
      const std::string_view given = got.empty() ? "(nothing)" : next_line(got);
      if (wanted == given) {
        ++equal;
      } else if (first_difference.empty()) {
        first_difference =
            fmt::format("{}:{}: expected '{}', got '{}'", name, first + lines, wanted, given);
      }
      ++lines;
    }
    Row row = exact_row(new_row("lines equal", "lines"), exact_value(lines), exact_value(equal));
    row.reason = first_difference;
    (*sink_)(std::move(row));
  }

  void compare_statistics(const std::string& name, std::uint32_t first, std::string_view expected,
                          std::string_view got) {
    const LogStatistics measured = read_log_statistics(expected);
    const LogStatistics predicted = read_log_statistics(got);
    for (const LogStatistics::Fault& fault : measured.faults)
      refuse(fmt::format("E113 {}:{}:1: {}", name, first + fault.line - 1, fault.message));
    for (const auto& [quantity, value] : measured.values) {
      const auto found = predicted.values.find(quantity);
      if (found == predicted.values.end()) continue;
      const bool bytes = quantity.find("_bytes.") != std::string::npos;
      (*sink_)(exact_row(new_row(quantity, bytes ? "B" : "count"), exact_value(value),
                         exact_value(found->second)));
    }
  }

  const fs::path* file_;
  const RowSink* sink_;
};

// By name as well: a trace or digest whose first line is wrong is still told where.
bool recognises(const fs::path& file, std::string_view head) {
  const fs::path ending = without_gz(file).extension();
  if (ending == ".trace" || ending == ".digest") return true;
  if (head.find('\0') != std::string_view::npos) return false;
  return is_allocator_digest(head) || is_allocator_trace(head);
}

void run(const fs::path& file, const fs::path&, const RowSink& sink) { Run(file, sink).run(); }

bool companion(const fs::path& file, const fs::path& main) {
  return without_gz(file) == log_beside(main);
}

std::string orphan(const fs::path& file, std::string_view /*head*/) {
  if (without_gz(file).extension() != ".expected") return "";
  return fmt::format("there is no trace {0}.trace (or {0}.trace.gz) beside it", name_of(file));
}

}  // namespace

const Kind allocator_kind{kind_name, recognises, run, companion, orphan};

}  // namespace memsim::validate
