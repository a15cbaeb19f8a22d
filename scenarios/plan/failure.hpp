// Why there is no answer to a question.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "sim/core/check.hpp"

namespace memsim::scenarios {

struct PlanFailure {
  enum class Kind : std::uint8_t {
    input,         // settings that contradict each other
    not_modelled,  // the question is beyond the model, or its answer beyond the bound on events
  };
  Kind kind = Kind::input;
  std::string message;  // begins with "key: " where it is about one setting
};

template <class T>
using Planned = tl::expected<T, PlanFailure>;

inline tl::unexpected<PlanFailure> bad_input(std::string message) {
  return tl::unexpected<PlanFailure>({PlanFailure::Kind::input, std::move(message)});
}

inline tl::unexpected<PlanFailure> not_modelled(std::string message) {
  return tl::unexpected<PlanFailure>({PlanFailure::Kind::not_modelled, std::move(message)});
}

inline tl::unexpected<PlanFailure> beyond_64_bits() {
  return not_modelled(
      "the job's numbers pass 64 bits: more than 4 EiB of memory, 9 x 10^18 operations or 106 "
      "days");
}

// What `answer` returns, or that it met numbers beyond 64 bits.
template <class Answer>
auto within_64_bits(Answer answer) -> decltype(answer()) {
  try {
    return answer();
  } catch (const sim::Overflow&) {
    return beyond_64_bits();
  }
}

}  // namespace memsim::scenarios
