#include "scenarios/hardware/catalogue.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "scenarios/schema/quantity.hpp"
#include "tests/scenarios/hardware/hardware_folder.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

LoadedHardware shipped(HardwareKind kind, const std::string& name, Sources& sources) {
  Diagnostics diagnostics;
  std::optional<LoadedHardware> loaded =
      load_entry(shipped_catalogue(), kind, name, sources, diagnostics);
  INFO(diagnostics.text(""));
  REQUIRE(loaded.has_value());
  CHECK(diagnostics.warnings() == 0);
  return *std::move(loaded);
}

std::string value_at(const LoadedHardware& hardware, std::string_view path) {
  const auto found = std::find_if(hardware.settings.begin(), hardware.settings.end(),
                                  [&](const Setting& s) { return s.path == path; });
  INFO(path);
  REQUIRE(found != hardware.settings.end());
  return found->value;
}

// The integer value of a quantity and what it measures.
std::pair<Dimension, std::int64_t> measure(const std::string& text) {
  for (const Dimension dimension :
       {Dimension::bytes, Dimension::bandwidth, Dimension::duration, Dimension::operation_rate}) {
    if (const auto value = parse_quantity(text, dimension)) return {dimension, *value};
  }
  FAIL("no quantity: " << text);
  return {};
}

std::vector<std::string> columns(const std::string& line, std::size_t count) {
  std::vector<std::string> result;
  std::istringstream stream(line);
  std::string column;
  while (result.size() + 1 < count && std::getline(stream, column, ',')) result.push_back(column);
  std::getline(stream, column);
  result.push_back(column);
  return result;
}

// Everything but systems.
constexpr std::array part_kinds{HardwareKind::gpu, HardwareKind::host, HardwareKind::link,
                                HardwareKind::drive, HardwareKind::nic};

HardwareKind kind_named(const std::string& wanted) {
  for (const HardwareKind kind : hardware_kinds) {
    if (name(kind) == wanted) return kind;
  }
  FAIL("no kind: " << wanted);
  return {};
}

}  // namespace

TEST_CASE("cards without NVLink between them have the channels of PCIe") {
  for (const char* card :
       {"a100-pcie-40gb", "a100-pcie-80gb", "h100-pcie-80gb", "v100-pcie-16gb"}) {
    Sources sources;
    CHECK(value_at(shipped(HardwareKind::gpu, card, sources), "libraries.nccl.channels") == "2");
  }
}

TEST_CASE("servers have the network and drives of their data sheets") {
  struct Case {
    const char* name;
    std::size_t nics;
    std::int64_t gigabits;  // of all NICs
    std::size_t drives;
  };
  for (const Case& each :
       {Case{"dgx-b200", 8, 3200, 8}, Case{"dgx-b300", 8, 6400, 8}, Case{"hgx-h200", 8, 3200, 8},
        Case{"p5.48xlarge", 32, 3200, 0}, Case{"p5en.48xlarge", 16, 3200, 0},
        Case{"a3-highgpu-8g", 4, 800, 0}, Case{"gb200-nvl72", 4, 1600, 8}}) {
    Sources sources;
    const LoadedHardware loaded = shipped(HardwareKind::system, each.name, sources);
    INFO(each.name);
    REQUIRE(loaded.system->nics.size() == each.nics);
    CHECK(loaded.system->nics[0].part.rate.value() * 8 * static_cast<std::int64_t>(each.nics) ==
          each.gigabits * 1'000'000'000);
    CHECK(loaded.system->drives.size() == each.drives);
  }
}

TEST_CASE("entries are found by name, with and without .toml; files come first") {
  const HardwareFolder folder{
      {"gpu/t4.toml", small_gpu}, {"gpu/notes.txt", "x"}, {"mine.toml", "x"}};
  const Catalogue catalogue = folder.catalogue();
  CHECK(catalogue.names(HardwareKind::gpu) == std::vector<std::string>{"t4"});
  CHECK(catalogue.names(HardwareKind::host).empty());
  CHECK(catalogue.find(HardwareKind::gpu, "t4", "")->name == "gpu/t4.toml");
  CHECK(catalogue.find(HardwareKind::gpu, "t4.toml", "")->name == "gpu/t4.toml");
  CHECK(catalogue.find(HardwareKind::gpu, "t4", "")->identity == folder.path("gpu/t4.toml"));
  CHECK_FALSE(catalogue.find(HardwareKind::host, "t4", "").has_value());
  CHECK_FALSE(catalogue.find(HardwareKind::gpu, "", "").has_value());
  CHECK_FALSE(catalogue.find(HardwareKind::gpu, "../gpu/t4", "").has_value());
  const auto file = catalogue.find(HardwareKind::gpu, "mine.toml", folder.path(""));
  REQUIRE(file.has_value());
  CHECK(file->identity == folder.path("mine.toml"));
  // A folder is no file.
  CHECK_FALSE(catalogue.find(HardwareKind::host, "gpu", folder.path("")).has_value());
}

TEST_CASE("kinds name their folders and schemas") {
  CHECK(name(HardwareKind::system) == "system");
  CHECK(schema_of(HardwareKind::link) == "memsim.link/1");
}

TEST_CASE("the shipped catalogue has the machines that people ask for") {
  const std::vector<std::pair<HardwareKind, std::vector<std::string>>> wanted{
      {HardwareKind::gpu,
       {"v100-sxm2-16gb",
        "v100-sxm2-32gb",
        "v100-pcie-16gb",
        "v100-pcie-32gb",
        "titan-rtx",
        "t4",
        "a10",
        "a10g",
        "a40",
        "a100-sxm4-40gb",
        "a100-sxm4-80gb",
        "a100-pcie-40gb",
        "a100-pcie-80gb",
        "a800-sxm4-80gb",
        "l4",
        "l40",
        "l40s",
        "rtx3090",
        "rtx4090",
        "rtx5090",
        "rtx4070-ti-super",
        "rtx-a5000",
        "rtx-a6000",
        "rtx6000-ada",
        "rtx-pro-6000",
        "h100-sxm5-80gb",
        "h100-sxm5-96gb",
        "h100-pcie-80gb",
        "h100-nvl-94gb",
        "h200-sxm5-141gb",
        "b200",
        "b300",
        "gh200-96gb",
        "gb200",
        "gb300",
        "mi250x-gcd",
        "mi300x"}},
      {HardwareKind::drive, {"samsung-pm9a3", "micron-9200", "azure-nd-h200"}},
      {HardwareKind::nic,
       {"infiniband-edr", "infiniband-hdr", "infiniband-ndr", "infiniband-xdr", "roce-100",
        "roce-400", "efa-100"}},
      {HardwareKind::system,
       {"a100",          "dgx-a100-40",   "dgx-a100-80",   "dgx-h100",
        "hgx-h200",      "dgx-b200",      "gh200",         "gb200-nvl72",
        "8xl40s",        "4x4090",        "8xv100",        "1xt4",
        "p3.16xlarge",   "p4d.24xlarge",  "p4de.24xlarge", "p5.48xlarge",
        "p5en.48xlarge", "g4dn.xlarge",   "g5.xlarge",     "g6.xlarge",
        "g6e.xlarge",    "a2-highgpu-8g", "a3-highgpu-8g", "Standard_ND96isr_H100_v5"}}};
  for (const auto& [kind, entries] : wanted) {
    for (const std::string& entry : entries) {
      INFO(entry);
      CHECK(shipped_catalogue().find_entry(kind, entry).has_value());
    }
  }
}

TEST_CASE("every GPU of the shipped catalogue is in a system that can be planned on") {
  std::set<std::string> placed;
  for (const std::string& entry : shipped_catalogue().names(HardwareKind::system)) {
    Sources sources;
    const LoadedHardware system = shipped(HardwareKind::system, entry, sources);
    for (const models::PlacedGpu& gpu : system.system->gpus) placed.insert(gpu.part.name);
  }
  const std::vector<std::string> gpus = shipped_catalogue().names(HardwareKind::gpu);
  CHECK(placed == std::set<std::string>(gpus.begin(), gpus.end()));
}

TEST_CASE("every entry of the shipped catalogue reads without errors and is called like its file") {
  for (const HardwareKind kind : hardware_kinds) {
    for (const std::string& entry : shipped_catalogue().names(kind)) {
      Sources sources;
      CHECK(shipped(kind, entry, sources).name == entry);
    }
  }
}

TEST_CASE("every figure of a shipped part names its source in a comment") {
  // Names, counts of a standard and flags are no figures.
  const std::set<std::string> no_figures{"name", "kind", "generation", "lanes"};
  for (const HardwareKind kind : part_kinds) {
    for (const std::string& entry : shipped_catalogue().names(kind)) {
      Sources sources;
      for (const Setting& setting : shipped(kind, entry, sources).settings) {
        const std::string key = setting.path.substr(setting.path.rfind('.') + 1);
        if (setting.location.file == nullptr || no_figures.contains(key)) continue;
        INFO(entry << ": " << setting.path);
        CHECK(setting.comment.size() >= std::string("assumed").size());
        CHECK(setting.comment.size() <= 74);  // as a line of `hw show`
      }
    }
  }
}

TEST_CASE("no figure that data sheets state is assumed") {
  const std::set<std::string> stated{
      "memory.capacity", "memory.bandwidth",         "bandwidth",      "rate", "read", "write",
      "capacity",        "memory.channel_bandwidth", "memory.channels"};
  int checked = 0;
  for (const HardwareKind kind : part_kinds) {
    for (const std::string& entry : shipped_catalogue().names(kind)) {
      Sources sources;
      for (const Setting& setting : shipped(kind, entry, sources).settings) {
        std::string path = without_indices(setting.path);
        if (path.starts_with("socket.numa.")) path = path.substr(12);
        if (!stated.contains(path) && !path.starts_with("compute.peak.")) continue;
        // Of a configuration, not of a data sheet: how much memory someone put into a host.
        if (kind == HardwareKind::host && path == "memory.capacity") continue;
        if (setting.location.file == nullptr) continue;  // a rate that the GPU does not have
        INFO(entry << ": " << setting.path);
        CHECK_FALSE(setting.comment.starts_with("assumed"));
        ++checked;
      }
    }
  }
  CHECK(checked > 300);
}

TEST_CASE("the memories of every shipped system get smaller and faster towards the GPU") {
  for (const std::string& entry : shipped_catalogue().names(HardwareKind::system)) {
    INFO(entry);
    Sources sources;
    const LoadedHardware system = shipped(HardwareKind::system, entry, sources);
    for (const models::PlacedGpu& gpu : system.system->gpus) {
      const models::GpuMemorySpec& memory = gpu.part.memory;
      CHECK(memory.usable > memory.capacity / 10 * 9);
      // Vendors sell GiB as GB.
      CHECK(memory.usable.value() / (1 << 30) <= memory.capacity.value() / 1'000'000'000);
      CHECK(gpu.part.l2.size < memory.capacity / 100);
      const bool measured = gpu.part.l2.bandwidth.value() > 0;
      CHECK((!measured || gpu.part.l2.bandwidth > memory.bandwidth));
    }
    for (const models::PlacedLink& link : system.system->links) {
      CHECK(link.part.bandwidth * 2 < system.system->gpus.front().part.memory.bandwidth);
    }
    for (const models::SocketSpec& socket : system.system->host.sockets) {
      for (const models::NumaSpec& numa : socket.numa) {
        const bool linked = numa.link.bandwidth.value() > 0;  // nothing runs there
        CHECK((linked || numa.memory.usable < numa.memory.capacity));
        CHECK(numa.memory.usable > numa.memory.capacity / 10 * 9);
        CHECK(numa.memcpy < numa.memory.bandwidth());
        CHECK(numa.memory.bandwidth() < system.system->gpus.front().part.memory.bandwidth);
      }
    }
  }
}

TEST_CASE("narrower types are at least as fast on every shipped GPU") {
  for (const std::string& entry : shipped_catalogue().names(HardwareKind::gpu)) {
    INFO(entry);
    Sources sources;
    const models::RateByType peak = shipped(HardwareKind::gpu, entry, sources).gpu->compute.peak;
    const auto rate = [&](models::DataType type) { return peak[static_cast<std::size_t>(type)]; };
    using models::DataType;
    const auto rises = [&](DataType wide, DataType narrow) {
      return rate(narrow) == models::RateByType::value_type{} || rate(narrow) >= rate(wide);
    };
    CHECK(rises(DataType::fp64, DataType::fp32));
    CHECK(rises(DataType::fp32, DataType::tf32));
    CHECK(rises(DataType::tf32, DataType::bf16));
    CHECK(rises(DataType::fp32, DataType::fp16));
    CHECK(rises(DataType::bf16, DataType::fp8));
  }
}

TEST_CASE("figures of the catalogue are those of data sheets and measurements") {
  std::ifstream file(std::string(MEMSIM_SOURCE_DIR) + "/validate/data/hardware/figures.csv");
  std::string line;
  std::getline(file, line);
  CHECK(line == "kind,entry,path,factor,low,high,source");
  int rows = 0;
  while (std::getline(file, line)) {
    INFO(line);
    const std::vector<std::string> row = columns(line, 7);
    REQUIRE(row.size() == 7);
    Sources sources;
    const LoadedHardware hardware = shipped(kind_named(row[0]), row[1], sources);
    auto [dimension, value] = measure(value_at(hardware, row[2]));
    if (!row[3].empty()) {
      value = sim::scale(value, *parse_fraction(value_at(hardware, row[3])), 1'000'000);
    }
    CHECK(dimension == measure(row[4]).first);
    CHECK(value >= measure(row[4]).second);
    CHECK(value <= measure(row[5]).second);
    ++rows;
  }
  CHECK(rows > 230);
}

}  // namespace memsim::scenarios
