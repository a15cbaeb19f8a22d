// Hardware files as trees: found, parsed, their `schema` checked, what they inherit merged in.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/machine/gemm_table.hpp"
#include "scenarios/hardware/catalogue.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/schema.hpp"
#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

// The description of a kind's files.
const TableSchema& table_schema(HardwareKind kind);

struct HardwareTree {
  HardwareKind kind = HardwareKind::system;
  Node tree;         // without `schema`, `imaginary` and `inherits`
  std::string stem;  // of the file: what it is called without a name of its own
};

class TreeLoader {
 public:
  TreeLoader(const Catalogue& catalogue, Sources& sources, Diagnostics& diagnostics);

  // The file or entry that was typed on the command line, of whatever kind. Errors: E101 to E103,
  // E106, E108, E111.
  std::optional<HardwareTree> load_given(std::string_view wanted);

  // The catalogue's entry of that kind and name. Errors: as load_given.
  std::optional<HardwareTree> load_entry(HardwareKind kind, std::string_view name);

  // The part that a value names; relative names start from the folder of the value's file.
  std::optional<HardwareTree> load_named(HardwareKind kind, const Node& name, SourceRole role);

  // The table of matrix products that a value names, found as load_named finds parts. Null after an
  // error: E101, E113.
  std::shared_ptr<const models::GemmTable> load_gemm_table(const Node& name);

 private:
  // Where relative names in a text start from; empty, the current folder, if it is no file.
  [[nodiscard]] std::filesystem::path folder_of(const Location& location) const;
  // `named` is the place that names the file.
  std::optional<HardwareTree> load_file(const CatalogueEntry& entry, SourceRole role,
                                        const Location& named);
  std::optional<HardwareTree> parse(const CatalogueEntry& entry, SourceRole role,
                                    const Location& named);
  std::optional<HardwareKind> kind_of(const Node& tree);
  bool inherit(HardwareTree& file);
  // Takes `imaginary` out of a file's tree.
  void set_imaginary(HardwareTree& file);
  void not_found(HardwareKind kind, std::string_view wanted, const std::filesystem::path& path,
                 const Location& where);

  // Returns false.
  bool report(std::string_view code, const Location& at, std::string message, std::string label);

  const Catalogue& catalogue_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  std::map<std::size_t, std::filesystem::path> folders_;                 // by SourceFile::order()
  std::map<std::filesystem::path, std::optional<HardwareTree>> loaded_;  // empty: unreadable
  std::map<std::filesystem::path, std::shared_ptr<const models::GemmTable>> tables_;
  std::vector<CatalogueEntry> open_;  // being loaded: each inherits the next
};

}  // namespace memsim::scenarios
