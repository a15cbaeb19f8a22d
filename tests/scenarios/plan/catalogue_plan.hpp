// Plans on machines of the catalogue, for tests.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/machine/machine.hpp"
#include "scenarios/plan/plan.hpp"
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
  [[nodiscard]] const Diagnostics& diagnostics() const { return diagnostics_; }

  [[nodiscard]] Planned<PlanAnswer> run(LeverScope levers = LeverScope::none) const {
    const models::Machine machine(inputs_->system);
    return plan({.machine = machine,
                 .gpu = 0,
                 .model = inputs_->model.name,
                 .network = inputs_->model.network,
                 .training = inputs_->training,
                 .inputs = inputs_->settings,
                 .levers = levers,
                 .error = default_error});
  }

 private:
  Sources sources_;
  Diagnostics diagnostics_;
  std::optional<PlanInputs> inputs_;
};

inline PlanAnswer answer_of(std::string hardware, std::string model,
                            std::vector<std::string> overrides,
                            LeverScope levers = LeverScope::none) {
  const auto answer =
      CataloguePlan(std::move(hardware), std::move(model), std::move(overrides)).run(levers);
  REQUIRE(answer.has_value());
  return *answer;
}

}  // namespace memsim::scenarios
