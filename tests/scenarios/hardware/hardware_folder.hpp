// A catalogue in a folder of its own, and readings of it.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/hardware/hardware.hpp"

namespace memsim::scenarios {

// The catalogue that memsim ships.
Catalogue shipped_catalogue();

// Folders are removed with the object.
class HardwareFolder {
 public:
  // Files by their path below hardware/: {"gpu/x.toml", "schema = ..."}.
  HardwareFolder(std::initializer_list<std::pair<std::string, std::string>> files);
  ~HardwareFolder();
  HardwareFolder(const HardwareFolder&) = delete;
  HardwareFolder& operator=(const HardwareFolder&) = delete;

  void write(const std::string& path, const std::string& text) const;
  // "folder/hardware/" + path
  [[nodiscard]] std::string path(const std::string& below) const;
  [[nodiscard]] Catalogue catalogue() const { return Catalogue(root_); }

  // The diagnostics of `wanted`, with the folder's own path written as "@".
  [[nodiscard]] std::string faults(const std::string& wanted,
                                   const std::vector<std::string>& overrides = {}) const;
  // Requires: it reads without errors (warnings are allowed). Places of its settings stay valid as
  // long as the folder lives.
  [[nodiscard]] LoadedHardware load(const std::string& wanted,
                                    const std::vector<std::string>& overrides = {});

 private:
  std::filesystem::path root_;
  Sources sources_;
};

// The diagnostics of a system file that names the small host, beside the small parts "g", "h", "l".
std::string system_faults(const std::string& text);

// The diagnostics of a part alone; `path` below hardware/.
std::string part_faults(const std::string& path, const std::string& text);

// Message and label of the first error of a text of diagnostics, else of the first warning.
std::string brief(const std::string& diagnostics);

// A GPU, host and link that need nothing else, and the smallest system of them.
extern const char* const small_gpu;
extern const char* const small_host;
extern const char* const small_link;
extern const char* const small_system;

}  // namespace memsim::scenarios
