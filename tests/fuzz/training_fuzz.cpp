// Training files.
#include "scenarios/workload/training_settings.hpp"
#include "scenarios/workload/workload.hpp"
#include "tests/fuzz/invariants.hpp"
#include "tests/support/temporary_folder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memsim;
  static const test::TemporaryFolder folder;
  const std::string file = folder.write("train.toml", fuzz::text_of(data, size));
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;
  const auto training = scenarios::read_training(file, {}, sources, diagnostics);
  // Beside errors there may be what could be read, without them there must be.
  fuzz::check_reading(diagnostics, training.has_value() && !diagnostics.has_errors());
  if (training)
    fuzz::require(!scenarios::training_settings(training->spec).empty(), "settings in words");
  return 0;
}
