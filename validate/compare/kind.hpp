// The kinds of data that `memsim validate` understands. A new kind is one .cpp with one Kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "validate/compare/row.hpp"

namespace memsim::validate {

// What a tolerance speaks of.
enum class Holding : std::uint8_t {
  each,    // every row by itself
  groups,  // the median and P90 of groups of rows
  all,     // of all rows of the kind, whatever their quantities: summaries have a line of them
};

struct Kind {
  std::string_view name;
  // Whether a file holds data of this kind, by its content; a file that is damaged or empty also by
  // its name or by what lies beside it, so that it is reported rather than passed over. `head` is
  // the start of the file's text (after decompression), up to data_head bytes. Never throws.
  bool (*recognises)(const std::filesystem::path& file, std::string_view head);
  // Runs every row of the file and hands it to `sink`, so that millions of rows need not be held at
  // once. Files that belong to it (the `.expected.csv` beside a flow scenario, the traces beside
  // truth.jsonl) are found from its path. `data` holds the catalogue of machines, scenarios/.
  void (*run)(const std::filesystem::path& file, const std::filesystem::path& data,
              const RowSink& sink);
  // Whether `run(main)` sees to this file too.
  bool (*companion)(const std::filesystem::path& file, const std::filesystem::path& main);
  // What is missing beside a file that is a companion by its content or name and has no main file;
  // empty if it is no such file.
  std::string (*orphan)(const std::filesystem::path& file, std::string_view head);
  Holding holding = Holding::each;
};

inline constexpr std::size_t data_head = std::size_t{1} << 18;

// All kinds, in the order of their names. The table is written out in kinds.cpp.
std::span<const Kind> kinds();

extern const Kind flows_kind;
extern const Kind gemm_kind;
extern const Kind links_kind;
extern const Kind allocator_kind;
extern const Kind torch_kind;

}  // namespace memsim::validate
