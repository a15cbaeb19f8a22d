// Every allocator by name: what studies, commands and the contract test choose from.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "sim/core/result.hpp"
#include "sim/memory/allocator.hpp"
#include "sim/memory/driver.hpp"

namespace memsim::sim {

struct AllocatorKind {
  std::string_view name;
  std::string_view help;  // one sentence
  // Errors: an option that the allocator does not know. An empty string means the defaults.
  Result<void> (*check)(std::string_view options);
  // `driver` and `events` outlive the allocator. Errors: as `check`.
  Result<std::unique_ptr<Allocator>> (*make)(Driver& driver, StreamEvents& events,
                                             std::string_view options);
};

// In the order of their names. The table is written out in allocators.cpp.
std::span<const AllocatorKind> allocator_kinds();

// Null if there is none of that name.
const AllocatorKind* find_allocator_kind(std::string_view name);

// Errors: an unknown name (the message lists the known ones), or what the kind's `make` refuses.
Result<std::unique_ptr<Allocator>> make_allocator(std::string_view name, Driver& driver,
                                                  StreamEvents& events, std::string_view options);

}  // namespace memsim::sim
