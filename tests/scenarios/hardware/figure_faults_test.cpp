// Figures that cannot be, hardly are, or contradict each other.
#include "tests/scenarios/hardware/hardware_folder.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {

TEST_CASE("a link that PCIe cannot carry is refused with the figure it may be (E133)") {
  const auto pcie = [](std::string_view generation, std::string_view lanes,
                       std::string_view bandwidth) {
    return part_faults("link/x.toml", "schema = \"memsim.link/1\"\nkind = \"PCIe\"\ngeneration = " +
                                          std::string(generation) +
                                          "\nlanes = " + std::string(lanes) + "\nbandwidth = \"" +
                                          std::string(bandwidth) + "\"\n");
  };
  CHECK(pcie("4", "16", "64 GB/s") ==
        "error[E133]: PCIe gen4 x16 cannot reach 64 GB/s in one direction\n"
        "  --> @/hardware/link/x.toml:5:13\n"
        "   |\n"
        " 5 | bandwidth = \"64 GB/s\"\n"
        "   |             ^^^^^^^^^ limit 31.508 GB/s; measured cards give 24-27\n"
        "   |\n"
        "note: 64 GB/s is the figure of both directions together\n"
        "help: bandwidth = \"31.508 GB/s\" is nominal; what is reached goes to `achieved`\n"
        "\n"
        "1 error; nothing was simulated\n");
  CHECK(pcie("4", "16", "252 GB/s").find("note: the figure looks like Gb/s: 1 GB/s is 8 Gb/s\n") !=
        std::string::npos);
  CHECK(pcie("4", "16", "252 Gb/s").empty());
  CHECK(pcie("3", "8", "10 GB/s").find("^ limit 7.877 GB/s\n") != std::string::npos);
  CHECK(pcie("3", "8", "10 GB/s").find("note:") == std::string::npos);
  CHECK(pcie("5", "16", "63 GB/s").empty());
  CHECK(pcie("6", "16", "121 GB/s").empty());
  CHECK(pcie("8", "16", "1000 GB/s").empty());  // not a standard that memsim knows
  // Lanes not stated: 16 of them carry 31.508 GB/s.
  CHECK(pcie("4", "0", "64 GB/s").find("^ limit 31.508 GB/s\n") != std::string::npos);
  CHECK(pcie("4", "0", "31.5 GB/s").empty());
  CHECK(brief(part_faults(
            "link/x.toml",
            "schema = \"memsim.link/1\"\nkind = \"NVLink\"\ngeneration = 3\nlanes = 12\n"
            "bandwidth = \"600 GB/s\"\n")) ==
        "error[E133]: NVLink gen3 x12 cannot reach 600 GB/s in one direction| limit 300 GB/s");
}

TEST_CASE("a NIC beyond the port of its InfiniBand generation is refused (E133)") {
  const auto nic = [](std::string_view generation, std::string_view rate) {
    return part_faults("nic/x.toml",
                       "schema = \"memsim.nic/1\"\nkind = \"InfiniBand\"\ngeneration = \"" +
                           std::string(generation) + "\"\nrate = \"" + std::string(rate) + "\"\n");
  };
  CHECK(nic("HDR", "200 GB/s") ==
        "error[E133]: a port of InfiniBand HDR cannot reach 200 GB/s in one direction\n"
        "  --> @/hardware/nic/x.toml:4:8\n"
        "   |\n"
        " 4 | rate = \"200 GB/s\"\n"
        "   |        ^^^^^^^^^^ limit 25 GB/s, which is 200 Gb/s\n"
        "   |\n"
        "note: the figure looks like Gb/s: 1 GB/s is 8 Gb/s\n"
        "\n"
        "1 error; nothing was simulated\n");
  CHECK(nic("HDR", "400 Gb/s").find("is the figure of both directions together\n") !=
        std::string::npos);
  CHECK(nic("NDR", "400 Gb/s").empty());
  CHECK(nic("YDR", "800 Gb/s").empty());
}

TEST_CASE("a channel that its DDR grade cannot carry is refused (E133)") {
  const auto host = [](std::string_view kind, std::string_view bandwidth) {
    return part_faults("host/x.toml",
                       "schema = \"memsim.host/1\"\n[[socket]]\ncores = 1\n[[socket.numa]]\n"
                       "memory.kind = \"" +
                           std::string(kind) +
                           "\"\nmemory.channels = 2\nmemory.channel_bandwidth = \"" +
                           std::string(bandwidth) + "\"\nmemory.capacity = \"64 GB\"\n");
  };
  CHECK(brief(host("DDR5-4800", "76.8 GB/s")) ==
        "error[E133]: one channel of DDR5-4800 cannot reach 76.8 GB/s| limit 38.4 GB/s");
  CHECK(host("DDR5-4800", "38.4 GB/s").empty());
  CHECK(host("DDR5", "76.8 GB/s").empty());
  CHECK(host("DDR5-fast", "76.8 GB/s").empty());
  CHECK(host("HBM-4800", "76.8 GB/s").empty());
}

TEST_CASE("figures that contradict each other are refused (E135)") {
  CHECK(
      brief(part_faults(
          "gpu/x.toml",
          "schema = \"memsim.gpu/1\"\ncompute.peak.fp32 = \"1 TFLOP/s\"\n[memory]\nkind = \"HBM\"\n"
          "capacity = \"40 GB\"\nusable = \"41 GiB\"\nbandwidth = \"1 TB/s\"\n")) ==
      "error[E135]: more memory is usable than there is| capacity is 40 GB");
  // 40 GB as sold are up to 40 GiB.
  CHECK(
      part_faults(
          "gpu/x.toml",
          "schema = \"memsim.gpu/1\"\ncompute.peak.fp32 = \"1 TFLOP/s\"\n[memory]\nkind = \"HBM\"\n"
          "capacity = \"40 GB\"\nusable = \"40 GiB\"\nbandwidth = \"1 TB/s\"\n")
          .empty());
  CHECK(brief(part_faults(
            "host/x.toml",
            "schema = \"memsim.host/1\"\n[[socket]]\ncores = 1\n[[socket.numa]]\nmemory = { kind = "
            "\"DDR\", channels = 1, channel_bandwidth = \"10 GB/s\", capacity = \"1 GB\", "
            "usable = \"2 GB\" }\n")) ==
        "error[E135]: more memory is usable than there is| capacity is 1 GB");
  CHECK(
      brief(part_faults("link/x.toml", std::string(small_link) + "duplex_total = \"64 GB/s\"\n")) ==
      "error[E135]: both directions together exceed twice one direction| expected at most 63 GB/s");
  CHECK(
      brief(part_faults("link/x.toml", std::string(small_link) +
                                           "[[efficiency]]\nsize = \"2 kB\"\nfraction = 0.1\n"
                                           "[[efficiency]]\nsize = \"2 kB\"\nfraction = 0.2\n")) ==
      "error[E135]: the points of `efficiency` are not in ascending order| expected a larger size "
      "than that of the point before");
}

TEST_CASE(
    "a per-GPU figure that looks like the node's is refused (E134), typed one asked about (W134)") {
  const HardwareFolder folder{{"gpu/g.toml", small_gpu},
                              {"host/h.toml", small_host},
                              {"link/l.toml", small_link},
                              {"system/s.toml",
                               "schema = \"memsim.system/1\"\nhost = \"h\"\n"
                               "gpu = [{ part = \"g\", count = 8, memory.capacity = \"640 GB\" }]\n"
                               "link = [{ from = \"socket0\", to = \"gpu[*]\", part = \"l\" }]\n"}};
  CHECK(folder.faults("s") ==
        "error[E134]: `capacity = \"640 GB\"` looks like a sum\n"
        "  --> @/hardware/system/s.toml:3:51\n"
        "   |\n"
        " 3 | gpu = [{ part = \"g\", count = 8, memory.capacity = \"640 GB\" }]\n"
        "   |                                                   ^^^^^^^^\n"
        "   | 8 GPUs of 80 GB have as much together\n"
        "   |\n"
        "note: a file of a machine that is not built says imaginary = true\n"
        "help: the figure of one GPU is meant: capacity = \"80 GB\"?\n"
        "\n"
        "1 error; nothing was simulated\n");
  CHECK(folder.faults("s", {"gpu.memory.capacity=80 GB", "gpu.memory.bandwidth=16 TB/s"})
            .starts_with("warning[W134]: `bandwidth = \"16 TB/s\"` looks like a sum\n"));
  CHECK(folder.faults("g", {"memory.capacity=640 GB"}).starts_with("warning[W134]"));
}

TEST_CASE("figures of an imaginary part are meant, where it is placed and by its heirs too") {
  const HardwareFolder folder{
      {"gpu/g.toml", "imaginary = true\n" + std::string(small_gpu) + "l2.size = \"8 GB\"\n"},
      {"gpu/heir.toml",
       "schema = \"memsim.gpu/1\"\ninherits = \"g\"\nmemory.capacity = \"640 GB\"\n"},
      {"gpu/real.toml", std::string(small_gpu) + "l2.size = \"8 GB\"\n"},
      {"host/h.toml", small_host},
      {"link/l.toml", small_link},
      {"system/s.toml", small_system},
      {"system/both.toml",
       "schema = \"memsim.system/1\"\nhost = \"h\"\n"
       "gpu = [{ part = \"heir\" }, { id = \"b\", part = \"real\" }]\n"
       "link = [{ from = \"socket0\", to = \"gpu0\", part = \"l\" },\n"
       "        { from = \"socket0\", to = \"b0\", part = \"l\" }]\n"}};
  CHECK(folder.faults("g").empty());
  CHECK(folder.faults("heir").empty());
  CHECK(folder.faults("s").empty());
  // What is impossible stays so, and what does exist is asked about beside it.
  CHECK(folder.faults("heir", {"memory.capacity=2 PB"}).starts_with("error[E124]"));
  const std::string both = folder.faults("both");
  CHECK(both.find("gpu/real.toml:4:11\n") != std::string::npos);
  CHECK(both.ends_with("\n1 warning\n"));
}

TEST_CASE("every figure of a part has a range that is usual (W135), imaginary machines can be") {
  struct Case {
    const char* part;
    const char* figure;
  };
  // A unit too far, as people type it: GB for MB, ms for us, Gb for GB.
  for (const auto& [part, figure] : {Case{"g", "memory.capacity=900 MB"},
                                     Case{"g", "memory.capacity=10 TB"},
                                     Case{"g", "memory.bandwidth=1555 MB/s"},
                                     Case{"g", "memory.page=2 KiB"},
                                     Case{"g", "memory.achieved.read=0.01"},
                                     Case{"g", "l2.size=40 KiB"},
                                     Case{"g", "l2.bandwidth=5 GB/s"},
                                     Case{"g", "compute.peak.fp32=19.5 GFLOP/s"},
                                     Case{"g", "compute.peak.fp64=20 PFLOP/s"},
                                     Case{"g", "compute.peak.bf16=312 GFLOP/s"},
                                     Case{"g", "compute.peak.int8=624 GOP/s"},
                                     Case{"g", "compute.efficiency.gemm.bf16=0.01"},
                                     Case{"g", "compute.start.gemm=4 ms"},
                                     Case{"g", "compute.launch=2.4 ms"},
                                     Case{"g", "copy.engines.host_to_device=40"},
                                     Case{"g", "driver.context=480 kB"},
                                     Case{"g", "driver.granularity=2 KiB"},
                                     Case{"g", "driver.malloc=60 ms"},
                                     Case{"g", "driver.free=90 ns"},
                                     Case{"g", "driver.map=25 ms"},
                                     Case{"g", "driver.unmap=25 ms"},
                                     Case{"g", "libraries.cublas_workspace=8 GB"},
                                     Case{"g", "libraries.nccl.channels=100"},
                                     Case{"g", "libraries.nccl.buffer=4 GB"},
                                     Case{"g", "managed.block=1 GiB"},
                                     Case{"g", "managed.fault_batch.count=9999"},
                                     Case{"g", "managed.fault_batch.latency=20 ns"},
                                     Case{"h", "socket.numa.memory.channels=100"},
                                     Case{"h", "socket.numa.memory.channel_bandwidth=38.4 MB/s"},
                                     Case{"h", "socket.numa.memory.capacity=64 MB"},
                                     Case{"h", "socket.numa.memory.latency=95 us"},
                                     Case{"h", "socket.numa.memory.achieved.write=0.01"},
                                     Case{"h", "socket.numa.memcpy=11 MB/s"},
                                     Case{"h", "socket.cores=1000"},
                                     Case{"h", "inter_socket.bandwidth=60 MB/s"},
                                     Case{"h", "inter_socket.latency=60 us"},
                                     Case{"l", "generation=10"},
                                     Case{"l", "bandwidth=31.5 MB/s"},
                                     Case{"l", "bandwidth=31.5 Gb/s"},
                                     Case{"l", "achieved.forward=0.01"},
                                     Case{"l", "latency=1 ms"},
                                     Case{"l", "overhead=2 ms"},
                                     Case{"s", "gpu.count=100"}}) {
    INFO(figure);
    const HardwareFolder folder{
        {"gpu/g.toml", small_gpu},
        {"host/h.toml", small_host},
        {"link/l.toml", small_link},
        {"system/s.toml",
         "schema = \"memsim.system/1\"\nhost = \"h\"\n"
         "gpu = [{ part = \"g\" }]\n"
         "link = [{ from = \"socket0\", to = \"gpu[*]\", part = \"l\" }]\n"}};
    CHECK(folder.faults(part).empty());
    const std::string said = folder.faults(part, {figure});
    INFO(said);
    CHECK(said.find("warning[W135]") != std::string::npos);
    CHECK(said.find("error") == std::string::npos);
  }
}

TEST_CASE("what no machine can have is an error (E124)") {
  const HardwareFolder folder{
      {"gpu/g.toml", small_gpu}, {"host/h.toml", small_host}, {"link/l.toml", small_link}};
  const auto refused = [&](const std::string& part, const std::string& figure) {
    INFO(figure);
    CHECK(folder.faults(part, {figure}).starts_with("error[E124]"));
  };
  refused("g", "memory.capacity=2 PB");
  refused("g", "memory.bandwidth=2 PB/s");
  refused("g", "memory.bandwidth=155 kB/s");
  refused("g", "memory.achieved=93");
  refused("g", "compute.peak.fp32=19.5 MFLOP/s");
  refused("g", "compute.launch=2.4 s");
  refused("g", "driver.malloc=2 min");
  refused("h", "socket.numa.memory.latency=95 ms");
  refused("h", "socket.numa.memory.channel_bandwidth=2 TB/s");
  refused("l", "bandwidth=200 TB/s");
  refused("l", "latency=2 s");
}

TEST_CASE("a link far below its standard is asked about (W135)") {
  const HardwareFolder folder{{"link/l.toml", small_link}};
  CHECK(brief(folder.faults("l", {"bandwidth=31.5 Gb/s"})) ==
        "warning[W135]: 3.938 GB/s of PCIe gen4 x16 is unlikely| it carries 31.508 GB/s");
  CHECK(folder.faults("l", {"bandwidth=31.5 Gb/s"}).find("help: B is a byte, b is a bit\n") !=
        std::string::npos);
  // Half or a quarter of the lanes are common.
  CHECK(folder.faults("l", {"bandwidth=8 GB/s"}).empty());
  // One warning for one figure.
  CHECK(folder.faults("l", {"bandwidth=31.5 MB/s"}).ends_with("\n1 warning\n"));
}

TEST_CASE("the driver's context and other tenants leave something (E135)") {
  const HardwareFolder folder{{"gpu/g.toml", small_gpu},
                              {"host/h.toml", small_host},
                              {"link/l.toml", small_link},
                              {"system/s.toml", small_system}};
  CHECK(
      brief(folder.faults("g", {"driver.context=40 GB"})) ==
      "error[E135]: the driver's context takes all of the memory| context is 40 GB, usable 40 GB");
  // Marked where it was changed.
  CHECK(folder.faults("g", {"memory.usable=400 MB"}).find("--> --set:1:15\n") != std::string::npos);
  CHECK(folder.faults("g", {"memory.capacity=400 MB"}).find("--> --set:1:17\n") !=
        std::string::npos);
  CHECK(brief(folder.faults("s", {"other_tenants.memory=64 GiB"})) ==
        "error[E135]: other tenants hold all of the host's memory| 64 GiB are usable");
  CHECK(folder.faults("s", {"other_tenants.memory=63 GiB"}).empty());
}

TEST_CASE("a shorthand that is wrong for several keys is one error") {
  const std::string said =
      part_faults("gpu/x.toml", std::string(small_gpu) + "compute.efficiency.gemm = 75\n");
  CHECK(brief(said) == "error[E124]: `gemm = 75` is out of range| expected 0.001 to 1");
  CHECK(said.ends_with("\n1 error; nothing was simulated\n"));
}

}  // namespace memsim::scenarios
