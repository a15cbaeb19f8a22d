// Files of matrix product tables (models/machine/gemm_table.hpp). Lines of words and whole numbers:
//
//   memsim.gemm-table/1
//   # a remark; also empty lines
//   gpu a100-sxm4-80gb          the catalogue part that was measured
//   type bf16                   a grid; one or more
//   start 2492 ns               what its smallest product takes
//   m 1 2 4 8                   nodes of the axes, ascending
//   n 32 64
//   k 32 64 128
//   efficiency                  then for m[0] n[0], m[0] n[1], ... one line with the parts per
//   981734 980021 979411        million at every k
//   ...
//   fitted 1272                 how many measurements it was fitted to, then their fingerprints,
//   0003f1a2 00a1b2c3 ...       8 hexadecimal digits each, ascending, any number on a line
//
// Written by `memsim calibrate gemm`.
#pragma once

#include <optional>
#include <string>

#include "models/machine/gemm_table.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

// Errors (E113): every line that is not what it should be, up to the first whose successors cannot
// be understood without it. Empty after an error.
std::optional<models::GemmTable> parse_gemm_table(const SourceFile& source,
                                                  Diagnostics& diagnostics);

// The text that reads back as `table`, the same bytes for the same table. `remark`: one line about
// its origin.
std::string gemm_table_text(const models::GemmTable& table, const std::string& remark);

}  // namespace memsim::scenarios
