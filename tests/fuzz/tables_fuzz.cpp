// Tables as text: matrix products fitted and measured, completion times, recorded allocations.
#include "scenarios/hardware/gemm_table_file.hpp"
#include "tests/fuzz/invariants.hpp"
#include "validate/compare/torch_sequence.hpp"
#include "validate/import/flow_scenario.hpp"
#include "validate/import/gemm_measurements.hpp"

namespace memsim::fuzz {
namespace {

using scenarios::Diagnostics;
using scenarios::SourceFile;

void read_gemm_table(const SourceFile& file) {
  Diagnostics diagnostics;
  const auto table = scenarios::parse_gemm_table(file, diagnostics);
  check_reading(diagnostics, table.has_value());
  if (!table) return;
  const SourceFile again("again", scenarios::gemm_table_text(*table, "again"),
                         scenarios::SourceRole::given, 1);
  Diagnostics none;
  const auto same = scenarios::parse_gemm_table(again, none);
  require(same && scenarios::gemm_table_text(*same, "again") == again.text(),
          "what was written reads back");
}

void read_measurements(const SourceFile& file) {
  Diagnostics diagnostics;
  for (const validate::GemmMeasurement& row :
       validate::parse_gemm_measurements(file, diagnostics).rows) {
    require(row.m > 0 && row.n > 0 && row.k > 0 && row.microseconds > 0, "a product");
    (void)validate::gemm_work(row);
  }
  check_reading(diagnostics, !diagnostics.has_errors());
}

void read_completions(const SourceFile& file) {
  Diagnostics diagnostics;
  constexpr std::size_t flows = 5;
  const auto times = validate::parse_completions(file, flows, diagnostics);
  require(times || diagnostics.has_errors(), "times or an error");
  check_reading(diagnostics, !diagnostics.has_errors());
}

void read_torch_trace(const SourceFile& file) {
  Diagnostics diagnostics;
  const auto trace = validate::parse_torch_trace(file, diagnostics);
  check_reading(diagnostics, trace.has_value());
  if (trace) (void)validate::sum_in_place(*trace);
}

}  // namespace
}  // namespace memsim::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memsim;
  const scenarios::SourceFile file("input", fuzz::text_of(data, size), scenarios::SourceRole::given,
                                   0);
  fuzz::read_gemm_table(file);
  fuzz::read_measurements(file);
  fuzz::read_completions(file);
  fuzz::read_torch_trace(file);
  return 0;
}
