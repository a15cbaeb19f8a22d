// Recorded runs of PyTorch's allocator (validate/data/allocator) against memsim's.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/validate/compare/rows.hpp"
#include "validate/compare/data_files.hpp"
#include "validate/compare/kind.hpp"
#include "validate/import/text_file.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

const fs::path data = fs::path(MEMSIM_SOURCE_DIR) / "validate/data/allocator";

std::string text_of(const std::string& name) {
  const auto text = read_text_file(data / name);
  REQUIRE(text);
  return *text;
}

// The only row of a file that cannot be compared.
Row only_row(const fs::path& file) {
  const std::vector<Row> rows = run_kind(allocator_kind, file);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].kind == "allocator");
  return rows[0];
}

Row input_error(const fs::path& file) {
  const Row row = only_row(file);
  CHECK(row.status == Status::input_error);
  return row;
}

}  // namespace

TEST_CASE("runs of PyTorch's allocator are reproduced byte for byte") {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(data)) {
    const std::string name = entry.path().filename().string();
    if (name.find(".trace") != std::string::npos || name.find(".digest") != std::string::npos)
      names.push_back(name);
  }
  std::ranges::sort(names);
  REQUIRE(names.size() == 18 + 5);
  for (const std::string& name : names) {
    const std::vector<Row> rows = run_kind(allocator_kind, data / name);
    // Lines, the peaks of nine statistics, five counts of calls.
    REQUIRE(rows.size() == 15);
    for (const Row& row : rows) {
      INFO(name << ": " << row.quantity << ": " << row.reason);
      CHECK(row.status == Status::ok);
      CHECK(row.error == 0);
      CHECK(row.id == name.substr(0, name.find('.')));
    }
    CHECK(rows[0].quantity == "lines equal");
    CHECK(rows[0].measured.integer > 40);
  }
}

TEST_CASE("a line that differs is shown with what was expected") {
  const TemporaryFolder folder;
  const fs::path trace = folder.write("x.trace", text_of("02_random_mix.trace"));
  std::string expected = text_of("02_random_mix.expected.gz");
  // The address of the second operation, 20 bytes into the second line.
  const std::size_t at = expected.find("\n2 alloc 7f0000000000") + 1;
  REQUIRE(at != std::string::npos + 1);
  expected[at + 8] = '6';
  folder.write("x.expected", expected);
  const std::vector<Row> rows = run_kind(allocator_kind, trace);
  REQUIRE(rows.size() == 15);
  CHECK(rows[0].status == Status::off);
  CHECK(rows[0].measured.integer == rows[0].predicted.integer + 1);
  CHECK_THAT(rows[0].reason, Catch::StartsWith("x.expected:2: expected '2 alloc 6f0000000000 "));
  CHECK_THAT(rows[0].reason, Catch::Contains("got '2 alloc 7f0000000000 "));
  CHECK(rows[1].status == Status::ok);
}

TEST_CASE("missing lines and wrong statistics are off") {
  const TemporaryFolder folder;
  const fs::path trace = folder.write("x.trace", "alloc 1 512 0\n");
  folder.write("x.expected",
               "1 alloc 7f0000000000 512 2097152 512 2096640 512 1 0 0 "
               "segment_alloc:7f0000000000:2097152:0\n"
               "END\n"
               "  allocated_bytes.all current=512 peak=1024 allocated=512 freed=0\n"
               "  num_ooms=0 num_device_alloc=1\n");
  std::map<std::string, Row> rows;
  for (const Row& row : run_kind(allocator_kind, trace)) rows[row.quantity] = row;
  REQUIRE(rows.size() == 4);
  CHECK(rows["lines equal"].status == Status::off);
  CHECK_THAT(rows["lines equal"].reason,
             Catch::StartsWith("x.expected:3: expected '  allocated_bytes"));
  CHECK(rows["allocated_bytes.all.peak"].status == Status::off);
  CHECK(rows["allocated_bytes.all.peak"].unit == "B");
  CHECK(rows["allocated_bytes.all.peak"].measured.integer == 1024);
  CHECK(rows["allocated_bytes.all.peak"].predicted.integer == 512);
  CHECK(rows["num_ooms"].status == Status::ok);
  CHECK(rows["num_device_alloc"].status == Status::ok);

  folder.write("x.expected", "END\n  num_ooms=none\n");
  const std::vector<Row> wrong = run_kind(allocator_kind, trace);
  REQUIRE(wrong.size() == 2);
  CHECK(wrong[0].status == Status::off);
  CHECK(wrong[1].reason == "E113 x.expected:2:1: num_ooms is 'none'; expected an integer");
  folder.write("x.expected", "");
  CHECK(input_error(trace).reason == "E114 x.expected:1:1: nothing to compare");
}

TEST_CASE("allocator data that cannot be read is an input error with its place") {
  const TemporaryFolder folder;
  CHECK(input_error(folder.write("a.trace", "alloc 1 512\n")).reason ==
        "E113 a.trace:1:1: 'alloc' takes 3 arguments, here are 2");
  CHECK(input_error(folder.write("b.trace", "alloc 1 512 0\n")).reason ==
        "E114 there is no b.expected (or b.expected.gz)");
  folder.write("c.expected", "END\n");
  CHECK(input_error(folder.write("c.trace", "alloc 1 1 0\nalloc 1 1 0\n")).reason ==
        "E113 c.trace:2:1: an id is allocated again while it is live");
  CHECK(input_error(folder.write("c.trace", "# nothing\n")).reason ==
        "E114 c.trace:1:1: no operation");
  const std::string first = "D 5 0123456789abcdef\n";
  CHECK(input_error(folder.write("d.digest", first)).reason ==
        "E113 d.digest:1:1: no generator parameters: neither in the file nor in a README.md");
  folder.write("README.md", "no table\n");
  CHECK(input_error(folder.write("d.digest", first)).reason ==
        "E113 d.digest:1:1: no generator parameters for 'd'");
  CHECK(
      input_error(folder.write("e.digest", "# seed=1 N=9 L=2 S=1 REC=0\n# header=bogus\n" + first))
          .reason ==
      "E113 e.digest:3:1: header of the generator, operation 1: unknown operation 'bogus'");
  CHECK(input_error(folder.write("f.digest", "# seed=1 N=9 L=2 S=1 REC=0\nD 0 0123456789abcdef\n"))
            .reason == "E113 f.digest:2:1: the checksum of '0' operations");
  CHECK(input_error(folder.write("h.digest", "D 5 0123\n")).reason ==
        "E113 h.digest:1:1: no generator parameters for 'h'");
  CHECK(input_error(folder.write("i.digest", "garbage\n")).reason ==
        "E113 i.digest:1:1: no checksum line 'D n hash'");
  CHECK_THAT(input_error("/nonexistent/g.trace").reason, Catch::Contains("/nonexistent/g.trace"));
}

TEST_CASE("a digest is compared with its own parameters, else with those of the README beside it") {
  const TemporaryFolder folder;
  const std::string checksums = text_of("d1_default.digest.gz");
  const std::string parameters = "# seed=101 N=200000 L=600 S=1 REC=0\n";
  const auto first_row = [](const fs::path& file) { return run_kind(allocator_kind, file).at(0); };
  const fs::path own =
      folder.write("own.digest", parameters + "# header=capacity 4294967296\n" + checksums);
  CHECK(first_row(own).status == Status::ok);
  // On the default device of 80 GiB the run is another one.
  CHECK(first_row(folder.write("own.digest", parameters + checksums)).status == Status::off);
  folder.write("README.md",
               "| file | seed | N | L | S | REC | header |\n|---|---|---|---|---|---|---|\n"
               "| table | 101 | 200000 | 600 | 1 | 0 | capacity 4294967296 |\n");
  CHECK(first_row(folder.write("table.digest", checksums)).status == Status::ok);
}

TEST_CASE("allocator data is recognised by its content, a wrong trace by its name") {
  const auto recognised = [](const char* name, std::string_view head) {
    return allocator_kind.recognises(name, head);
  };
  CHECK(recognised("anything", "# comment\n\ncapacity 1024\nalloc 1 512 0\n"));
  CHECK(recognised("anything", "D 20000 d9114462610563c0\n"));
  CHECK(recognised("broken.trace", "not an operation\n"));
  CHECK(recognised("broken.trace.gz", ""));
  CHECK(recognised("broken.digest.gz", ""));
  CHECK(recognised("binary.trace", std::string_view("alloc\0\1", 7)));
  CHECK_FALSE(recognised("x.expected", "1 alloc 7f0000000000 512 2097152\n"));
  CHECK_FALSE(recognised("binary", std::string_view("alloc\0\1", 7)));
  CHECK_FALSE(recognised("x.csv", "flow,completion_s\n"));
  CHECK_FALSE(recognised("empty", ""));
}

TEST_CASE("the folder of allocator data holds nothing that is foreign") {
  const DataFiles found = find_data_files(std::vector{data});
  CHECK(found.recognised.size() == 23);
  CHECK(found.others.empty());
}

}  // namespace memsim::validate
