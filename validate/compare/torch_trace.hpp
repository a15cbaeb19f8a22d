// Sequences of allocations and releases, as recorded and as predicted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/training/training_spec.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/source.hpp"

namespace memsim::validate {

enum class TorchEventKind : std::uint8_t { marker, allocate, release };

struct TorchEvent {
  TorchEventKind kind = TorchEventKind::marker;
  std::int64_t id = 0;     // allocations in their order, from 1
  std::int64_t bytes = 0;  // allocate
  std::string name = {};   // of a marker ("step0_forward"), of the operator that allocates
  // Where it comes from; two events are the same without these.
  std::int64_t sum_into = 0;  // allocate: the sum of two gradients, one of them this tensor; 0: not
  bool conversion = false;    // of a tensor that a conversion between types made
  std::uint32_t line = 0;     // of a trace

  friend bool operator==(const TorchEvent& a, const TorchEvent& b) {
    return a.kind == b.kind && a.id == b.id && a.bytes == b.bytes && a.name == b.name;
  }
};

// A recorded trace: lines `m MARKER`, `a ID BYTES OP`, `a ID BYTES OP <-OLD`, `f ID`, where ids are
// 1, 2, ... Empty after diagnostics: lines that cannot be read, ids out of order, releases of what
// is not there (E113), a trace without events (E114).
std::optional<std::vector<TorchEvent>> parse_torch_trace(const scenarios::SourceFile& file,
                                                         scenarios::Diagnostics& diagnostics);

// The operator that converts between types, in traces and in memsim's labels.
inline constexpr std::string_view torch_conversion = "_to_copy";

}  // namespace memsim::validate
