// Kind "torch": what PyTorch training programs allocate, in which order, and what autograd saves
// (validate/data/torch/README.md).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "scenarios/schema/json.hpp"
#include "validate/compare/kind.hpp"
#include "validate/compare/torch_comparison.hpp"
#include "validate/compare/torch_expectations.hpp"
#include "validate/compare/torch_row.hpp"
#include "validate/compare/torch_trace.hpp"
#include "validate/import/text_file.hpp"
#include "validate/import/text_lines.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;
using scenarios::Diagnostics;
using scenarios::Node;
using scenarios::NodeType;
using scenarios::SourceFile;
using scenarios::SourceRole;

// traces/ID.txt (or traces/ID.txt.gz) beside a file of rows.
fs::path trace_of(const fs::path& rows, const std::string& id) {
  return rows.parent_path() / "traces" / (id + ".txt");
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error))
    paths.push_back(entry->path());
  return paths;
}

// One file of rows.
class Run {
 public:
  Run(const fs::path& file, const RowSink& sink)
      : file_(&file), sink_(&sink), comparison_(file.string(), sink) {}

  void run() {
    const sim::Result<std::string> text = read_text_file(*file_);
    if (!text) return comparison_.refuse("", text.error().message);
    const SourceFile source(file_->filename().string(), *text, SourceRole::given, 0);
    if (text->find_first_not_of(" \t\r\n") == std::string::npos)
      comparison_.refuse("", fmt::format("E114 {}:1:1: no row", source.name()));
    else if (is_one_row(source))
      run_one_row(source);
    else
      run_lines(source);
    tell_unused_traces();
  }

 private:
  void run_one_row(const SourceFile& source) {
    Diagnostics diagnostics;
    run_row(scenarios::parse_json(source, diagnostics), diagnostics, 1);
  }

  void run_lines(const SourceFile& source) {
    for (std::uint32_t line = 1; line <= source.lines(); ++line) {
      if (source.line(line).find_first_not_of(" \t") == std::string_view::npos) continue;
      Diagnostics diagnostics;
      run_row(scenarios::parse_json_line(source, line, diagnostics), diagnostics, line);
    }
  }

  // A row may be written over several lines instead of one row a line.
  static bool is_one_row(const SourceFile& source) {
    std::size_t starts = 0;
    bool closed = false;  // on the line on which it begins
    for (std::uint32_t line = 1; line <= source.lines(); ++line) {
      if (!source.line(line).starts_with('{')) continue;
      ++starts;
      closed = source.line(line).ends_with('}');
    }
    return starts == 1 && !closed;
  }

  // `tree` is empty if the text was no JSON.
  void run_row(const std::optional<Node>& tree, Diagnostics& diagnostics, std::uint32_t line) {
    std::string id = fmt::format("line {}", line);
    if (tree && tree->type != NodeType::table)
      report_type(*tree, "the row", "an object", diagnostics);
    else if (tree)
      run_object(*tree, diagnostics, line, id);
    add_input_errors(diagnostics, torch_kind_name, file_->string(), id, *sink_);
  }

  void run_object(const Node& object, Diagnostics& diagnostics, std::uint32_t line,
                  std::string& id) {
    JsonFields fields(object, "", diagnostics);
    const TorchRow row = read_torch_row(fields);
    const TorchExpectations expected = read_torch_expectations(fields, row);
    if (row.id.empty()) return;
    id = row.id;
    const auto [known, is_new] = lines_.try_emplace(row.id, line);
    if (!is_new) {
      diagnostics.add(
          {.code = "E142",
           .location = object.value_location("id"),
           .message = fmt::format("id `{}` is also that of line {}", row.id, known->second),
           .label = "",
           .notes = {},
           .help = "",
           .suggestion = ""});
      return;
    }
    const auto trace = read_trace(row.id, object.location);
    if (!row.readable) return;
    if (!row.not_modelled.empty())
      return comparison_.not_modelled(row.id, "", {}, row.not_modelled);
    comparison_.run(row, expected, trace, object.location);
  }

  // The trace of a row; empty, with the reason told, if there is none that can be read.
  std::optional<TorchTrace> read_trace(const std::string& id, const scenarios::Location& row) {
    const auto path = find_text_file(trace_of(*file_, id));
    if (!path) {
      comparison_.refuse(id, fmt::format("E114 {}: traces: {}", row.text(), path.error().message));
      return std::nullopt;
    }
    const sim::Result<std::string> text = read_text_file(*path);
    if (!text) {
      comparison_.refuse(id, text.error().message);
      return std::nullopt;
    }
    Diagnostics diagnostics;
    const SourceFile source("traces/" + path->filename().string(), *text, SourceRole::given, 0);
    auto events = parse_torch_trace(source, diagnostics);
    add_input_errors(diagnostics, torch_kind_name, file_->string(), id, *sink_);
    if (!events) return std::nullopt;
    return TorchTrace{source.name(), *std::move(events)};
  }

  // Traces that no row speaks of, unless another file of rows is there that may.
  void tell_unused_traces() {
    for (const fs::path& path : entries(file_->parent_path()))
      if (path.filename() != file_->filename() && without_gz(path).extension() == ".jsonl") return;
    std::set<std::string> unused;
    for (const fs::path& path : entries(file_->parent_path() / "traces")) {
      const std::string id = without_gz(path).stem().string();
      if (!lines_.contains(id)) unused.insert(id);
    }
    for (const std::string& id : unused)
      comparison_.not_modelled(id, "sequence", {}, "a trace that no row speaks of");
  }

  const fs::path* file_;
  const RowSink* sink_;
  TorchComparison comparison_;
  std::map<std::string, std::uint32_t> lines_;  // by id
};

// Whichever line is damaged, others begin as rows do.
bool has_rows(std::string_view head) {
  const auto has = [&](std::string_view key) { return head.find(key) != std::string_view::npos; };
  if (!has("\"family\"") || !has("\"args\"") || !(has("\"batch\"") || has("\"precision\"")))
    return false;
  while (!head.empty()) {
    const std::string_view line = next_line(head);
    const std::size_t first = line.find_first_not_of(" \t");
    if (first != std::string_view::npos && line[first] == '{') return true;
  }
  return false;
}

bool is_trace(const fs::path& file) {
  return file.parent_path().filename() == "traces" && without_gz(file).extension() == ".txt";
}

bool recognises(const fs::path& file, std::string_view head) {
  if (has_rows(head)) return true;
  // Damaged or empty, but traces wait for it.
  std::error_code ignored;
  return without_gz(file).filename() == "truth.jsonl" &&
         fs::is_directory(file.parent_path() / "traces", ignored);
}

void run(const fs::path& file, const fs::path&, const RowSink& sink) { Run(file, sink).run(); }

// saved/ID.tsv lists what `saved_by_grad_fn` adds up.
bool companion(const fs::path& file, const fs::path& main) {
  if (file.parent_path().parent_path() != main.parent_path()) return false;
  return is_trace(file) ||
         (file.parent_path().filename() == "saved" && without_gz(file).extension() == ".tsv");
}

std::string orphan(const fs::path& file, std::string_view head) {
  if (!is_trace(file) || !head.starts_with("m ")) return "";
  return "there is no file of rows beside the folder of this trace";
}

}  // namespace

const Kind torch_kind{torch_kind_name, recognises, run, companion, orphan};

}  // namespace memsim::validate
