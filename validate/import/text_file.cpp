#include "validate/import/text_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>

namespace memsim::validate {
namespace {

struct CloseGzip {
  void operator()(gzFile_s* file) const { gzclose(file); }
};

}  // namespace

sim::Result<std::string> read_text_head(const std::filesystem::path& path, std::size_t limit) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return sim::fail(path.string() + ": is a folder");
  // gzopen reads plain files unchanged.
  const std::unique_ptr<gzFile_s, CloseGzip> file(gzopen(path.c_str(), "rb"));
  if (file == nullptr) return sim::fail(path.string() + ": " + std::strerror(errno));
  std::string text;
  constexpr std::size_t chunk = 1 << 16;
  while (text.size() < limit) {
    const std::size_t old_size = text.size();
    const std::size_t want = std::min(chunk, limit - old_size);
    text.resize(old_size + want);
    const int got = gzread(file.get(), text.data() + old_size, static_cast<unsigned>(want));
    if (got < 0) {
      int code = 0;
      return sim::fail(path.string() + ": damaged gzip: " + gzerror(file.get(), &code));
    }
    text.resize(old_size + static_cast<std::size_t>(got));
    if (static_cast<std::size_t>(got) < want) {
      int code = Z_OK;
      const char* message = gzerror(file.get(), &code);
      if (code != Z_OK && code != Z_STREAM_END)
        return sim::fail(path.string() + ": damaged gzip: " + message);
      break;
    }
  }
  return text;
}

sim::Result<std::string> read_text_file(const std::filesystem::path& path) {
  return read_text_head(path, std::numeric_limits<std::size_t>::max());
}

}  // namespace memsim::validate
