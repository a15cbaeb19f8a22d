#include "validate/compare/data_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <system_error>
#include <utility>

#include "scenarios/schema/json.hpp"
#include "validate/import/text_file.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view unknown_kind = "unknown";

// Prose about the data beside it.
bool is_description(const fs::path& file) { return file.filename() == "README.md"; }

// Whether a file calls itself data of some kind.
bool is_named_as_data(const fs::path& file) {
  constexpr std::array<std::string_view, 8> endings{".json",  ".jsonl",  ".csv",      ".tsv",
                                                    ".trace", ".digest", ".expected", ".txt"};
  const std::string ending = without_gz(file).extension().string();
  return std::ranges::find(endings, ending) != endings.end();
}

// Why a file that no kind recognises cannot be anything: it is empty, or no JSON though it says so.
// Empty if it may be data of a kind that memsim does not know.
std::string damage(const fs::path& file, std::string_view head) {
  const std::string name = file.filename().string();
  if (head.find_first_not_of(" \t\r\n") == std::string_view::npos && is_named_as_data(file))
    return fmt::format("E114 {}:1:1: the file is empty", name);
  const fs::path ending = without_gz(file).extension();
  if (ending != ".json" && ending != ".jsonl") return "";
  const auto text = read_text_file(file);
  if (!text) return text.error().message;
  const scenarios::SourceFile source(name, *text, scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  if (ending == ".json") {
    scenarios::parse_json(source, diagnostics);
  } else {
    for (std::uint32_t line = 1; line <= source.lines() && !diagnostics.has_errors(); ++line)
      if (source.line(line).find_first_not_of(" \t") != std::string_view::npos)
        scenarios::parse_json_line(source, line, diagnostics);
  }
  return diagnostics.has_errors() ? diagnostics.sorted().front().sentence() : "";
}

class Finder {
 public:
  void add(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) {
      add_folder(path);
    } else {
      // A link that leads nowhere, or in a circle, has no status.
      const auto head = read_text_head(path, data_head);
      if (!head) return refuse(path, head.error().message);
      if (add_if_recognised(path, *head)) return;
      const std::string why = why_not(path, *head);
      refuse(path, why.empty() ? "no kind of data recognises the content of this file" : why);
    }
  }

  DataFiles take() { return std::move(found_); }

 private:
  struct Foreign {
    fs::path path;
    std::string why_not;  // not empty: it should have been recognised
  };

  void add_folder(const fs::path& folder) {
    bool useful = false;  // something is recognised, or refused with its own reason
    std::vector<Foreign> foreign;
    for (const fs::path& file : files_below(folder)) {
      const auto head = read_text_head(file, data_head);
      if (head && !add_if_recognised(file, *head)) {
        if (!is_description(file)) foreign.push_back({file, why_not(file, *head)});
        continue;
      }
      useful = true;
      if (!head) refuse(file, head.error().message);
    }
    std::erase_if(foreign, [&](const Foreign& file) { return is_companion(file.path); });
    for (const Foreign& file : foreign) {
      if (file.why_not.empty()) {
        add_foreign(file.path, "no kind of data recognises {}");
      } else {
        useful = true;
        refuse(file.path, file.why_not);
      }
    }
    if (!useful) refuse(folder, "E114 no data of a known kind is in this folder");
  }

  std::vector<fs::path> files_below(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    fs::recursive_directory_iterator walk(folder, error);
    for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
      std::error_code ignored;
      // Everything that is no folder: what is no regular file either is told when it is read.
      if (!fs::is_directory(walk->status(ignored)))
        files.push_back(walk->path());
      else if (walk->is_symlink(ignored))
        add_foreign(walk->path(), "a link to a folder is not followed: {}");
    }
    if (error) refuse(folder, "cannot be listed: " + error.message());
    std::ranges::sort(files);
    return files;
  }

  bool add_if_recognised(const fs::path& path, std::string_view head) {
    for (const Kind& kind : kinds()) {
      if (!kind.recognises(path, head)) continue;
      std::error_code ignored;
      mains_.push_back({path, path.generic_string(), &kind});
      if (seen_.insert(fs::weakly_canonical(path, ignored)).second)
        found_.recognised.push_back(mains_.back());
      return true;
    }
    return false;
  }

  static std::string why_not(const fs::path& path, std::string_view head) {
    for (const Kind& kind : kinds())
      if (std::string lacking = kind.orphan(path, head); !lacking.empty())
        return fmt::format("E114 {}: {}", path.filename().string(), lacking);
    return damage(path, head);
  }

  [[nodiscard]] bool is_companion(const fs::path& file) const {
    return std::ranges::any_of(
        mains_, [&](const DataFile& main) { return main.kind->companion(file, main.path); });
  }

  void refuse(const fs::path& path, std::string reason) {
    found_.others.push_back(
        input_error_row(unknown_kind, path.generic_string(), "", std::move(reason)));
  }

  // `reason`: with {} for the name.
  void add_foreign(const fs::path& path, fmt::format_string<std::string> reason) {
    Row row;
    row.kind = unknown_kind;
    row.file = path.generic_string();
    row.status = Status::not_modelled;
    row.reason = fmt::format(reason, path.filename().string());
    found_.others.push_back(std::move(row));
  }

  DataFiles found_;
  std::vector<DataFile> mains_;  // every recognised file, as often as a path leads to it
  std::set<fs::path> seen_;      // their canonical names
};

}  // namespace

DataFiles find_data_files(std::span<const fs::path> paths) {
  Finder finder;
  for (const fs::path& path : paths) finder.add(path);
  return finder.take();
}

}  // namespace memsim::validate
