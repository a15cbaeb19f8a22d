// What memsim says to a question about links and memories: the engine that runs whole jobs, asked
// as `memsim transfer` does.
#pragma once

#include "models/machine/spec.hpp"
#include "sim/core/result.hpp"
#include "validate/compare/link_questions.hpp"

namespace memsim::validate {

struct LinkAnswer {
  double rate = 0;  // bytes per second; 0: the question is about a time
  double time = 0;  // seconds
};

// Errors: what the machine lacks for the question.
sim::Result<LinkAnswer> answer_to(const LinkQuestion& question, const models::SystemSpec& spec);

}  // namespace memsim::validate
