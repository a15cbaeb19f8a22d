#include "scenarios/hardware/catalogue.hpp"

#include <algorithm>
#include <system_error>

#include "scenarios/schema/files.hpp"

namespace memsim::scenarios {
namespace {

constexpr std::string_view extension = ".toml";

std::filesystem::path identity_of(const std::filesystem::path& path) {
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::canonical(path, failed);
  return failed ? path.lexically_normal() : real;
}

std::optional<CatalogueEntry> file_beside(std::string_view wanted,
                                          const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / wanted;
  if (wanted.empty() || !is_file(file)) return std::nullopt;
  return CatalogueEntry{identity_of(file), file.lexically_normal(),
                        file.lexically_normal().string()};
}

}  // namespace

std::string_view name(HardwareKind kind) {
  constexpr std::array<std::string_view, hardware_kinds.size()> names{"system", "gpu",   "host",
                                                                      "link",   "drive", "nic"};
  return names[static_cast<std::size_t>(kind)];
}

std::string schema_of(HardwareKind kind) { return "memsim." + std::string(name(kind)) + "/1"; }

Catalogue::Catalogue(const std::filesystem::path& scenarios) : hardware_(scenarios / "hardware") {}

std::vector<std::string> Catalogue::names(HardwareKind kind) const {
  std::vector<std::string> names;
  std::error_code none;
  const std::filesystem::directory_iterator folder(hardware_ / name(kind), none);
  if (none) return names;
  for (const auto& entry : folder) {
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<CatalogueEntry> Catalogue::find(HardwareKind kind, std::string_view wanted,
                                              const std::filesystem::path& beside) const {
  if (auto file = file_beside(wanted, beside)) return file;
  return find_entry(kind, wanted);
}

std::optional<CatalogueEntry> Catalogue::find_file(std::string_view wanted,
                                                   const std::filesystem::path& beside) const {
  if (auto file = file_beside(wanted, beside)) return file;
  const std::filesystem::path file = hardware_ / wanted;
  if (wanted.empty() || !is_file(file)) return std::nullopt;
  return CatalogueEntry{identity_of(file), file, std::string(wanted)};
}

std::optional<CatalogueEntry> Catalogue::find_entry(HardwareKind kind,
                                                    std::string_view entry) const {
  // A plain name: "../x" is a file or nothing.
  if (entry.empty() || std::filesystem::path(entry).has_parent_path()) return std::nullopt;
  if (entry.ends_with(extension)) entry.remove_suffix(extension.size());
  const std::string file =
      std::string(name(kind)) + "/" + std::string(entry) + std::string(extension);
  if (!is_file(hardware_ / file)) return std::nullopt;
  return CatalogueEntry{identity_of(hardware_ / file), hardware_ / file, file};
}

}  // namespace memsim::scenarios
