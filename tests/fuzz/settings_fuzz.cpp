// --set: each part of the input is one KEY=VALUE, laid on a machine, a model and the training.
#include "scenarios/plan/plan_inputs.hpp"
#include "tests/fuzz/invariants.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memsim;
  const std::vector<std::string> settings = fuzz::parts_of(fuzz::text_of(data, size));
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;
  const auto inputs = scenarios::read_plan_inputs(fuzz::shipped_scenarios(),
                                                  {"1xa100-80", "125m", std::nullopt, settings},
                                                  sources, diagnostics);
  fuzz::check_reading(diagnostics, inputs.has_value());
  return 0;
}
