// Situations with known outcomes (scenarios/cases/README.md): a machine, questions to it, and what
// the answers must be.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/machine/units.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/source.hpp"
#include "sim/core/units.hpp"

namespace memsim::scenarios {

// A question as to `memsim transfer`, under a name of its own.
struct CaseTransfer {
  std::string name;
  std::string from;
  std::string to;
  std::string size;
  std::string numa;  // empty: as without --numa
  bool pageable = false;
  std::string concurrent;  // FROM:TO or FROM:TO:SIZE, by blanks
};

// What is asserted of the answers or of the machine itself.
enum class CaseFact : std::uint8_t {
  rate,                  // of the transfer `of`
  order,                 // transfers in `of`, the fastest first, each really faster than the next
  nvlinks,               // NVLink lanes of the GPU `of`
  pairs_without_nvlink,  // of all pairs of GPUs
  cxl_nodes,             // NUMA nodes behind a link of their own
  gpu_memory,            // that the driver lets a process see of the GPU `of`
  dram_reads,            // of all NUMA nodes together
  remote_reads,          // of another socket's memory
  switch_groups,         // of GPUs that hang on one PCIe switch
};

enum class CaseRelation : std::uint8_t { equal, at_most, at_least };

struct CaseAssert {
  std::string metric;  // as the case names it
  CaseFact fact = CaseFact::rate;
  std::string of;
  CaseRelation relation = CaseRelation::equal;
  // The value, as the fact is measured; an order has none.
  std::optional<sim::Bandwidth> rate;
  std::optional<sim::Bytes> memory;
  std::optional<std::int64_t> count;
  std::optional<std::string> groups;  // numbers of GPUs: "[[0,1,2],[3,4,5]]"
  models::Fraction rel_tol;           // of the value, to either side
};

struct Case {
  std::string id;  // "LINK-03"
  std::string title;
  std::string source;  // where it was reported
  std::string hw;      // a file beside the case, or an entry of the catalogue
  std::vector<CaseTransfer> transfers;
  std::vector<CaseAssert> asserts;
};

// The value of an assertion in the unit of its fact: bytes per second, bytes, or a count; 0 for an
// order and for groups.
std::int64_t value_of(const CaseAssert& assertion);

// Empty after an error; all that is wrong is in the diagnostics.
std::optional<Case> load_case(const std::filesystem::path& path, Sources& sources,
                              Diagnostics& diagnostics);

}  // namespace memsim::scenarios
