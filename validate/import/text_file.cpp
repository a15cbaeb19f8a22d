#include "validate/import/text_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;

struct CloseGzip {
  void operator()(gzFile_s* file) const { gzclose(file); }
};

// What zlib says about the file, without the name that it puts in front.
std::string fault_of(gzFile_s* file, const fs::path& path) {
  int code = Z_OK;
  std::string_view message = gzerror(file, &code);
  if (code == Z_OK || code == Z_STREAM_END) return "";
  const std::string prefix = path.string() + ": ";
  if (message.starts_with(prefix)) message.remove_prefix(prefix.size());
  return fmt::format("{}: damaged gzip: {}", path.string(), message);
}

sim::Result<void> check_regular(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_regular_file(status)) return {};
  if (fs::is_directory(status)) return sim::fail(path.string() + ": is a folder");
  if (fs::exists(status)) return sim::fail(path.string() + ": is no regular file");
  return sim::fail(fmt::format("{}: {}", path.string(),
                               error ? error.message() : "there is no such file or folder"));
}

}  // namespace

sim::Result<std::string> read_text_head(const fs::path& path, std::size_t limit) {
  if (const auto regular = check_regular(path); !regular) return tl::unexpected(regular.error());
  // gzopen reads plain files unchanged.
  const std::unique_ptr<gzFile_s, CloseGzip> file(gzopen(path.c_str(), "rb"));
  if (file == nullptr)
    return sim::fail(path.string() + ": " + std::generic_category().message(errno));
  std::string text;
  constexpr std::size_t chunk = 1 << 16;
  while (text.size() < limit) {
    const std::size_t old_size = text.size();
    const std::size_t want = std::min(chunk, limit - old_size);
    text.resize(old_size + want);
    const int got = gzread(file.get(), text.data() + old_size, static_cast<unsigned>(want));
    text.resize(old_size + static_cast<std::size_t>(std::max(got, 0)));
    if (std::cmp_equal(got, want)) continue;
    if (std::string fault = fault_of(file.get(), path); !fault.empty())
      return sim::fail(std::move(fault));
    break;
  }
  return text;
}

sim::Result<std::string> read_text_file(const fs::path& path) {
  auto text = read_text_head(path, largest_text + 1);
  if (text && text->size() > largest_text)
    return sim::fail(
        fmt::format("{}: more than {} MiB of text", path.string(), largest_text >> 20));
  return text;
}

fs::path without_gz(const fs::path& path) {
  return path.extension() == ".gz" ? path.parent_path() / path.stem() : path;
}

sim::Result<fs::path> find_text_file(const fs::path& path) {
  fs::path compressed = path;
  compressed += ".gz";
  std::error_code ignored;
  const bool plain_is_there = fs::exists(fs::symlink_status(path, ignored));
  const bool compressed_is_there = fs::exists(fs::symlink_status(compressed, ignored));
  const std::string name = path.filename().string();
  if (plain_is_there && compressed_is_there)
    return sim::fail(fmt::format("both {} and {}.gz are there: which one counts?", name, name));
  if (!plain_is_there && !compressed_is_there)
    return sim::fail(fmt::format("there is no {} (or {}.gz)", name, name));
  return plain_is_there ? path : compressed;
}

}  // namespace memsim::validate
