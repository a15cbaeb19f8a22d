// What happens in which order: a recorded sequence against the predicted one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "validate/compare/torch_trace.hpp"

namespace memsim::validate {

// What happens by the rules of PyTorch 2.x: sums are made in place, so that an allocation marked
// with `<-OLD` does not happen and its id is OLD. Requires: a trace as parse_torch_trace gives it.
std::vector<TorchEvent> sum_in_place(const std::vector<TorchEvent>& trace);

// Orders the conversions among releases that follow each other without anything between them by
// their ids; other releases stay where they are. Autocast drops its cache of low-precision copies
// in the order of a hash table keyed by addresses, which no program decides.
void order_conversions(std::vector<TorchEvent>& events);

struct SequenceComparison {
  std::size_t agreeing = 0;  // events, from the start
  // Where the sequences part: "23: event 19 (step0_backward): the trace releases 6, memsim ...",
  // beginning with the line of the trace.
  std::string parting;
};

// Requires: `trace` is not empty.
SequenceComparison compare_sequences(const std::vector<TorchEvent>& trace,
                                     const std::vector<TorchEvent>& predicted);

}  // namespace memsim::validate
