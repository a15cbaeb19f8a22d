#include "scenarios/schema/files.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>

#include "scenarios/schema/display.hpp"
#include "scenarios/schema/spelling.hpp"

namespace memsim::scenarios {
namespace {

namespace fs = std::filesystem;

// Far more than anybody writes; less than what a wrong file or device would fill the memory with.
constexpr std::size_t largest_file = 16 << 20;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

struct Contents {
  std::string text;
  std::string problem;  // why there is none
};

std::string reason(int error) { return std::generic_category().message(error); }

Contents contents_of(const fs::path& path) {
  if (is_folder(path)) return {"", "it is a folder"};
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (file == nullptr) return {"", reason(errno)};
  Contents contents;
  std::array<char, 1 << 14> buffer{};
  while (std::feof(file.get()) == 0) {
    const std::size_t read = std::fread(buffer.data(), 1, buffer.size(), file.get());
    if (std::ferror(file.get()) != 0) return {"", reason(errno)};
    contents.text.append(buffer.data(), read);
    if (contents.text.size() > largest_file) {
      return {"", fmt::format("it has more than {} MiB", largest_file >> 20)};
    }
  }
  if (contents.text.starts_with(byte_order_mark)) contents.text.erase(0, byte_order_mark.size());
  return contents;
}

void report(std::string message, std::string label, std::string help, std::string suggestion,
            const Location& named, Diagnostics& diagnostics) {
  diagnostics.add({.code = "E101",
                   .location = named,
                   .message = std::move(message),
                   .label = std::move(label),
                   .notes = {},
                   .help = std::move(help),
                   .suggestion = std::move(suggestion)});
}

}  // namespace

bool is_file(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_directory(status);
}

const SourceFile* read_source(const fs::path& path, std::string name, SourceRole role,
                              const Location& named, Sources& sources, Diagnostics& diagnostics) {
  Contents contents = contents_of(path);
  if (contents.problem.empty()) {
    return &sources.add(std::move(name), std::move(contents.text), role, path.string());
  }
  report(fmt::format("{} cannot be read", in_quotes(path.string())), contents.problem, "", "",
         named, diagnostics);
  return nullptr;
}

void report_missing(const MissingFile& missing, const Location& named, Diagnostics& diagnostics) {
  const std::string wanted = in_quotes(missing.wanted);
  if (!missing.wanted.empty() && is_folder(missing.path)) {
    return report(fmt::format("{} is a folder", wanted), "expected a file", missing.help, "", named,
                  diagnostics);
  }
  const std::string meant = nearest(missing.wanted, missing.known);
  const bool in_a_file = named.file != nullptr && named.file->role() != SourceRole::command_line;
  report(fmt::format("no {} {}: {}", missing.what, wanted,
                     missing.known.empty() ? "there is no such file"
                                           : "neither a file nor in the catalogue"),
         meant.empty() ? "" : fmt::format("did you mean `{}`?", meant), missing.help,
         meant.empty() || !in_a_file ? meant : fmt::format("\"{}\"", meant), named, diagnostics);
}

}  // namespace memsim::scenarios
