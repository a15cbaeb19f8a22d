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
  std::vector<std::string> foreign;  // found in a folder, but no kind knows them
  std::vector<Row> unreadable;       // input_error rows: missing, damaged, named but not recognised
};

// Looks at every path: a file, or a folder with all that is below it (links to folders are not
// followed). A file is recognised by its content; companions of recognised files and README.md are
// left out. A file that the caller named itself must be recognised, one found in a folder need not.
DataFiles find_data_files(std::span<const std::filesystem::path> paths);

}  // namespace memsim::validate
