#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/app/command.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

namespace memsim::app {
namespace {

using test::TemporaryFolder;

// Square products at 0.5 of an A100's 312 TFLOP/s, and the launch of the smallest one.
std::string products() {
  std::string text = "dtype,m,n,k,time_us\n";
  for (int side = 64; side <= 4096; side += 64) {
    const std::string sides = std::to_string(side);
    const double us = 4 + 2.0 * side * side * side / (0.5 * 312e6);
    text += "bfloat16," + sides + "," + sides + "," + sides + "," + std::to_string(us) + "\n";
  }
  return text;
}

std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("calibrate gemm writes a table that a GPU can name, the same bytes each time") {
  const TemporaryFolder folder;
  const std::string csv = folder.write("mine.csv", products()).string();
  const std::string table = (folder.path() / "mine.table").string();
  const std::string command =
      "calibrate gemm '" + csv + "' --gpu a100-sxm4-80gb -o '" + table + "'";
  const CommandResult result = run_command(command);
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Catch::StartsWith("a100-sxm4-80gb: bf16 from ") &&
                             Catch::Contains("bf16 held out") && Catch::Contains("bf16 other m"));
  const std::string written = content(table);
  CHECK_THAT(written, Catch::StartsWith("memsim.gemm-table/1\n"));
  const std::string quiet = run_command(command + " --quiet").out;
  CHECK(quiet == result.out.substr(0, result.out.find('\n') + 1));
  CHECK(content(table) == written);

  const std::string gpu = folder
                              .write("mine.toml",
                                     "schema = \"memsim.gpu/1\"\ninherits = \"a100-sxm4-80gb\"\n"
                                     "compute.gemm = \"mine.table\"\n")
                              .string();
  CHECK(run_command("hw check '" + gpu + "'").code == 0);
}

TEST_CASE("calibrate gemm --json prints the errors by type and split") {
  const TemporaryFolder folder;
  const std::string csv = folder.write("mine.csv", products()).string();
  const CommandResult result =
      run_command("calibrate gemm '" + csv + "' --gpu a100-sxm4-80gb --json");
  CHECK(result.code == 0);
  const auto json = nlohmann::json::parse(result.out);
  CHECK(json["schema"] == "memsim.calibrate-gemm/1");
  CHECK(json["gpu"] == "a100-sxm4-80gb");
  REQUIRE(json["errors"].size() == 3);
  CHECK(json["errors"][0]["quantity"] == "bf16 held out");
}

TEST_CASE("calibrate gemm doubts products that are faster than the peak of the GPU (W135)") {
  const TemporaryFolder folder;
  // 0.5 of an A100's 312 TFLOP/s are 2.4 times the 65 of a T4 in fp16.
  std::string text = products();
  for (std::size_t at = 0; (at = text.find("bfloat16", at)) != std::string::npos;)
    text.replace(at, 8, "float16");
  const std::string csv = folder.write("mine.csv", text).string();
  const CommandResult result = run_command("calibrate gemm '" + csv + "' --gpu t4 --quiet");
  CHECK(result.code == 0);
  CHECK_THAT(result.err, Catch::Contains("W135") && Catch::Contains("faster than the peak of t4") &&
                             Catch::Contains("2.4 times the peak"));
}

TEST_CASE("calibrate gemm names every broken line and writes nothing") {
  const TemporaryFolder folder;
  const std::string csv =
      folder.write("mine.csv", "dtype,m,n,k,time_us\nbf16,1,1,1\nbf16,1,1,1,1\nbf16,x,1,1,1\n")
          .string();
  const std::string table = (folder.path() / "mine.table").string();
  const CommandResult result =
      run_command("calibrate gemm '" + csv + "' --gpu a100-sxm4-80gb -o '" + table + "'");
  CHECK(result.code == 2);
  CHECK_THAT(result.err, Catch::Contains("mine.csv:2:1") && Catch::Contains("a row of 4 fields") &&
                             Catch::Contains("mine.csv:4:6") && Catch::Contains("m is 'x'"));
  CHECK_FALSE(std::filesystem::exists(table));
}

TEST_CASE("calibrate gemm wants a GPU, and products that it computes") {
  const TemporaryFolder folder;
  const std::string csv = folder.write("fp8.csv", "dtype,m,n,k,time_us\nfp8,8,8,8,5\n").string();
  const CommandResult none = run_command("calibrate gemm '" + csv + "' --gpu a100-sxm4-80gb");
  CHECK(none.code == 2);
  CHECK_THAT(none.err, Catch::Contains("E114") && Catch::Contains("no products of a type"));
  CHECK_THAT(run_command("calibrate gemm '" + csv + "' --gpu dgx-a100-80").err,
             Catch::Contains("E108") && Catch::Contains("`dgx-a100-80` is a system"));
  CHECK_THAT(run_command("calibrate gemm '" + csv + "' --gpu a1000").err, Catch::Contains("E101"));
  const CommandResult gone = run_command("calibrate gemm /does/not/exist --gpu t4 --json");
  CHECK(gone.code == 2);
  CHECK(nlohmann::json::parse(gone.out)["schema"] == "memsim.diagnostics/1");
  const std::string good = folder.write("good.csv", products()).string();
  const CommandResult unwritable =
      run_command("calibrate gemm '" + good + "' --gpu a100-sxm4-80gb -o /does/not/exist.table");
  CHECK(unwritable.code == 2);
  CHECK_THAT(unwritable.err, Catch::Contains("E109"));
}

}  // namespace memsim::app
