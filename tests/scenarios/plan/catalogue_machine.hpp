// Machines of the catalogue for tests of the planner.
#pragma once

#include <string>
#include <vector>

#include "scenarios/hardware/hardware.hpp"
#include "scenarios/plan/plan_inputs.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {

// Everything that a plan needs, read from the catalogue.
class CataloguePlan {
 public:
  CataloguePlan(std::string hardware, std::string model, std::vector<std::string> overrides)
      : inputs_(read_plan_inputs(
            std::filesystem::path(MEMSIM_SOURCE_DIR) / "scenarios",
            {std::move(hardware), std::move(model), std::nullopt, std::move(overrides)}, sources_,
            diagnostics_)) {
    INFO(diagnostics_.text(""));
    REQUIRE(inputs_.has_value());
  }
  [[nodiscard]] const PlanInputs& inputs() const { return *inputs_; }

 private:
  Sources sources_;
  Diagnostics diagnostics_;
  std::optional<PlanInputs> inputs_;
};

}  // namespace memsim::scenarios
