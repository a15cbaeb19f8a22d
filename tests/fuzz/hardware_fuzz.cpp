// Hardware files: the first part of the input is asked for, the others are entries of the catalogue
// that it may place or inherit.
#include <array>

#include "models/machine/machine.hpp"
#include "scenarios/hardware/hardware.hpp"
#include "scenarios/hardware/hardware_diff.hpp"
#include "scenarios/hardware/hardware_report.hpp"
#include "tests/fuzz/invariants.hpp"
#include "tests/support/temporary_folder.hpp"

namespace memsim::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace scenarios;

// The shipped catalogue with room for entries of the input.
class Folder {
 public:
  Folder() {
    const fs::path shipped = shipped_scenarios() / "hardware";
    for (const auto& entry : fs::recursive_directory_iterator(shipped)) {
      if (!entry.is_regular_file()) continue;
      const fs::path link = folder_.path() / "hardware" / fs::relative(entry.path(), shipped);
      fs::create_directories(link.parent_path());
      fs::create_symlink(entry.path(), link);
    }
  }

  // What the input consists of; entries of the last input that this one lacks go away.
  void write(const std::vector<std::string>& parts) const {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const fs::path name = fs::path("hardware") / names[i];
      if (i < parts.size())
        folder_.write(name, parts[i]);
      else
        fs::remove(folder_.path() / name);
    }
  }

  [[nodiscard]] Catalogue catalogue() const { return Catalogue(folder_.path()); }
  [[nodiscard]] std::string given() const {
    return (folder_.path() / "hardware" / names.front()).string();
  }

 private:
  static constexpr std::array<const char*, 8> names{"given.toml",   "gpu/g.toml",  "gpu/gg.toml",
                                                    "host/h.toml",  "link/l.toml", "system/s.toml",
                                                    "drive/d.toml", "nic/n.toml"};
  test::TemporaryFolder folder_;
};

// Whatever a file says, the machine that it makes has to hold.
void use(const models::SystemSpec& system) {
  constexpr std::size_t most = 64;  // larger ones only take longer
  if (system.gpus.size() > most || system.links.size() > most) return;
  const models::Machine machine{models::SystemSpec(system)};
  for (std::size_t i = 0; i < machine.gpu_count(); ++i)
    require(!machine.placement(i).routes.empty(), "routes of a process");
}

}  // namespace
}  // namespace memsim::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memsim::fuzz;
  static const Folder folder;
  folder.write(parts_of(text_of(data, size)));
  Sources sources;
  Diagnostics diagnostics;
  const auto loaded = load_hardware(folder.catalogue(), folder.given(), {}, sources, diagnostics);
  check_reading(diagnostics, loaded.has_value());
  if (!loaded) return 0;
  require(!hardware_text(*loaded).empty() && !hardware_json(*loaded).empty(), "reports");
  Diagnostics none;
  const auto difference = compare_hardware(*loaded, *loaded, none);
  require(difference && difference->figures.empty(), "a machine is as itself");
  if (loaded->system) use(*loaded->system);
  return 0;
}
