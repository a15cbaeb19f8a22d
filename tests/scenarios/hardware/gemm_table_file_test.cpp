#include "scenarios/hardware/gemm_table_file.hpp"

#include "tests/scenarios/hardware/hardware_folder.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

const std::string small_table =
    "memsim.gemm-table/1\n"
    "# a remark\n"
    "gpu g\n"
    "type bf16\n"
    "start 2500 ns\n"
    "m 1 4\n"
    "n 8\n"
    "k 16 32 64\n"
    "efficiency\n"
    "100000 200000 300000\n"
    "400000 500000 1200000\n"
    "fitted 2\n"
    "0000002a fffffffe\n";

const std::string second_grid =
    "type fp8\n"
    "start 12000 ns\n"
    "m 2\n"
    "n 3\n"
    "k 4\n"
    "efficiency\n"
    "700000\n"
    "fitted 0\n";

std::optional<models::GemmTable> parse(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  return parse_gemm_table(sources.add("x.table", text, SourceRole::given), diagnostics);
}

// "LINE:COLUMN LABEL" of each fault, one a line.
std::string faults(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  CHECK_FALSE(parse_gemm_table(sources.add("x.table", text, SourceRole::given), diagnostics));
  std::string all;
  for (const Diagnostic& fault : diagnostics.sorted()) {
    CHECK(fault.code == "E113");
    all += std::to_string(fault.location.span.line) + ":" +
           std::to_string(fault.location.span.column) + " " + fault.label + "\n";
  }
  return all;
}

std::string with(const std::string& old, const std::string& replacement) {
  std::string text = small_table;
  return text.replace(text.find(old), old.size(), replacement);
}

}  // namespace

TEST_CASE("a table of matrix products is read word by word") {
  const auto table = parse(small_table + "\n# and\n" + second_grid);
  REQUIRE(table.has_value());
  CHECK(table->gpu == "g");
  REQUIRE(table->grids.size() == 2);
  const models::GemmGrid& grid = table->grids[0];
  CHECK(grid.type == models::DataType::bf16);
  CHECK(grid.start == sim::Duration(2'500'000));
  CHECK(grid.m == std::vector<std::int64_t>{1, 4});
  CHECK(grid.n == std::vector<std::int64_t>{8});
  CHECK(grid.k == std::vector<std::int64_t>{16, 32, 64});
  REQUIRE(grid.efficiency.size() == 6);
  CHECK(grid.efficiency[2].value() == 300'000);
  CHECK(grid.efficiency[3].value() == 400'000);
  CHECK(grid.fitted == std::vector<std::uint32_t>{42, 4'294'967'294});
  CHECK(table->grids[1].type == models::DataType::fp8);
  CHECK(table->grids[1].fitted.empty());
}

TEST_CASE("a table is written as it is read") {
  const std::string text = small_table + second_grid;
  CHECK(gemm_table_text(parse(text).value(), "a remark") == text);
}

TEST_CASE("line ends of other systems, tabs and blanks do no harm") {
  std::string text;
  for (const char c : small_table)
    text += c == '\n' ? "\r\n" : c == ' ' ? " \t" : std::string(1, c);
  const auto table = parse(text);
  REQUIRE(table.has_value());
  CHECK(gemm_table_text(*table, "a remark") == small_table);
}

TEST_CASE("every wrong value of a table is reported at its place (E113)") {
  CHECK(faults(with("200000 300000", "2e5 0")) ==
        "10:8 expected a whole number from 1 to 100000000\n"
        "10:12 expected a whole number from 1 to 100000000\n");
  CHECK(faults(with("2500 ns", "2500 us")) == "5:12 expected ns\n");
  CHECK(faults(with("bf16", "bf61")) ==
        "4:6 expected one of fp32, tf32, fp16, bf16, fp8, int8, int32, int64, bool, fp64\n");
  CHECK(faults(with("16 32 64", "16 64 32")) == "8:9 expected more than 64\n");
  CHECK(faults(with("fffffffe", "fffffff")) == "13:10 expected 8 hexadecimal digits\n");
  CHECK(faults(with("fffffffe", "00000001")) == "13:10 expected more than 0000002a\n");
  CHECK(faults(with("300000", "300000 1")) == "10:22 expected the end of the line\n");
  CHECK(faults(small_table + small_table.substr(small_table.find("type"))) ==
        "14:6 expected a type that has no grid yet\n");
}

TEST_CASE("a table that ends early or is something else is reported where it parts (E113)") {
  CHECK(faults("") == "1:1 expected memsim.gemm-table/1\n");
  CHECK(faults("memsim.gpu/1\n") == "1:1 expected memsim.gemm-table/1\n");
  CHECK(faults("memsim.gemm-table/1\ngpu g\n") ==
        "2:6 expected type NAME, found the end of the file\n");
  CHECK(faults(with("n 8", "h 8")) == "7:1 expected `n`\n");
  CHECK(faults(with("n 8", "n")) == "7:2 expected a node\n");
  CHECK(faults(with(" 1200000", "")) == "11:14 expected 3 efficiencies, of m = 4, n = 8\n");
  CHECK(faults(with("400000 500000 1200000\n", "")) ==
        "11:1 expected a whole number from 1 to 100000000\n"
        "11:9 expected 3 efficiencies, of m = 4, n = 8\n");
  CHECK(faults(with("fitted 2", "fitted 3")) ==
        "13:18 expected 3 fingerprints above, there are 2\n");
  CHECK(faults(with("m 1 4", "m 1 1099511627776 1099511627777")) ==
        "6:19 expected a whole number from 1 to 1099511627776\n"
        "12:1 expected a whole number from 1 to 100000000\n"
        "12:9 expected 3 efficiencies, of m = 1, n = 8\n");
}

TEST_CASE("a GPU names its table, beside its file or in the catalogue's folder") {
  const std::string gpu = std::string(small_gpu) + "compute.gemm = \"gemm/x.table\"\n";
  HardwareFolder folder{{"gpu/g.toml", gpu},
                        {"gemm/x.table", small_table},
                        {"own/g.toml", gpu},
                        {"own/gemm/x.table", small_table + second_grid}};
  CHECK(folder.load("g").gpu->compute.gemm->grids.size() == 1);
  CHECK(folder.load(folder.path("own/g.toml")).gpu->compute.gemm->grids.size() == 2);
  CHECK(folder.load("g", {"compute.gemm=''"}).gpu->compute.gemm == nullptr);
}

TEST_CASE("the GPUs of a system share the table of their part") {
  HardwareFolder folder{
      {"gpu/g.toml", std::string(small_gpu) + "compute.gemm = \"gemm/x.table\"\n"},
      {"gemm/x.table", small_table},
      {"host/h.toml", small_host},
      {"link/l.toml", small_link},
      {"system/s.toml",
       "schema = \"memsim.system/1\"\nhost = \"h\"\ngpu = [{ part = \"g\", count = 2 }]\n"
       "link = [{ from = \"socket0\", to = \"gpu[*]\", part = \"l\" }]\n"}};
  const LoadedHardware loaded = folder.load("s");
  const auto& gpus = loaded.system->gpus;
  REQUIRE(gpus.size() == 2);
  REQUIRE(gpus[0].part.compute.gemm != nullptr);
  CHECK(gpus[0].part.compute.gemm == gpus[1].part.compute.gemm);
}

TEST_CASE("a table that is not there or is none is reported with the GPU's other faults") {
  const std::string gpu = std::string(small_gpu) + "compute.gemm = \"gemm/x.table\"\n";
  const HardwareFolder missing{{"gpu/g.toml", gpu}};
  CHECK_THAT(missing.faults("g"),
             Catch::StartsWith("error[E101]: no table `gemm/x.table`: there is no such file\n"
                               "  --> @/hardware/gpu/g.toml:4:16\n"));
  const HardwareFolder wrong{{"gpu/g.toml", gpu}, {"gemm/x.table", "memsim.gemm-table/2\n"}};
  CHECK_THAT(wrong.faults("g"), Catch::StartsWith("error[E113]: not a table of matrix products\n"
                                                  "  --> @/hardware/gemm/x.table:1:1\n"));
}

TEST_CASE("a share of peak above the table's own moves the table, beside it it is the table's") {
  const std::string gpu = std::string(small_gpu) + "compute.peak.bf16 = \"312 TFLOP/s\"\n";
  HardwareFolder folder{
      {"gpu/x.table", small_table},
      {"gpu/g.toml", gpu + "compute.gemm = \"x.table\"\ncompute.efficiency.gemm.bf16 = 0.75\n"},
      {"gpu/heir.toml",
       "schema = \"memsim.gpu/1\"\ninherits = \"g\"\ncompute.efficiency.gemm = 0.6\n"},
      {"gpu/other.toml",
       "schema = \"memsim.gpu/1\"\ninherits = \"g\"\ncompute.efficiency.gemm = 0.6\n"
       "compute.gemm = \"x.table\"\n"},
      {"gpu/unstated.toml", gpu + "compute.gemm = \"x.table\"\n"}};
  const auto at_table = [&](const std::string& name, const std::vector<std::string>& typed = {}) {
    const LoadedHardware loaded = folder.load(name, typed);
    REQUIRE(loaded.gpu->compute.gemm != nullptr);
    return loaded.gpu->compute.table_efficiency[static_cast<std::size_t>(models::DataType::bf16)]
        .value();
  };
  CHECK(at_table("g") == 0);  // as it is stated
  CHECK(at_table("heir") == 750'000);
  CHECK(at_table("heir", {"compute.efficiency.gemm.bf16=0.5"}) == 750'000);
  CHECK(at_table("other") == 0);
  // Nothing was stated: the default of GPUs without measurements.
  CHECK(at_table("unstated", {"compute.efficiency.gemm=0.35"}) == 700'000);
}

}  // namespace memsim::scenarios
