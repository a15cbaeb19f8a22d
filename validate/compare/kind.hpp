// The kinds of data that `memsim validate` understands. A new kind is one .cpp with one Kind.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

#include "validate/compare/row.hpp"

namespace memsim::validate {

using RowSink = std::function<void(Row)>;

struct Kind {
  std::string_view name;
  // Looks at the content of one file (name and first bytes); never throws on foreign files.
  // `head` is the start of the file's text (after decompression), up to 4 KiB.
  bool (*recognises)(const std::filesystem::path& file, std::string_view head);
  // Runs every row of the file and hands it to `sink`, so that millions of rows need not be held at
  // once. Files that belong to a recognised one (the `.expected.csv` beside a flow scenario, the
  // traces beside truth.jsonl) are found from its path.
  void (*run)(const std::filesystem::path& file, const RowSink& sink);
  // Whether `run` reads this file along with a recognised one, so that a walk over a folder need
  // not report it as foreign. Null: this kind has no such files.
  bool (*companion)(const std::filesystem::path& file) = nullptr;
};

// All kinds, in the order of their names. The table is written out in kinds.cpp.
std::span<const Kind> kinds();

extern const Kind flows_kind;
extern const Kind allocator_kind;
extern const Kind torch_kind;

}  // namespace memsim::validate
