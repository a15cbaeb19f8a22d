#include "tests/app/command.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace memsim::app {
namespace {

namespace fs = std::filesystem;

std::string read_and_remove(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  fs::remove(path);
  return text;
}

}  // namespace

CommandResult run_command(const std::string& arguments, const std::string& shell) {
  const fs::path base = fs::temp_directory_path() / ("memsim-command-" + std::to_string(getpid()));
  const std::string script = base.string() + ".sh";
  const std::string out = base.string() + ".out";
  const std::string err = base.string() + ".err";
  std::ofstream(script) << "cd '" MEMSIM_SOURCE_DIR "' && '" MEMSIM_COMMAND "' " << arguments
                        << "\n";
  const std::string command = shell + " '" + script + "' >'" + out + "' 2>'" + err + "'";
  const int status = std::system(command.c_str());
  fs::remove(script);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_and_remove(out), read_and_remove(err)};
}

}  // namespace memsim::app
