// Where hardware files are found: the file of that name, else the entry of the catalogue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memsim::scenarios {

enum class HardwareKind : std::uint8_t { system, gpu, host, link, drive, nic };

inline constexpr std::array<HardwareKind, 6> hardware_kinds{
    HardwareKind::system, HardwareKind::gpu,   HardwareKind::host,
    HardwareKind::link,   HardwareKind::drive, HardwareKind::nic};

std::string_view name(HardwareKind kind);  // "gpu": also the folder's name
std::string schema_of(HardwareKind kind);  // "memsim.gpu/1"

struct CatalogueEntry {
  std::filesystem::path identity;  // canonical: one path for one file, however it was written
  std::filesystem::path path;      // opens it from where memsim was called
  std::string name;                // "gpu/t4.toml" for entries, else as it was asked for
};

class Catalogue {
 public:
  // `scenarios` is the folder with hardware/{system,gpu,host,link,drive,nic}/NAME.toml.
  explicit Catalogue(const std::filesystem::path& scenarios);

  // Names of all entries of a kind, sorted.
  [[nodiscard]] std::vector<std::string> names(HardwareKind kind) const;

  // The file of that name, else the entry; a folder is neither. `beside` is the folder that
  // relative names start from: that of the file which names `wanted`, or the current one (empty).
  // The catalogue knows entries with and without ".toml".
  [[nodiscard]] std::optional<CatalogueEntry> find(HardwareKind kind, std::string_view wanted,
                                                   const std::filesystem::path& beside) const;
  // A file that is no part of its own (a table): `wanted` beside the file that names it, else in
  // the catalogue's folder.
  [[nodiscard]] std::optional<CatalogueEntry> find_file(std::string_view wanted,
                                                        const std::filesystem::path& beside) const;
  // The entry of that name alone.
  [[nodiscard]] std::optional<CatalogueEntry> find_entry(HardwareKind kind,
                                                         std::string_view entry) const;

 private:
  std::filesystem::path hardware_;
};

}  // namespace memsim::scenarios
