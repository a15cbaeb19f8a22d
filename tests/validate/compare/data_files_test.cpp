#include "validate/compare/data_files.hpp"

#include <unistd.h>
#include <zlib.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;

constexpr auto scenario = R"({"links":[{"name":"a","bandwidth_Bps":10,"latency_ns":0}],)"
                          R"("flows":[{"start_ns":0,"bytes":5,"links":[0]}]})";

// A folder of its own that goes away with the test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("memsim-data-files-" + std::to_string(getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path write(const fs::path& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

DataFiles find(const fs::path& path) { return find_data_files(std::vector{path}); }

TEST_CASE("data files are found by their content, below folders, in the order of their names") {
  const Folder folder;
  folder.write("b/deep/x.data", scenario);
  folder.write("a/y.json", scenario);
  const DataFiles found = find(folder.path());
  REQUIRE(found.recognised.size() == 2);
  CHECK(found.recognised[0].shown == (folder.path() / "a/y.json").generic_string());
  CHECK(found.recognised[1].path == folder.path() / "b/deep/x.data");
  CHECK(found.recognised[0].kind->name == "flows");
  CHECK(found.unreadable.empty());
}

TEST_CASE("a compressed file is recognised by what is in it") {
  const Folder folder;
  const fs::path path = folder.path() / "x.bin";
  gzFile file = gzopen(path.c_str(), "wb");
  gzputs(file, scenario);
  gzclose(file);
  CHECK(find(path).recognised.size() == 1);
}

TEST_CASE("foreign files in a folder are named, companions and descriptions are not") {
  const Folder folder;
  folder.write("x.json", scenario);
  folder.write("x.expected.csv", "flow,completion_s\n0,0.5\n");
  folder.write("notes.txt", "hello");
  folder.write("README.md", "what the data is");
  const DataFiles found = find(folder.path());
  CHECK(found.recognised.size() == 1);
  REQUIRE(found.foreign.size() == 1);
  CHECK(found.foreign[0] == (folder.path() / "notes.txt").generic_string());
}

TEST_CASE("a file that was named must be there, readable and known") {
  const Folder folder;
  const DataFiles unknown = find(folder.write("notes.txt", "hello"));
  REQUIRE(unknown.unreadable.size() == 1);
  CHECK(unknown.unreadable[0].status == Status::input_error);
  CHECK_THAT(unknown.unreadable[0].reason, Catch::Contains("recognises"));

  const DataFiles missing = find(folder.path() / "none.json");
  REQUIRE(missing.unreadable.size() == 1);
  CHECK_THAT(missing.unreadable[0].reason, Catch::Contains("no such file"));

  const std::string damaged("\x1f\x8b\x08\x00garbage", 11);
  const DataFiles broken = find(folder.write("broken.gz", damaged));
  REQUIRE(broken.unreadable.size() == 1);
  CHECK_THAT(broken.unreadable[0].reason, Catch::Contains("damaged gzip"));
}

}  // namespace
}  // namespace memsim::validate
