// The tables of the catalogue are what the fit makes of the shipped data.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scenarios/hardware/gemm_table_file.hpp"
#include "scenarios/hardware/hardware.hpp"
#include "tests/support/catch.hpp"
#include "validate/calibrate/gemm_fit.hpp"
#include "validate/import/text_file.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;
const fs::path root = MEMSIM_SOURCE_DIR;

TEST_CASE("every shipped table is the fit of the shipped measurements") {
  for (const char* const name : {"a100", "h100", "h200", "b200", "l40s"}) {
    INFO(name);
    scenarios::Sources sources;
    scenarios::Diagnostics diagnostics;
    const std::string file = std::string(name) + ".table";
    const auto text = read_text_file(root / "scenarios/hardware/gemm" / file);
    REQUIRE(text.has_value());
    const auto shipped = scenarios::parse_gemm_table(
        sources.add(file, *text, scenarios::SourceRole::given), diagnostics);
    REQUIRE(shipped.has_value());
    const auto gpu =
        scenarios::load_entry(scenarios::Catalogue(root / "scenarios"),
                              scenarios::HardwareKind::gpu, shipped->gpu, sources, diagnostics);
    REQUIRE(gpu.has_value());
    const auto data = read_text_file(root / "validate/data/gemm" / (std::string(name) + ".csv.gz"));
    REQUIRE(data.has_value());
    const scenarios::SourceFile& csv = sources.add(name, *data, scenarios::SourceRole::given);
    std::vector<GemmMeasurement> rows = parse_gemm_measurements(csv, diagnostics).rows;
    std::erase_if(rows, is_held_out);
    for (const models::GemmGrid& grid : shipped->grids) {
      const models::GemmGrid fitted = fit_gemm(*gpu->gpu, grid.type, rows);
      CHECK(fitted.start == grid.start);
      CHECK(fitted.m == grid.m);
      CHECK(fitted.n == grid.n);
      CHECK(fitted.k == grid.k);
      CHECK(fitted.fitted == grid.fitted);
      REQUIRE(fitted.efficiency.size() == grid.efficiency.size());
      // Processors differ in the last bits of exp and of long sums.
      std::int64_t largest = 0;
      for (std::size_t i = 0; i < grid.efficiency.size(); ++i)
        largest =
            std::max(largest, std::abs(fitted.efficiency[i].value() - grid.efficiency[i].value()));
      CHECK(largest <= 2);
    }
  }
}

}  // namespace
}  // namespace memsim::validate
