#include "scenarios/hardware/technologies.hpp"

#include <string>
#include <vector>

#include "scenarios/hardware/catalogue.hpp"
#include "tests/scenarios/hardware/hardware_folder.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

using Codes = std::vector<std::string>;

Codes codes(const std::string& file, const std::string& text) {
  const HardwareFolder folder{{file, text}};
  Sources sources;
  Diagnostics diagnostics;
  (void)load_hardware(folder.catalogue(), "x", {}, sources, diagnostics);
  Codes result;
  for (const Diagnostic& each : diagnostics.sorted()) result.push_back(each.code);
  return result;
}

Codes of_link(const std::string& kind, const std::string& rest) {
  return codes("link/x.toml", "schema = \"memsim.link/1\"\nkind = \"" + kind + "\"\n" + rest);
}

Codes of_nic(const std::string& kind, const std::string& generation, const std::string& rate) {
  return codes("nic/x.toml", "schema = \"memsim.nic/1\"\nkind = \"" + kind + "\"\ngeneration = \"" +
                                 generation + "\"\nrate = \"" + rate + "\"\n");
}

}  // namespace

TEST_CASE("a technology is the same however it is spelt, and others keep their names") {
  for (const char* spelling : {"PCIe", "pcie", "PCI-E", "PCI Express", "pci express"})
    CHECK(technology(spelling) == "PCIe");
  CHECK(technology("nvlink") == "NVLink");
  CHECK(technology("NVLINK C2C") == "NVLink-C2C");
  CHECK(technology("CoherentFoo") == "CoherentFoo");
}

TEST_CASE("limits hold for every spelling of a kind (64 GB/s are both directions of PCIe 4 x16)") {
  const std::string both = "generation = 4\nlanes = 16\nbandwidth = \"64 GB/s\"\n";
  for (const char* spelling : {"PCIe", "pcie", "PCI Express"})
    CHECK(of_link(spelling, both) == Codes{"E133"});
  CHECK(of_link("Nvlink", "generation = 4\nlanes = 18\nbandwidth = \"900 GB/s\"\n") ==
        Codes{"E133"});
  CHECK(of_link("nvlink-c2c", "bandwidth = \"451 GB/s\"\n") == Codes{"E133"});
  CHECK(of_link("NVLink-C2C", "bandwidth = \"450 GB/s\"\n").empty());
  // 16 lanes of PCIe 6 carry 121 GB/s, the most of any generation here.
  CHECK(of_link("PCIe", "bandwidth = \"122 GB/s\"\n") == Codes{"E133"});
  CHECK(of_link("PCIe", "bandwidth = \"120 GB/s\"\n").empty());
}

TEST_CASE("a word near a known technology is asked about, other technologies are possible (E107)") {
  const std::string rest = "bandwidth = \"10 GB/s\"\n";
  for (const char* spelling : {"PCIE4", "PCIe 5.0", "NVLnik", "PCEi"})
    CHECK(of_link(spelling, rest) == Codes{"E107"});
  for (const char* other : {"UALink", "CXL", "Infinity Fabric", "HCCS", "TPU interconnect", "ICI"})
    CHECK(of_link(other, rest).empty());
  CHECK(of_nic("InfiniBand", "NRD", "400 Gb/s") == Codes{"E107"});
  CHECK(of_nic("InfiniBand", "HDR100", "100 Gb/s").empty());
  CHECK(of_nic("Infiniband", "GDR", "1600 Gb/s").empty());
}

TEST_CASE("rates of a network are bits: bytes in their place are an error, an eighth is doubted") {
  CHECK(of_nic("InfiniBand", "NDR", "400 GB/s") == Codes{"E125"});
  CHECK(of_nic("RoCE", "", "400 GB/s") == Codes{"E125"});
  CHECK(of_nic("InfiniBand", "NDR", "50 Gb/s") == Codes{"W135"});
  CHECK(of_nic("InfiniBand", "NDR", "50 GB/s").empty());
  CHECK(of_nic("InfiniBand", "ndr", "800 Gb/s") == Codes{"E133"});
}

}  // namespace memsim::scenarios
