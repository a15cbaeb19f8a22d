// An operand that an operator cannot take: a network or a setting that the user has to correct.
// Thrown while a network is lowered, turned into an Error by lower_training.
#pragma once

#include <stdexcept>

namespace memsim::models {

class UnfitOperand : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace memsim::models
