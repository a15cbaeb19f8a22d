#include "tests/models/machine/example_machine.hpp"

#include <string>

namespace memsim::models {

using namespace sim::literals;

GpuSpec example_gpu() {
  GpuSpec gpu;
  gpu.name = "example";
  gpu.memory.kind = "HBM2e";
  gpu.memory.capacity = 40_GB;
  gpu.memory.usable = 39_GB;
  gpu.memory.bandwidth = 1000_GBps;
  gpu.memory.achieved = {Fraction(1'000'000), Fraction(500'000), Fraction(800'000)};
  gpu.memory.gemm = Fraction(400'000);
  gpu.compute.peak[static_cast<std::size_t>(DataType::bf16)] = OperationRate(100'000'000'000'000);
  gpu.compute.peak[static_cast<std::size_t>(DataType::fp32)] = OperationRate(10'000'000'000'000);
  gpu.compute.gemm_efficiency.fill(Fraction(500'000));
  gpu.compute.attention_efficiency.fill(Fraction(250'000));
  gpu.compute.start = {4_us, 3_us, 1_us};
  gpu.compute.launch = 2_us;
  gpu.copy = {1, 1, 2};
  gpu.driver.malloc = 60_us;
  gpu.driver.free = 90_us;
  gpu.driver.map = 25_us;
  gpu.driver.unmap = 26_us;
  return gpu;
}

HostSpec example_host(std::uint32_t sockets) {
  HostSpec host;
  for (std::uint32_t s = 0; s < sockets; ++s) {
    NumaSpec numa;
    numa.memory.kind = "DDR4-3200";
    numa.memory.channels = 8;
    numa.memory.channel_bandwidth = 25_GBps;
    numa.memory.capacity = 512_GiB;
    numa.memory.usable = 500_GiB;
    numa.memory.achieved = {Fraction(800'000), Fraction(400'000), Fraction(500'000)};
    numa.memcpy = 8_GBps;
    host.sockets.push_back({64, {numa}});
  }
  host.inter_socket.bandwidth = 15_GBps;
  host.inter_socket.latency = 100_ns;
  return host;
}

LinkSpec example_link() {
  LinkSpec link;
  link.name = "example";
  link.kind = "PCIe";
  link.bandwidth = 40_GBps;
  link.forward = Fraction(500'000);
  link.backward = Fraction(250'000);
  link.latency = 1_us;
  return link;
}

SystemSpec one_gpu() {
  SystemSpec system;
  system.name = "one";
  system.host = example_host(1);
  system.gpus.push_back({"gpu0", example_gpu()});
  system.links.push_back({{NodeKind::socket, 0}, {NodeKind::gpu, 0}, example_link()});
  return system;
}

SystemSpec eight_gpus() {
  SystemSpec system;
  system.name = "eight";
  system.host = example_host(2);
  for (std::uint32_t i = 0; i < 8; ++i) {
    system.gpus.push_back({"gpu" + std::to_string(i), example_gpu()});
  }
  for (std::uint32_t i = 0; i < 4; ++i)
    system.switches.push_back("pcie[" + std::to_string(i) + "]");
  system.switches.emplace_back("nvswitch");
  for (std::uint32_t i = 0; i < 4; ++i) {
    system.links.push_back({{NodeKind::socket, i / 2}, {NodeKind::fabric, i}, example_link()});
  }
  for (std::uint32_t i = 0; i < 8; ++i) {
    system.links.push_back({{NodeKind::fabric, i / 2}, {NodeKind::gpu, i}, example_link()});
  }
  LinkSpec nvlink = example_link();
  nvlink.bandwidth = 100_GBps;
  nvlink.forward = nvlink.backward = Fraction(parts_per_million);
  for (std::uint32_t i = 0; i < 8; ++i) {
    system.links.push_back({{NodeKind::gpu, i}, {NodeKind::fabric, 4}, nvlink});
  }
  return system;
}

}  // namespace memsim::models
