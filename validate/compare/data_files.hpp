// Which data files there are under some paths, and what kind each is.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "validate/compare/kind.hpp"

namespace memsim::validate {

struct DataFile {
  std::filesystem::path path;
  std::string shown;  // the name in rows and messages: as the caller's path leads to it
  const Kind* kind = nullptr;
};

struct DataFiles {
  std::vector<DataFile> recognised;  // in the order of the paths; within a folder sorted by name
  // input_error rows: missing, damaged, without what belongs to it, named but not recognised;
  // not_modelled rows: found in a folder, but no kind knows them.
  std::vector<Row> others;
};

// Looks at every path: a file, or a folder with all that is below it (links to folders are not
// followed). A file is recognised by its content; companions of recognised files and README.md are
// left out, and no other file is passed over. A file that the caller named itself must be
// recognised, one found in a folder need not; a folder must hold data. A file that several paths
// lead to is looked at once.
DataFiles find_data_files(std::span<const std::filesystem::path> paths);

}  // namespace memsim::validate
