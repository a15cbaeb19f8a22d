#include "validate/compare/data_files.hpp"

#include <zlib.h>

#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

constexpr auto scenario = R"({"links":[{"name":"a","bandwidth_Bps":10,"latency_ns":0}],)"
                          R"("flows":[{"start_ns":0,"bytes":5,"links":[0]}]})";
constexpr auto torch_row = R"({"id":"a","family":"mlp","args":{},"batch":1})";

DataFiles find(const fs::path& path) { return find_data_files(std::vector{path}); }

std::vector<std::string> recognised(const DataFiles& found) {
  std::vector<std::string> files;
  for (const DataFile& file : found.recognised)
    files.push_back(std::string(file.kind->name) + " " + file.path.filename().string());
  return files;
}

// "status reason" of what was not recognised.
std::vector<std::string> others(const DataFiles& found) {
  std::vector<std::string> lines;
  for (const Row& row : found.others)
    lines.push_back(std::string(name(row.status)) + " " + row.reason);
  return lines;
}

using Lines = std::vector<std::string>;

TEST_CASE("data files are found by their content, below folders, in the order of their names") {
  const TemporaryFolder folder;
  folder.write("b/deep/x.data", scenario);
  folder.write("a/y.json", scenario);
  const DataFiles found = find(folder.path());
  REQUIRE(found.recognised.size() == 2);
  CHECK(found.recognised[0].shown == (folder.path() / "a/y.json").generic_string());
  CHECK(found.recognised[1].path == folder.path() / "b/deep/x.data");
  CHECK(found.recognised[0].kind->name == "flows");
  CHECK(found.others.empty());
}

TEST_CASE("a compressed file is recognised by what is in it") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "x.bin";
  gzFile file = gzopen(path.c_str(), "wb");
  gzputs(file, scenario);
  gzclose(file);
  CHECK(find(path).recognised.size() == 1);
}

TEST_CASE("foreign files in a folder are not modelled, companions and descriptions are left out") {
  const TemporaryFolder folder;
  folder.write("x.json", scenario);
  folder.write("x.expected.csv", "flow,completion_s\n0,0.5\n");
  folder.write("truth.jsonl", torch_row);
  folder.write("traces/a.txt", "m model\n");
  folder.write("saved/a.tsv", "grad_fn\n");
  folder.write("y.trace", "stats\n");
  folder.write("y.expected", "END\n");
  folder.write("notes.txt", "hello");
  folder.write("README.md", "what the data is");
  const DataFiles found = find(folder.path());
  CHECK(recognised(found) == Lines{"torch truth.jsonl", "flows x.json", "allocator y.trace"});
  CHECK(others(found) == Lines{"not_modelled no kind of data recognises notes.txt"});
  CHECK(found.others[0].file == (folder.path() / "notes.txt").generic_string());
  CHECK(found.others[0].kind == "unknown");
}

TEST_CASE("a file that was named must be there, readable and known") {
  const TemporaryFolder folder;
  CHECK(others(find(folder.write("notes.txt", "hello"))) ==
        Lines{"input_error no kind of data recognises the content of this file"});
  const fs::path missing = folder.path() / "none.json";
  CHECK(others(find(missing)) ==
        Lines{"input_error " + missing.string() + ": No such file or directory"});
  const DataFiles broken =
      find(folder.write("broken.gz", std::string("\x1f\x8b\x08\x00garbage", 11)));
  REQUIRE(broken.others.size() == 1);
  CHECK_THAT(broken.others[0].reason, Catch::Contains("damaged gzip"));
}

TEST_CASE("a folder must hold data of a known kind") {
  const TemporaryFolder folder;
  CHECK(others(find(folder.path())) ==
        Lines{"input_error E114 no data of a known kind is in this folder"});
  folder.write("notes.txt", "hello");
  CHECK(others(find(folder.path())) ==
        Lines{"not_modelled no kind of data recognises notes.txt",
              "input_error E114 no data of a known kind is in this folder"});
}

TEST_CASE("a damaged or empty file does not vanish: it is told where it is wrong") {
  const TemporaryFolder folder;
  folder.write("a.jsonl", "{\"x\":1}\n{\"x\":\n");
  folder.write("b.json", "{\"x\":[1,}");
  folder.write("c.csv", "\n");
  folder.write("d.json", "{\"of another\":\"kind\"}");
  folder.write("e", "");
  CHECK(others(find(folder.path())) ==
        Lines{"input_error E112 a.jsonl:2:6: this is not JSON; the object that begins at 2:1 is "
              "not closed",
              "input_error E112 b.json:1:9: this is not JSON; unexpected '}'; expected '[', '{', "
              "or a literal",
              "input_error E114 c.csv:1:1: the file is empty",
              "not_modelled no kind of data recognises d.json",
              "not_modelled no kind of data recognises e"});
}

TEST_CASE("a damaged file is known by what lies beside it") {
  const TemporaryFolder folder;
  folder.write("x.json", "");
  folder.write("x.expected.csv", "flow,completion_s\n0,0.5\n");
  folder.write("truth.jsonl", "");
  folder.write("traces/a.txt", "m model\n");
  folder.write("y.digest", "");
  const DataFiles found = find(folder.path());
  CHECK(recognised(found) == Lines{"torch truth.jsonl", "flows x.json", "allocator y.digest"});
  CHECK(found.others.empty());
}

TEST_CASE("a companion without its main file is told") {
  const TemporaryFolder folder;
  folder.write("x.expected.csv.gz", "flow,completion_s\n0,0.5\n");
  folder.write("y.expected", "END\n");
  folder.write("traces/a.txt", "m model\n");
  CHECK(others(find(folder.path())) ==
        Lines{"input_error E114 a.txt: there is no file of rows beside the folder of this trace",
              "input_error E114 x.expected.csv.gz: there is no scenario x.json (or x.json.gz) "
              "beside it",
              "input_error E114 y.expected: there is no trace y.trace (or y.trace.gz) beside it"});
}

TEST_CASE("links that lead nowhere, in a circle or to a folder are told") {
  const TemporaryFolder folder;
  folder.write("x.json", scenario);
  fs::create_symlink(folder.path() / "none", folder.path() / "a");
  fs::create_symlink(folder.path() / "b", folder.path() / "b");
  fs::create_symlink(folder.path(), folder.path() / "c");
  const DataFiles found = find(folder.path());
  CHECK(recognised(found) == Lines{"flows x.json"});
  REQUIRE(found.others.size() == 3);
  CHECK(found.others[0].reason == "a link to a folder is not followed: c");
  CHECK(found.others[0].status == Status::not_modelled);
  CHECK_THAT(found.others[1].reason, Catch::Contains("No such file"));
  CHECK_THAT(found.others[2].reason, Catch::Contains("symbolic links"));
}

TEST_CASE("a file that several paths lead to is looked at once, and one path hides no other") {
  const TemporaryFolder folder;
  folder.write("x.expected.csv", "flow,completion_s\n0,0.5\n");
  folder.write("x.json", scenario);
  const fs::path file = folder.path() / "." / "x.json";
  const DataFiles found =
      find_data_files(std::vector{file, folder.path(), folder.path() / "none", file});
  CHECK(found.recognised.size() == 1);
  CHECK(found.others.size() == 1);
}

}  // namespace
}  // namespace memsim::validate
