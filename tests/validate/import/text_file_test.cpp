#include "validate/import/text_file.hpp"

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;

std::string fault(const fs::path& path) {
  const auto text = read_text_file(path);
  REQUIRE_FALSE(text);
  return text.error().message;
}

fs::path compress(const fs::path& path, const std::string& text) {
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return path;
}

TEST_CASE("plain and compressed files are read alike, whole or up to a limit") {
  const test::TemporaryFolder folder;
  const std::string text(200'000, 'x');
  for (const fs::path& path :
       {folder.write("plain", text), compress(folder.path() / "packed", text)}) {
    CHECK(read_text_file(path) == text);
    CHECK(read_text_head(path, 70'000)->size() == 70'000);
  }
}

TEST_CASE("only regular files are read: others could be without end") {
  const test::TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(fault(pipe) == pipe.string() + ": is no regular file");
  CHECK(fault(folder.path()) == folder.path().string() + ": is a folder");
  const fs::path circle = folder.path() / "circle";
  fs::create_symlink(circle, circle);
  CHECK_THAT(fault(circle), Catch::StartsWith(circle.string() + ": "));
  CHECK_THAT(fault(folder.path() / "none"), Catch::EndsWith("none: No such file or directory"));
}

TEST_CASE("a compressed file that is cut off or altered is damaged") {
  const test::TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += std::to_string(i) + "\n";
  const auto whole = compress(folder.path() / "whole", text);
  const auto size = fs::file_size(whole);
  fs::resize_file(whole, size / 2);
  CHECK(fault(whole) == whole.string() + ": damaged gzip: unexpected end of file");
}

TEST_CASE("a text beyond the largest is not read, however small its file is") {
  const test::TemporaryFolder folder;
  const fs::path path = folder.path() / "zeros.gz";
  const gzFile file = gzopen(path.c_str(), "wb1");
  const std::string zeros(1 << 20, 'x');
  for (std::size_t written = 0; written <= largest_text; written += zeros.size())
    gzwrite(file, zeros.data(), static_cast<unsigned>(zeros.size()));
  gzclose(file);
  CHECK(fault(path) == path.string() + ": more than 256 MiB of text");
}

TEST_CASE("a file is found plain or compressed, but not as both") {
  const test::TemporaryFolder folder;
  const fs::path name = folder.path() / "a.txt";
  CHECK(find_text_file(name).error().message == "there is no a.txt (or a.txt.gz)");
  const fs::path packed = folder.write("a.txt.gz", "");
  CHECK(find_text_file(name) == packed);
  CHECK(without_gz(packed) == name);
  CHECK(without_gz(name) == name);
  folder.write("a.txt", "");
  CHECK(find_text_file(name).error().message ==
        "both a.txt and a.txt.gz are there: which one counts?");
}

}  // namespace
}  // namespace memsim::validate
