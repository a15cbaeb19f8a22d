#include <algorithm>

#include "tests/scenarios/hardware/hardware_folder.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

using namespace sim::literals;
using models::NodeKind;

std::string origin_of(const LoadedHardware& hardware, std::string_view path) {
  const auto found = std::find_if(hardware.settings.begin(), hardware.settings.end(),
                                  [&](const Setting& s) { return s.path == path; });
  return found == hardware.settings.end() ? "not listed" : found->value + " | " + origin(*found);
}

}  // namespace

TEST_CASE("a system is composed from its parts, and each value knows its file") {
  HardwareFolder folder{{"gpu/g.toml", small_gpu},
                        {"host/h.toml", small_host},
                        {"link/l.toml", small_link},
                        {"system/s.toml", small_system}};
  const LoadedHardware loaded = folder.load("s");
  REQUIRE(loaded.system.has_value());
  const models::SystemSpec& system = *loaded.system;
  CHECK(system.name == "s");
  CHECK(system.gpus.at(0).name == "gpu0");
  CHECK(system.gpus[0].part.name == "g");
  CHECK(system.gpus[0].part.memory.usable == 40_GB);
  CHECK(system.host.name == "h");
  CHECK(system.host.sockets.at(0).numa.at(0).memory.bandwidth() == 76'800_MBps);
  REQUIRE(system.links.size() == 1);
  CHECK(system.links[0].from == models::NodeRef{NodeKind::socket, 0});
  CHECK(system.links[0].to == models::NodeRef{NodeKind::gpu, 0});
  CHECK(system.links[0].part.bandwidth == 31'500_MBps);
  CHECK(origin_of(loaded, "gpu[0].memory.bandwidth") == "1555 GB/s | gpu/g.toml:2");
  CHECK(origin_of(loaded, "link[0].from") == "socket0 | system/s.toml:4");
  CHECK(origin_of(loaded, "gpu[0].driver.malloc") == "60 us | default");
}

TEST_CASE("a system overrides keys of its parts, and --set overrides both") {
  HardwareFolder folder{
      {"gpu/g.toml", small_gpu},
      {"host/h.toml", small_host},
      {"link/l.toml", small_link},
      {"system/s.toml",
       "schema = \"memsim.system/1\"\n"
       "host = { part = \"h\", socket.numa.memory.channels = 1 }\n"
       "gpu = [{ part = \"g\", memory.usable = \"39 GB\" }]\n"
       "link = [{ from = \"socket0\", to = \"gpu0\", part = \"l\", achieved = 0.8 }]\n"
       "[other_tenants]\n"
       "memory = \"8 GB\"\n"}};
  const LoadedHardware loaded = folder.load("s.toml");
  CHECK(loaded.system->gpus[0].part.memory.usable == 39_GB);
  CHECK(loaded.system->gpus[0].part.memory.capacity == 40_GB);
  CHECK(loaded.system->host.sockets[0].numa[0].memory.channels == 1);
  CHECK(loaded.system->links[0].part.backward == models::Fraction(800'000));
  CHECK(loaded.system->tenant_memory == 8_GB);

  const LoadedHardware typed =
      folder.load("s", {"gpu.memory.usable=30 GB", "gpu.memory.usable=31 GB",
                        "link.achieved.forward=0.5", "host.socket.numa.memory.channels=2"});
  CHECK(typed.system->gpus[0].part.memory.usable == 31_GB);
  CHECK(typed.system->links[0].part.forward == models::Fraction(500'000));
  CHECK(typed.system->links[0].part.backward == models::Fraction(800'000));
  CHECK(typed.system->host.sockets[0].numa[0].memory.channels == 2);
  CHECK(origin_of(typed, "gpu[0].memory.usable") == "31 GB | --set");
}

TEST_CASE("a part inherits from another, and from a whole chain") {
  HardwareFolder folder{
      {"gpu/a.toml", small_gpu},
      {"gpu/b.toml", "schema = \"memsim.gpu/1\"\ninherits = \"a\"\nmemory.capacity = \"80 GB\"\n"},
      {"gpu/c.toml",
       "schema = \"memsim.gpu/1\"\ninherits = \"b\"\nmemory.bandwidth = \"2 TB/s\"\n"}};
  const LoadedHardware loaded = folder.load("c");
  REQUIRE(loaded.gpu.has_value());
  CHECK(loaded.name == "c");
  CHECK(loaded.gpu->memory.capacity == 80_GB);
  CHECK(loaded.gpu->memory.bandwidth == 2000_GBps);
  CHECK(loaded.gpu->memory.kind == "HBM2");
  CHECK(origin_of(loaded, "memory.capacity") == "80 GB | inherited from gpu/b.toml:3");
  CHECK(origin_of(loaded, "memory.kind") == "HBM2 | inherited from gpu/a.toml:2");
  CHECK(origin_of(loaded, "memory.bandwidth") == "2 TB/s | gpu/c.toml:3");
}

TEST_CASE("a shorthand in the base and one key of it in the heir keep the others") {
  HardwareFolder folder{
      {"link/a.toml", std::string(small_link) + "achieved = 0.8\n"},
      {"link/b.toml", "schema = \"memsim.link/1\"\ninherits = \"a\"\nachieved.forward = 0.7\n"}};
  const LoadedHardware loaded = folder.load("b");
  CHECK(loaded.link->forward == models::Fraction(700'000));
  CHECK(loaded.link->backward == models::Fraction(800'000));
}

TEST_CASE("a file comes before the catalogue, and names start from the folder of the file") {
  HardwareFolder folder{{"gpu/g.toml", small_gpu},
                        {"host/h.toml", small_host},
                        {"link/l.toml", small_link},
                        {"system/s.toml", small_system},
                        {"mine/s.toml",
                         "schema = \"memsim.system/1\"\n"
                         "inherits = \"s\"\n"
                         "gpu = [{ part = \"my-gpu.toml\" }]\n"},
                        {"mine/my-gpu.toml", small_gpu}};
  // "s" beside mine/s.toml is no file (s.toml is), so the catalogue's system is inherited.
  const LoadedHardware loaded = folder.load(folder.path("mine/s.toml"));
  CHECK(loaded.system->gpus[0].part.name == "my-gpu");
  CHECK(loaded.system->host.name == "h");
  CHECK(origin_of(loaded, "gpu[0].memory.kind") ==
        "HBM2 | " + folder.path("mine/my-gpu.toml") + ":2");
}

TEST_CASE("ranges, stars, indices and single names reach the nodes they say") {
  HardwareFolder folder{
      {"gpu/g.toml", small_gpu},
      {"host/h.toml", small_host},
      {"link/l.toml", small_link},
      {"system/s.toml",
       "schema = \"memsim.system/1\"\n"
       "host = \"h\"\n"
       "gpu = [{ count = 4, part = \"g\" }, { id = \"b200\", count = 2, part = \"g\" },\n"
       "       { id = \"t4\", part = \"g\" }]\n"
       "switch = [{ id = \"pcie\", count = 2 }, { id = \"hub\" }]\n"
       "link = [\n"
       "  { from = \"socket0\", to = \"pcie[*]\", part = \"l\" },\n"
       "  { from = \"pcie[0]\", to = \"gpu[0..2]\", part = \"l\" },\n"
       "  { from = \"pcie1\", to = \"gpu3\", part = \"l\" },\n"
       "  { from = \"numa0\", to = \"hub\", part = \"l\" },\n"
       "  { from = \"hub\", to = \"b200[0..1]\", part = \"l\" },\n"
       "  { from = \"socket\", to = \"t4\", part = \"l\" },\n"
       "  { from = \"gpu[*]\", to = \"nvswitch\", part = \"l\" },\n"
       "]\n"}};
  const models::SystemSpec system = *folder.load("s").system;
  CHECK(system.switches == std::vector<std::string>{"pcie[0]", "pcie[1]", "hub", "nvswitch"});
  std::vector<std::string> gpus;
  for (const models::PlacedGpu& gpu : system.gpus) gpus.push_back(gpu.name);
  CHECK(gpus ==
        std::vector<std::string>{"gpu0", "gpu1", "gpu2", "gpu3", "b200[0]", "b200[1]", "t4"});
  std::vector<std::pair<models::NodeRef, models::NodeRef>> ends;
  for (const models::PlacedLink& link : system.links) ends.emplace_back(link.from, link.to);
  const auto fabric = [](std::uint32_t i) { return models::NodeRef{NodeKind::fabric, i}; };
  const auto gpu = [](std::uint32_t i) { return models::NodeRef{NodeKind::gpu, i}; };
  const models::NodeRef socket{NodeKind::socket, 0};
  CHECK(ends ==
        std::vector<std::pair<models::NodeRef, models::NodeRef>>{{socket, fabric(0)},
                                                                 {socket, fabric(1)},
                                                                 {fabric(0), gpu(0)},
                                                                 {fabric(0), gpu(1)},
                                                                 {fabric(0), gpu(2)},
                                                                 {fabric(1), gpu(3)},
                                                                 {{NodeKind::numa, 0}, fabric(2)},
                                                                 {fabric(2), gpu(4)},
                                                                 {fabric(2), gpu(5)},
                                                                 {socket, gpu(6)},
                                                                 {gpu(0), fabric(3)},
                                                                 {gpu(1), fabric(3)},
                                                                 {gpu(2), fabric(3)},
                                                                 {gpu(3), fabric(3)}});
}

TEST_CASE("a part may be written into the system instead of named") {
  HardwareFolder folder{
      {"system/s.toml",
       "schema = \"memsim.system/1\"\n"
       "[[host.socket]]\n"
       "cores = 8\n"
       "[[host.socket.numa]]\n"
       "memory = { kind = \"DDR5-4800\", channels = 2, channel_bandwidth = \"38.4 GB/s\", "
       "capacity = \"64 GiB\" }\n"
       "[[gpu]]\n"
       "name = \"mine\"\n"
       "memory = { kind = \"HBM\", capacity = \"10 TB\", bandwidth = \"2 TB/s\" }\n"
       "compute.peak.fp32 = \"20 TFLOP/s\"\n"
       "[[link]]\n"
       "from = \"socket0\"\n"
       "to = \"gpu0\"\n"
       "kind = \"made up\"\n"
       "bandwidth = \"100 GB/s\"\n"}};
  const models::SystemSpec system = *folder.load("s").system;
  CHECK(system.gpus[0].part.name == "mine");
  CHECK(system.gpus[0].part.memory.capacity == 10'000_GB);
  CHECK(system.links[0].part.kind == "made up");
}

TEST_CASE("load_system takes systems only (E108)") {
  const HardwareFolder folder{{"gpu/g.toml", small_gpu}};
  Sources sources;
  Diagnostics diagnostics;
  CHECK_FALSE(load_system(folder.catalogue(), "g", {}, sources, diagnostics).has_value());
  const Diagnostic found = diagnostics.sorted().front();
  CHECK(found.code == "E108");
  CHECK(found.message == "`g` is a gpu, not a system");
  CHECK(found.location.file->path() == folder.path("gpu/g.toml"));
  CHECK(found.help == "a system places it: gpu = [{ part = \"g\" }]");
}

}  // namespace memsim::scenarios
