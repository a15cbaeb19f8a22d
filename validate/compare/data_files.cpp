#include "validate/compare/data_files.hpp"

#include <algorithm>
#include <system_error>

#include "validate/import/text_file.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t head_size = 4096;
constexpr std::string_view unknown_kind = "unknown";

// Prose about the data beside it.
bool is_description(const fs::path& file) { return file.filename() == "README.md"; }

bool is_companion(const fs::path& file) {
  return std::ranges::any_of(
      kinds(), [&](const Kind& kind) { return kind.companion != nullptr && kind.companion(file); });
}

void add_file(const fs::path& path, bool named, DataFiles& found) {
  const auto head = read_text_head(path, head_size);
  if (!head) {
    found.unreadable.push_back(
        input_error_row(unknown_kind, path.generic_string(), "", head.error().message));
    return;
  }
  for (const Kind& kind : kinds()) {
    if (!kind.recognises(path, *head)) continue;
    found.recognised.push_back({path, path.generic_string(), &kind});
    return;
  }
  if (named) {
    found.unreadable.push_back(
        input_error_row(unknown_kind, path.generic_string(), "",
                        "no kind of data recognises the content of this file"));
  } else if (!is_companion(path) && !is_description(path)) {
    found.foreign.push_back(path.generic_string());
  }
}

void add_folder(const fs::path& folder, DataFiles& found) {
  std::error_code error;
  std::vector<fs::path> files;
  fs::recursive_directory_iterator walk(folder, error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error))
    if (walk->is_regular_file(error)) files.push_back(walk->path());
  if (error) {
    found.unreadable.push_back(input_error_row(unknown_kind, folder.generic_string(), "",
                                               "cannot be listed: " + error.message()));
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) add_file(file, false, found);
}

}  // namespace

DataFiles find_data_files(std::span<const fs::path> paths) {
  DataFiles found;
  for (const fs::path& path : paths) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (fs::is_directory(status))
      add_folder(path, found);
    else if (fs::exists(status))
      add_file(path, true, found);
    else
      found.unreadable.push_back(input_error_row(unknown_kind, path.generic_string(), "",
                                                 "there is no such file or folder"));
  }
  return found;
}

}  // namespace memsim::validate
