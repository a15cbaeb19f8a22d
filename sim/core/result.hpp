// Result<T>: a value, or the reason why there is none. Used where input can be wrong; broken
// invariants throw InternalError instead, and modelled outcomes (a simulated out-of-memory) are
// ordinary values.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace memsim::sim {

// What was wrong with an input, as one sentence for a person.
struct Error {
  std::string message;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message)});
}

}  // namespace memsim::sim
