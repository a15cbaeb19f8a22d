// Why there is no answer to a question.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace memsim::scenarios {

struct PlanFailure {
  enum class Kind : std::uint8_t {
    input,         // settings that contradict each other
    not_modelled,  // the question is beyond the model, or its answer beyond the bound on events
  };
  Kind kind = Kind::input;
  std::string message;
};

template <class T>
using Planned = tl::expected<T, PlanFailure>;

inline tl::unexpected<PlanFailure> bad_input(std::string message) {
  return tl::unexpected<PlanFailure>({PlanFailure::Kind::input, std::move(message)});
}

inline tl::unexpected<PlanFailure> not_modelled(std::string message) {
  return tl::unexpected<PlanFailure>({PlanFailure::Kind::not_modelled, std::move(message)});
}

}  // namespace memsim::scenarios
