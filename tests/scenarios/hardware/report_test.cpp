#include <nlohmann/json.hpp>
#include <sstream>

#include "scenarios/hardware/hardware_list.hpp"
#include "scenarios/hardware/hardware_report.hpp"
#include "tests/scenarios/hardware/hardware_folder.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) longest = std::max(longest, line.size());
  return longest;
}

HardwareFolder* new_folder() {
  return new HardwareFolder{{"gpu/g.toml", small_gpu},
                            {"gpu/broken.toml", "schema = \"memsim.gpu/1\"\n"},
                            {"host/h.toml", small_host},
                            {"link/l.toml", small_link},
                            {"system/s.toml", small_system},
                            {"system/two.toml",
                             "schema = \"memsim.system/1\"\nhost = \"h\"\n"
                             "gpu = [{ part = \"g\", count = 2 }]\n"
                             "link = [{ from = \"socket0\", to = \"gpu[*]\", part = \"l\" }]\n"}};
}

}  // namespace

TEST_CASE("the list has a table for each kind, with columns as wide as their entries") {
  const std::unique_ptr<HardwareFolder> folder(new_folder());
  CHECK(hardware_list_text(folder->catalogue()).text ==
        "SYSTEM  GPUS   HOST MEMORY  BANDWIDTH\n"
        "s       1 x g  64 GiB DDR5  76.8 GB/s\n"
        "two     2 x g  64 GiB DDR5  76.8 GB/s\n"
        "\n"
        "GPU     MEMORY      BANDWIDTH\n"
        "broken  has errors: memsim hw check broken\n"
        "g       40 GB HBM2  1.555 TB/s\n"
        "\n"
        "HOST  MEMORY       BANDWIDTH\n"
        "h     64 GiB DDR5  76.8 GB/s\n"
        "\n"
        "LINK  KIND  BANDWIDTH, EACH WAY\n"
        "l     PCIe  31.5 GB/s\n");
}

TEST_CASE("a list with a broken entry is not readable, and says so beside its text") {
  const std::unique_ptr<HardwareFolder> folder(new_folder());
  CHECK_FALSE(hardware_list_text(folder->catalogue()).readable);
  CHECK_FALSE(hardware_list_json(folder->catalogue()).readable);
  CHECK(hardware_list_text(shipped_catalogue()).readable);
}

TEST_CASE("memory behind links is no part of a host's sum") {
  // Twelve channels of 38.4 GB/s and 768 GiB are the socket's; four expanders of 256 GB are not.
  const std::string list = hardware_list_text(shipped_catalogue()).text;
  CHECK_THAT(
      list, Catch::Contains("epyc-9654-1s-cxl") && Catch::Contains("768 GiB DDR5+CXL  460.8 GB/s"));
  const auto document = nlohmann::json::parse(hardware_list_json(shipped_catalogue()).text);
  for (const auto& entry : document["entries"]) {
    if (entry["name"] != "epyc-9654-1s-cxl") continue;
    REQUIRE(entry["figures"].size() == 2);
    CHECK(entry["figures"][1]["behind_link"] == true);
    CHECK(entry["figures"][1]["count"] == 4);
    CHECK(entry["figures"][1]["capacity_bytes"] == 256'000'000'000);
  }
}

TEST_CASE("GPUs of several kinds are listed side by side, without a table for empty kinds") {
  const HardwareFolder folder{
      {"gpu/a.toml", small_gpu},
      {"gpu/b.toml", small_gpu},
      {"host/h.toml", small_host},
      {"link/l.toml", small_link},
      {"system/mixed.toml",
       "schema = \"memsim.system/1\"\nhost = \"h\"\n"
       "gpu = [{ id = \"x\", part = \"a\", count = 3 }, { id = \"y\", part = \"b\" }]\n"
       "link = [{ from = \"socket0\", to = \"x[*]\", part = \"l\" },\n"
       "        { from = \"socket0\", to = \"y\", part = \"l\" }]\n"}};
  const std::string list = hardware_list_text(folder.catalogue()).text;
  CHECK_THAT(list, Catch::Contains("mixed   3 x a, 1 x b  64 GiB DDR5"));
  CHECK(hardware_list_text(HardwareFolder{{"link/l.toml", small_link}}.catalogue()).text ==
        "LINK  KIND  BANDWIDTH, EACH WAY\n"
        "l     PCIe  31.5 GB/s\n");
}

TEST_CASE("the list as JSON has integers") {
  const HardwareFolder folder{{"gpu/g.toml", small_gpu}};
  CHECK(hardware_list_json(folder.catalogue()).text ==
        "{\n"
        "  \"entries\": [\n"
        "    {\n"
        "      \"figures\": [\n"
        "        {\n"
        "          \"bandwidth_bytes_per_second\": 1555000000000,\n"
        "          \"capacity_bytes\": 40000000000,\n"
        "          \"count\": 1,\n"
        "          \"kind\": \"HBM2\",\n"
        "          \"part\": \"g\"\n"
        "        }\n"
        "      ],\n"
        "      \"kind\": \"gpu\",\n"
        "      \"name\": \"g\",\n"
        "      \"readable\": true\n"
        "    }\n"
        "  ],\n"
        "  \"schema\": \"memsim.hardware-list/1\"\n"
        "}\n");
}

TEST_CASE("the shipped catalogue fits into 80 columns") {
  const std::string list = hardware_list_text(shipped_catalogue()).text;
  CHECK(longest_line(list) <= 80);
  CHECK_THAT(list, Catch::Contains("\na100  ") && Catch::Contains("  8 x a100-sxm4-80gb  "));
  CHECK(list.find("has errors") == std::string::npos);
  for (const char* name : {"dgx-a100-80", "v100-sxm2-32gb", "pcie4-x16"}) {
    Sources sources;
    Diagnostics diagnostics;
    const auto loaded = load_hardware(shipped_catalogue(), name, {}, sources, diagnostics);
    CHECK(longest_line(hardware_text(*loaded)) <= 80);
  }
}

TEST_CASE("show lists every value with its origin and the source in its comment") {
  HardwareFolder folder{
      {"link/a.toml", std::string(small_link) + "latency = \"2 us\"  # measured\n"},
      {"link/b.toml",
       "schema = \"memsim.link/1\"\ninherits = \"a\"\nlanes = 8\n"
       "bandwidth = \"15.75 GB/s\"\n"}};
  const LoadedHardware loaded = folder.load("b", {"achieved.forward=0.8"});
  CHECK(hardware_text(loaded) ==
        "b (link)\n"
        "  name              b                default\n"
        "  kind              PCIe             inherited from link/a.toml:2\n"
        "  generation        4                inherited from link/a.toml:3\n"
        "  lanes             8                link/b.toml:3\n"
        "  bandwidth         15.75 GB/s       link/b.toml:4\n"
        "\n"
        "achieved\n"
        "  forward           0.8              --set\n"
        "  backward          1                default\n"
        "\n"
        "\n"
        "  latency           2 us             inherited from link/a.toml:6\n"
        "    # measured\n");
  const std::string json = hardware_json(loaded);
  CHECK(json.find("\"schema\": \"memsim.hardware/1\"") != std::string::npos);
  CHECK(json.find("      \"file\": \"" + folder.path("link/a.toml") +
                  "\",\n"
                  "      \"help\": \"until the first byte arrives\",\n"
                  "      \"line\": 6,\n"
                  "      \"origin\": \"inherited from link/a.toml:6\",\n"
                  "      \"path\": \"latency\",\n"
                  "      \"source\": \"measured\",\n"
                  "      \"value\": \"2 us\"\n") != std::string::npos);
  CHECK(json.find("\"line\": 0,\n      \"origin\": \"default\"") != std::string::npos);
}

}  // namespace memsim::scenarios
