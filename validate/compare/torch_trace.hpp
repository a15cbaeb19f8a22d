// Sequences of allocations and releases, as recorded and as predicted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/training/training_spec.hpp"
#include "sim/core/result.hpp"

namespace memsim::validate {

enum class TorchEventKind : std::uint8_t { marker, allocate, release };

struct TorchEvent {
  TorchEventKind kind = TorchEventKind::marker;
  std::int64_t id = 0;      // allocations in their order, from 1
  std::int64_t bytes = 0;   // allocate
  std::string marker;       // "step0_forward"
  bool conversion = false;  // of a tensor that a conversion between types made

  friend bool operator==(const TorchEvent&, const TorchEvent&) = default;
};

// A recorded trace: lines `m MARKER`, `a ID BYTES OP`, `a ID BYTES OP <-OLD`, `f ID`. By the rules
// of 2.x an allocation marked with `<-OLD` did not happen: the sum is OLD. Errors name the line.
sim::Result<std::vector<TorchEvent>> parse_torch_trace(std::string_view text,
                                                       models::TorchRules rules);

// The operator that converts between types, in traces and in memsim's labels.
inline constexpr std::string_view torch_conversion = "_to_copy";

// Orders the conversions among releases that follow each other without anything between them by
// their ids; other releases stay where they are. Autocast drops its cache of low-precision copies
// in the order of a hash table keyed by addresses, which no program decides.
void order_conversions(std::vector<TorchEvent>& events);

// "allocates 4096 bytes as 17", for messages.
std::string describe(const TorchEvent& event);

}  // namespace memsim::validate
