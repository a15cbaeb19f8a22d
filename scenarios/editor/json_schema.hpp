// Descriptions of files as JSON Schema (draft 2020-12), by which editors complete and check:
// derived from the schemas that memsim itself reads by.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/schema/schema.hpp"

namespace memsim::scenarios {

// A key that has one value in all files of a form.
struct FixedKey {
  std::string key;
  std::string value;
};

// One way to write a file.
struct FileForm {
  std::string name;  // of its definitions: "gpu"
  std::string help;  // one sentence
  const TableSchema* table = nullptr;
  std::vector<FixedKey> fixed;
  // A part of hardware: it may be imaginary, and inherit or place others, of which it then states
  // only what differs.
  bool is_hardware = false;
};

// A word that a table takes in place of one of its keys.
struct ShortName {
  const TableSchema* table = nullptr;
  std::string word;
  std::string key;
};

// The document, with a line end; a file of it has one of the forms. Tables that depend on others
// (checks beyond types and ranges) are accepted more widely than memsim does.
std::string json_schema(std::string_view title, std::span<const FileForm> forms,
                        std::span<const ShortName> short_names);

}  // namespace memsim::scenarios
