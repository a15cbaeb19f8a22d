#include "app/data_directory.hpp"

#include <system_error>

namespace memsim::app {

namespace fs = std::filesystem;

fs::path default_data_directory() {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path beside = executable.parent_path().parent_path() / "share" / "memsim";
    if (fs::is_directory(beside / "scenarios", error)) return beside;
  }
  fs::path source = MEMSIM_SOURCE_DIR;
  if (fs::is_directory(source / "scenarios", error)) return source;
  return MEMSIM_INSTALL_DATA_DIR;
}

}  // namespace memsim::app
