// Every fault of hardware files, word by word.
#include <sstream>

#include "scenarios/schema/override.hpp"
#include "tests/scenarios/hardware/hardware_folder.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

// The diagnostics of a system file beside the small parts.
std::string system_faults(const std::string& text) {
  const HardwareFolder folder{
      {"gpu/g.toml", small_gpu},
      {"host/h.toml", small_host},
      {"link/l.toml", small_link},
      {"system/s.toml", "schema = \"memsim.system/1\"\nhost = \"h\"\n" + text}};
  return folder.faults("s");
}

std::string part_faults(const std::string& path, const std::string& text) {
  const HardwareFolder folder{{path, text}};
  return folder.faults(folder.path(path));
}

// Message and label of the first error, else of the first warning.
std::string brief(const std::string& diagnostics) {
  const std::size_t error = diagnostics.find("error[");
  std::istringstream lines(diagnostics.substr(error == std::string::npos ? 0 : error));
  std::string message;
  std::string label;
  bool below = false;  // the carets
  for (std::string line;
       std::getline(lines, line) && !line.empty() && !(below && line == "   |");) {
    const std::size_t caret = line.rfind('^');
    if (caret != std::string::npos) {
      below = true;
      if (caret + 1 < line.size()) label = line.substr(caret + 2);
    } else if (below) {
      label += (label.empty() ? "" : " ") + line.substr(5);
    } else if (message.empty()) {
      message = line;
    } else if (line.starts_with("  ") && line.find("-->") == std::string::npos &&
               line.find('|') == std::string::npos) {
      message += " " + line.substr(2);
    }
  }
  return message + "| " + label;
}

const std::string one_gpu = "gpu = [{ part = \"g\" }]\n";
const std::string one_link = "link = [{ from = \"socket0\", to = \"gpu0\", part = \"l\" }]\n";

}  // namespace

TEST_CASE("a name that is nowhere lists what there is (E101)") {
  const HardwareFolder folder{{"gpu/t4.toml", small_gpu}, {"system/a100.toml", small_system}};
  CHECK(folder.faults("a10O") ==
        "error[E101]: no hardware `a10O`: neither a file nor in the catalogue\n"
        "  --> command line:1:1\n"
        "   |\n"
        " 1 | a10O\n"
        "   | ^^^^ did you mean `a100`?\n"
        "   |\n"
        "help: `memsim hw list` shows the catalogue\n"
        "\n"
        "1 error; nothing was simulated\n");
  CHECK(folder.faults("").starts_with("error[E101]: no hardware ``"));
  CHECK(folder.faults("../system/a100").starts_with("error[E101]"));
}

TEST_CASE("a part that is nowhere is reported beside the system's other faults (E101)") {
  CHECK(system_faults("gpu = [{ part = \"gg\", cuont = 2 }]\n" + one_link) ==
        "error[E101]: no gpu `gg`: neither a file nor in the catalogue\n"
        "  --> @/hardware/system/s.toml:3:17\n"
        "   |\n"
        " 3 | gpu = [{ part = \"gg\", cuont = 2 }]\n"
        "   |                 ^^^^\n"
        "   |\n"
        "help: the catalogue has g\n"
        "\n"
        "error[E104]: unknown key `cuont`\n"
        "  --> @/hardware/system/s.toml:3:23\n"
        "   |\n"
        " 3 | gpu = [{ part = \"gg\", cuont = 2 }]\n"
        "   |                       ^^^^^ not a key of [[gpu]]\n"
        "   |\n"
        "help: did you mean `count`?\n"
        "\n"
        "2 errors; nothing was simulated\n");
}

TEST_CASE("without any entry of a kind there is nothing to list (E101)") {
  const HardwareFolder folder{{"system/s.toml", small_system}};
  CHECK(folder.faults("s").find("error[E101]: no gpu `g`: there is no such file\n") !=
        std::string::npos);
  CHECK(folder.faults("s").find("help: the catalogue has none\n") != std::string::npos);
  Sources sources;
  Diagnostics diagnostics;
  CHECK_FALSE(load_entry(folder.catalogue(), HardwareKind::link, "l", sources, diagnostics));
  CHECK(diagnostics.text("") ==
        "error[E101]: no link `l`: there is no such file\n"
        "help: the catalogue has none\n\n1 error\n");
}

TEST_CASE("a file that cannot be read is reported (E101)") {
  const HardwareFolder folder{{"gpu/g.toml", small_gpu}};
  std::filesystem::permissions(folder.path("gpu/g.toml"), std::filesystem::perms::none);
  const std::string text = folder.faults("g");
  // Whoever may read everything reads it all the same.
  if (!text.empty())
    CHECK(
        text.starts_with("error[E101]: `"
                         "@/hardware/gpu/g.toml` cannot be read\n"));
}

TEST_CASE("a file says what it describes (E108)") {
  CHECK(part_faults("gpu/x.toml", "name = \"x\"\n") ==
        "error[E108]: the file does not say what it describes\n"
        "  --> @/hardware/gpu/x.toml:1:1\n"
        "   |\n"
        " 1 | name = \"x\"\n"
        "   | ^\n"
        "   | expected schema = \"memsim.system/1\", \"memsim.gpu/1\", \"memsim.host/1\",\n"
        "   | \"memsim.link/1\"\n"
        "\n"
        "1 error; nothing was simulated\n");
  CHECK(brief(part_faults("gpu/x.toml", "schema = \"memsim.gpu/9\"\n"))
            .starts_with("error[E108]: `\"memsim.gpu/9\"` is no schema that memsim reads|"));
  CHECK(brief(part_faults("gpu/x.toml", "schema = 1\n"))
            .starts_with("error[E108]: `1` is no schema that memsim reads|"));
}

TEST_CASE("a part of another kind is refused where it is named (E108)") {
  const HardwareFolder folder{{"host/h.toml", small_host},
                              {"gpu/g.toml", small_host},
                              {"link/l.toml", small_link},
                              {"system/s.toml", small_system}};
  CHECK(brief(folder.faults("s")) ==
        "error[E108]: @/hardware/gpu/g.toml is a host| expected a gpu");
}

TEST_CASE("inheritance does not go in circles (E111)") {
  const HardwareFolder folder{
      {"gpu/a.toml", "schema = \"memsim.gpu/1\"\ninherits = \"b\"\n"},
      {"gpu/b.toml", "schema = \"memsim.gpu/1\"\ninherits = \"a\"\n"},
      {"gpu/c.toml", "schema = \"memsim.gpu/1\"\ninherits = \"./c.toml\"\n"}};
  CHECK(
      brief(folder.faults("a")) ==
      "error[E111]: `inherits` goes in a circle: @/hardware/gpu/a.toml -> @/hardware/gpu/b.toml -> "
      "@/hardware/gpu/a.toml| inherits a file that inherits this one");
  CHECK(folder.faults("a").find("  --> @/hardware/gpu/b.toml:2:12\n") != std::string::npos);
  CHECK(folder.faults("a").ends_with("\n1 error; nothing was simulated\n"));
  CHECK(folder.faults("c").starts_with("error[E111]"));
  CHECK(brief(part_faults("gpu/x.toml", "schema = \"memsim.gpu/1\"\ninherits = 1\n")) ==
        "error[E106]: `inherits` has the wrong type| expected a string, found integer");
  CHECK(brief(part_faults("gpu/x.toml", "schema = \"memsim.gpu/1\"\ninherits = \"y\"\n"))
            .starts_with("error[E101]: no gpu `y`: neither a file nor in the catalogue|"));
}

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
  CHECK(pcie("4", "0", "64 GB/s").empty());     // lanes not stated
  CHECK(brief(part_faults(
            "link/x.toml",
            "schema = \"memsim.link/1\"\nkind = \"NVLink\"\ngeneration = 3\nlanes = 12\n"
            "bandwidth = \"600 GB/s\"\n")) ==
        "error[E133]: NVLink gen3 x12 cannot reach 600 GB/s in one direction| limit 300 GB/s");
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

TEST_CASE("sockets need something between them (E105)") {
  const std::string socket =
      "[[socket]]\ncores = 1\n[[socket.numa]]\nmemory = { kind = \"DDR\", channels = 1, "
      "channel_bandwidth = \"10 GB/s\", capacity = \"1 GB\" }\n";
  const std::string two = "schema = \"memsim.host/1\"\n" + socket + socket;
  CHECK(part_faults("host/x.toml", two)
            .starts_with("error[E105]: `inter_socket.bandwidth` is missing\n"));
  CHECK(part_faults("host/x.toml", two + "[inter_socket]\nlatency = \"1 us\"\n")
            .starts_with("error[E105]: `inter_socket.bandwidth` is missing\n"));
  CHECK(part_faults("host/x.toml", two + "[inter_socket]\nbandwidth = \"10 GB/s\"\n").empty());
}

TEST_CASE("lists that need an entry are not empty (E105)") {
  CHECK(system_faults("gpu = []\n" + one_link).starts_with("error[E105]: `gpu` is missing\n"));
  CHECK(system_faults(one_gpu).starts_with("error[E105]: `link` is missing\n"));
  CHECK(system_faults(one_gpu).find("help: add [link]: what joins its nodes\n") !=
        std::string::npos);
}

TEST_CASE("a link to nothing lists the nodes that there are (E140)") {
  CHECK(system_faults(one_gpu +
                      "switch = [{ id = \"pcie\", count = 4 }]\n"
                      "link = [{ from = \"pcie3\", to = \"switch1\", part = \"l\" }]\n") ==
        "error[E140]: link `l` ends at undefined node `switch1`\n"
        "  --> @/hardware/system/s.toml:5:32\n"
        "   |\n"
        " 5 | link = [{ from = \"pcie3\", to = \"switch1\", part = \"l\" }]\n"
        "   |                                ^^^^^^^^^\n"
        "   | defined nodes: socket0, numa0, gpu0, pcie[0..3]\n"
        "\n"
        "1 error; nothing was simulated\n");
  CHECK(brief(system_faults(one_gpu +
                            "link = [{ from = \"gpu1\", to = \"gpu0\", part = \"l\" }]\n")) ==
        "error[E140]: link `l` ends at undefined node `gpu1`| defined nodes: socket0, numa0, gpu0");
  CHECK(brief(system_faults("gpu = [{ part = \"g\", count = 8 }]\nlink = [{ from = \"socket0\", to "
                            "= \"gpu[4..8]\", kind = "
                            "\"x\", bandwidth = \"1 GB/s\" }]\n")) ==
        "error[E140]: link ends at undefined node `gpu[4..8]`| defined nodes: socket0, numa0, "
        "gpu0..gpu7");
  CHECK(brief(system_faults(one_gpu + "link = [{ from = \"0\", to = \"gpu0\", part = \"l\" }]\n"))
            .starts_with("error[E140]"));
}

TEST_CASE("GPUs and switches that no link reaches are named (E141)") {
  CHECK(system_faults("gpu = [{ part = \"g\", count = 3 }]\n" + one_link) ==
        "error[E141]: no link reaches gpu1, gpu2\n"
        "  --> @/hardware/system/s.toml:3:17\n"
        "   |\n"
        " 3 | gpu = [{ part = \"g\", count = 3 }]\n"
        "   |                 ^^^ expected a way from a socket\n"
        "\n"
        "1 error; nothing was simulated\n");
  CHECK(brief(system_faults(one_gpu + "switch = [{ id = \"pcie\" }]\n" + one_link)) ==
        "error[E141]: no link reaches pcie| expected a way from a socket");
  // GPUs forward nothing: a GPU behind another one is not reached.
  CHECK(
      brief(system_faults(
                "gpu = [{ part = \"g\", count = 2 }]\nlink = [{ from = \"socket0\", to = \"gpu0\", "
                "part = \"l\" }, { from = \"gpu0\", to = \"gpu1\", part = \"l\" }]\n"))
          .starts_with("error[E141]: no link reaches gpu1|"));
}

TEST_CASE("ids are words, and each is given once (E142)") {
  CHECK(brief(system_faults("gpu = [{ part = \"g\" }, { id = \"gpu\", part = \"g\" }]\n" +
                            one_link)) ==
        "error[E142]: id `gpu` is taken| names of nodes: socket0, numa0, gpu0");
  CHECK(brief(system_faults(one_gpu + "switch = [{ id = \"socket\" }]\n" + one_link))
            .starts_with("error[E142]: id `socket` is taken|"));
  CHECK(brief(system_faults(one_gpu + "switch = [{ id = \"a[0]\" }]\n" + one_link)) ==
        "error[E142]: `a[0]` is no id| expected a word without brackets and dots");
  CHECK(brief(system_faults("gpu = [{ id = \"\", part = \"g\" }]\n" + one_link))
            .starts_with("error[E142]: `` is no id|"));
}

TEST_CASE("references that do not say which node are refused (E143)") {
  const std::string switches = one_gpu + "switch = [{ id = \"pcie\", count = 4 }]\n";
  const auto to = [&](const std::string& pattern) {
    return brief(system_faults(switches + "link = [{ from = \"socket0\", to = \"" + pattern +
                               "\", part = \"l\" }]\n"));
  };
  CHECK(to("pcie") ==
        "error[E143]: `pcie` names several nodes| write pcie[0], pcie[0..1] or pcie[*]");
  for (const char* pattern :
       {"pcie[", "pcie[]", "pcie[x]", "pcie[2..1]", "pcie[-1]", "pcie[0..]", "pcie[99999999999]"}) {
    CHECK(to(pattern) == "error[E143]: `" + std::string(pattern) +
                             "` names no node| expected NAME, NAME[0], NAME[0..3] or NAME[*]");
  }
  CHECK(
      to("socket0") ==
      "error[E143]: link `l` joins a node with itself| expected a node that `from` does not name");
}

TEST_CASE("links do not multiply beyond measure (E124)") {
  CHECK(brief(system_faults(
            "gpu = [{ part = \"g\", count = 4096 }]\nswitch = [{ id = \"s\", count = 4096 }]\n"
            "link = [{ from = \"s[*]\", to = \"gpu[*]\", part = \"l\" }]\n")) ==
        "error[E124]: link `l` stands for 16777216 links| a system has at most 65536");
}

TEST_CASE("a per-GPU figure that looks like the node's is a warning (W134)") {
  const HardwareFolder folder{{"gpu/g.toml", small_gpu},
                              {"host/h.toml", small_host},
                              {"link/l.toml", small_link},
                              {"system/s.toml",
                               "schema = \"memsim.system/1\"\nhost = \"h\"\n"
                               "gpu = [{ part = \"g\", count = 8, memory.capacity = \"640 GB\" }]\n"
                               "link = [{ from = \"socket0\", to = \"gpu[*]\", part = \"l\" }]\n"}};
  CHECK(folder.faults("s") ==
        "warning[W134]: `capacity = \"640 GB\"` looks like a sum\n"
        "  --> @/hardware/system/s.toml:3:51\n"
        "   |\n"
        " 3 | gpu = [{ part = \"g\", count = 8, memory.capacity = \"640 GB\" }]\n"
        "   |                                                   ^^^^^^^^\n"
        "   | 8 GPUs of 80 GB have as much together\n"
        "   |\n"
        "help: the figure of one GPU is meant: capacity = \"80 GB\"?\n"
        "\n"
        "1 warning\n");
  CHECK(folder.faults("s", {"gpu.memory.capacity=80 GB", "gpu.memory.bandwidth=16 TB/s"})
            .starts_with("warning[W134]: `bandwidth = \"16 TB/s\"` looks like a sum\n"));
  CHECK(folder.faults("g", {"memory.capacity=640 GB"}).starts_with("warning[W134]"));
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

TEST_CASE("what is usable follows the capacity it was stated for") {
  const HardwareFolder folder{
      {"gpu/g.toml",
       "schema = \"memsim.gpu/1\"\ncompute.peak.fp32 = \"19.5 TFLOP/s\"\n[memory]\nkind = "
       "\"HBM2\"\n"
       "capacity = \"40 GB\"\nusable = \"38 GB\"\nbandwidth = \"1555 GB/s\"\n"},
      {"gpu/heir.toml",
       "schema = \"memsim.gpu/1\"\ninherits = \"g\"\nmemory.capacity = \"80 GB\"\n"},
      {"host/h.toml", small_host},
      {"link/l.toml", small_link},
      {"system/s.toml", small_system},
      {"system/own.toml",
       "schema = \"memsim.system/1\"\ninherits = \"s\"\n"
       "gpu = [{ part = \"g\", memory.usable = \"30 GB\" }]\n"}};
  const auto usable = [&](const std::string& system, const std::vector<std::string>& typed) {
    Sources sources;
    Diagnostics diagnostics;
    std::vector<Node> overrides;
    for (const std::string& text : typed)
      overrides.push_back(parse_override(text, sources, diagnostics).value());
    const auto loaded = load_system(folder.catalogue(), system, overrides, sources, diagnostics);
    REQUIRE(loaded.has_value());
    return loaded->spec.gpus[0].part.memory.usable.value() / 1'000'000'000;
  };
  CHECK(usable("s", {}) == 38);
  CHECK(usable("s", {"gpu.memory.capacity=80 GB"}) == 76);
  CHECK(usable("s", {"gpu[0].memory.capacity=80 GB"}) == 76);
  CHECK(usable("s", {"gpu.memory.capacity=80 GB", "gpu.memory.usable=70 GB"}) == 70);
  CHECK(usable("s", {"gpu.memory.usable=70 GB", "gpu.memory.capacity=80 GB"}) == 70);
  CHECK(usable("s", {"gpu.memory.usable=20 GB"}) == 20);
  CHECK(usable("s", {"gpu.part=heir"}) == 76);
  // The system stated 30 GB for the part's 40 GB.
  CHECK(usable("own", {"gpu.memory.capacity=80 GB"}) == 60);
  CHECK(brief(folder.faults("s", {"gpu.memory.usable=80 GB"})) ==
        "error[E135]: more memory is usable than there is| capacity is 40 GB");
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

TEST_CASE("overrides name parts as they are shown, and only those that there are") {
  const HardwareFolder folder{{"gpu/g.toml", small_gpu},
                              {"host/h.toml", small_host},
                              {"link/l.toml", small_link},
                              {"system/s.toml", small_system}};
  CHECK(folder.faults("s", {"host.socket[0].numa[0].memory.usable=32 GiB"}).empty());
  CHECK(folder.faults("s", {"link[0].achieved=0.5"}).empty());
  CHECK(folder.faults("s", {"gpu[1].memory.usable=30 GB"}) ==
        "error[E104]: unknown key `gpu[1]`\n"
        "  --> --set:1:1\n"
        "   |\n"
        " 1 | gpu[1].memory.usable=30 GB\n"
        "   | ^^^^^^ there is gpu[0] alone\n"
        "   |\n"
        "help: `gpu` without an index means all of them\n"
        "\n"
        "1 error; nothing was simulated\n");
  CHECK(brief(folder.faults("s", {"memory[0].usable=30 GB"})) ==
        "error[E104]: unknown key `memory[0]`| not a key of a system file");
}

TEST_CASE("a part named by something that is no name is one error (E106)") {
  CHECK(system_faults("gpu = [{ part = 5 }]\n" + one_link)
            .ends_with("\n1 error; nothing was simulated\n"));
  CHECK(
      brief(system_faults("gpu = [{ part = 5 }]\n" + one_link)) ==
      "error[E106]: `part` has the wrong type| expected a string, found integer: put it in quotes");
}

TEST_CASE("a shorthand that is wrong for several keys is one error") {
  const std::string said =
      part_faults("gpu/x.toml", std::string(small_gpu) + "compute.efficiency.gemm = 75\n");
  CHECK(brief(said) == "error[E124]: `gemm = 75` is out of range| expected 0.001 to 1");
  CHECK(said.ends_with("\n1 error; nothing was simulated\n"));
}

TEST_CASE("inheritance goes only so deep (E111)") {
  const HardwareFolder folder{};
  for (int i = 0; i < 100; ++i) {
    folder.write("gpu/g" + std::to_string(i) + ".toml",
                 "schema = \"memsim.gpu/1\"\ninherits = \"g" + std::to_string(i + 1) + "\"\n");
  }
  CHECK(
      brief(folder.faults("g0")) ==
      "error[E111]: `inherits` goes too deep| expected at most 64 files, each inheriting the next");
}

TEST_CASE("faults of several files, and beside lines that are no TOML, come in one run") {
  const HardwareFolder folder{
      {"gpu/g.toml", std::string(small_gpu) + "speed = fast\nl2.size = 4\n"},
      {"host/h.toml", std::string(small_host) + "memory = 1\n"},
      {"link/l.toml", std::string(small_link) + "lanse = 8\n"},
      {"system/s.toml", small_system + std::string("nmae = \"x\"\n")}};
  const std::string said = folder.faults("s");
  for (const char* place : {"system/s.toml:5:1", "gpu/g.toml:4:11", "gpu/g.toml:5:11",
                            "host/h.toml:6:1", "link/l.toml:6:1"}) {
    INFO(said);
    CHECK(said.find(std::string("--> @/hardware/") + place + "\n") != std::string::npos);
  }
  CHECK(said.ends_with("\n5 errors; nothing was simulated\n"));
}

TEST_CASE("faults of a part are reported once, in its own file, however often it is placed") {
  const HardwareFolder folder{{"gpu/g.toml", std::string(small_gpu) + "speed = 1\n"},
                              {"host/h.toml", small_host},
                              {"link/l.toml", small_link},
                              {"system/s.toml",
                               "schema = \"memsim.system/1\"\nhost = \"h\"\n"
                               "gpu = [{ part = \"g\" }, { id = \"b\", part = \"g\" }]\n"
                               "link = [{ from = \"socket0\", to = \"gpu0\", part = \"l\" },\n"
                               "        { from = \"socket0\", to = \"b0\", part = \"l\" }]\n"}};
  const std::string text = folder.faults("s");
  CHECK(text.find("  --> @/hardware/gpu/g.toml:4:1\n") != std::string::npos);
  CHECK(text.ends_with("\n1 error; nothing was simulated\n"));
}

TEST_CASE("overrides of a system are checked like its file") {
  const HardwareFolder folder{{"gpu/g.toml", small_gpu},
                              {"host/h.toml", small_host},
                              {"link/l.toml", small_link},
                              {"system/s.toml", small_system}};
  CHECK(folder.faults("s", {"gpu.memry.usable=30 GB"}) ==
        "error[E104]: unknown key `memry`\n"
        "  --> --set:1:5\n"
        "   |\n"
        " 1 | gpu.memry.usable=30 GB\n"
        "   |     ^^^^^ not a key of [[gpu]]\n"
        "   |\n"
        "help: did you mean `memory`?\n"
        "\n"
        "1 error; nothing was simulated\n");
}

}  // namespace memsim::scenarios
