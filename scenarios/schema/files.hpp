// Settings files as texts, and what is said when one is not there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

// Whether something that can be read is there: a file, a pipe, no folder.
bool is_file(const std::filesystem::path& path);

// Reads a file into `sources`, where it is called `name`; a byte-order mark is left out. Null after
// an error, reported at `named`, the place that names the file: E101, it cannot be read or is too
// large for a settings file.
const SourceFile* read_source(const std::filesystem::path& path, std::string name, SourceRole role,
                              const Location& named, Sources& sources, Diagnostics& diagnostics);

// A name for which there is neither a file nor an entry.
struct MissingFile {
  std::string_view what;           // "gpu", "model"
  std::string wanted;              // the name
  std::filesystem::path path;      // where a file of that name would be
  std::vector<std::string> known;  // entries of its kind; empty: there is no catalogue of them
  std::string help;
};

// E101 at the place of the name, with the nearest entry.
void report_missing(const MissingFile& missing, const Location& named, Diagnostics& diagnostics);

}  // namespace memsim::scenarios
