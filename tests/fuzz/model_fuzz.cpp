// Model files.
#include "scenarios/workload/workload.hpp"
#include "tests/fuzz/invariants.hpp"
#include "tests/support/temporary_folder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memsim;
  static const test::TemporaryFolder folder;
  const std::string file = folder.write("model.toml", fuzz::text_of(data, size));
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;
  const auto model =
      scenarios::read_model(fuzz::shipped_scenarios(), file, {}, sources, diagnostics);
  // Beside errors there may be what could be read, without them there must be.
  fuzz::check_reading(diagnostics, model.has_value() && !diagnostics.has_errors());
  return 0;
}
