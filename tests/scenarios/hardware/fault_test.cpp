// Every fault of hardware files, word by word.
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

// First line and label.
std::string brief(const std::string& diagnostics) {
  const std::size_t caret = diagnostics.find('^');
  const std::size_t label = diagnostics.find_first_not_of('^', caret);
  return diagnostics.substr(0, diagnostics.find('\n')) + "|" +
         diagnostics.substr(label, diagnostics.find('\n', label) - label);
}

const std::string one_gpu = "gpu = [{ part = \"g\" }]\n";
const std::string one_link = "link = [{ from = \"socket0\", to = \"gpu0\", part = \"l\" }]\n";

}  // namespace

TEST_CASE("a name that is nowhere lists what there is (E101)") {
  const HardwareFolder folder{{"gpu/t4.toml", small_gpu}, {"system/a100.toml", small_system}};
  CHECK(folder.faults("a10O") ==
        "error[E101]: no hardware `a10O`: neither a file nor in the catalogue\n"
        "  did you mean `a100`?\n"
        "help: `memsim hw list` shows the catalogue\n"
        "\n"
        "1 error; nothing was simulated\n");
  CHECK(folder.faults("").starts_with("error[E101]: no hardware ``"));
  CHECK(folder.faults("../system/a100").starts_with("error[E101]"));
}

TEST_CASE("a part that is nowhere is reported beside the system's other faults (E101)") {
  CHECK(system_faults("gpu = [{ part = \"gg\", cuont = 2 }]\n" + one_link) ==
        "error[E101]: no gpu `gg`: neither a file nor in the catalogue\n"
        "  --> system/s.toml:3:17\n"
        "   |\n"
        " 3 | gpu = [{ part = \"gg\", cuont = 2 }]\n"
        "   |                 ^^^^\n"
        "   |\n"
        "help: the catalogue has g\n"
        "\n"
        "error[E104]: unknown key `cuont`\n"
        "  --> system/s.toml:3:23\n"
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
  CHECK(folder.faults("s").find("error[E101]: no gpu `g`: neither a file nor in the catalogue\n") !=
        std::string::npos);
  CHECK(folder.faults("s").find("help: the catalogue has none\n") != std::string::npos);
  Sources sources;
  Diagnostics diagnostics;
  CHECK_FALSE(load_entry(folder.catalogue(), HardwareKind::link, "l", sources, diagnostics));
  CHECK(diagnostics.text("") ==
        "error[E101]: no link `l`: neither a file nor in the catalogue\n"
        "help: the catalogue has none\n\n1 error\n");
}

TEST_CASE("a file that cannot be read is reported (E101)") {
  const HardwareFolder folder{{"gpu/g.toml", small_gpu}};
  std::filesystem::permissions(folder.path("gpu/g.toml"), std::filesystem::perms::none);
  const std::string text = folder.faults("g");
  // Whoever may read everything reads it all the same.
  if (!text.empty()) CHECK(text.starts_with("error[E101]: gpu/g.toml cannot be read\n"));
}

TEST_CASE("a file says what it describes (E108)") {
  CHECK(part_faults("gpu/x.toml", "name = \"x\"\n") ==
        "error[E108]: the file does not say what it describes\n"
        "  --> @/hardware/gpu/x.toml:1:1\n"
        "   |\n"
        " 1 | name = \"x\"\n"
        "   | ^ expected schema = \"memsim.system/1\", \"memsim.gpu/1\", \"memsim.host/1\", "
        "\"memsim.link/1\"\n"
        "\n"
        "1 error; nothing was simulated\n");
  CHECK(brief(part_faults("gpu/x.toml", "schema = \"memsim.gpu/9\"\n"))
            .starts_with("error[E108]: \"memsim.gpu/9\" is no schema that memsim reads|"));
  CHECK(brief(part_faults("gpu/x.toml", "schema = 1\n"))
            .starts_with("error[E108]: 1 is no schema that memsim reads|"));
}

TEST_CASE("a part of another kind is refused where it is named (E108)") {
  const HardwareFolder folder{{"host/h.toml", small_host},
                              {"gpu/g.toml", small_host},
                              {"link/l.toml", small_link},
                              {"system/s.toml", small_system}};
  CHECK(brief(folder.faults("s")) == "error[E108]: gpu/g.toml is a host| expected a gpu");
}

TEST_CASE("inheritance does not go in circles (E111)") {
  const HardwareFolder folder{
      {"gpu/a.toml", "schema = \"memsim.gpu/1\"\ninherits = \"b\"\n"},
      {"gpu/b.toml", "schema = \"memsim.gpu/1\"\ninherits = \"a\"\n"},
      {"gpu/c.toml", "schema = \"memsim.gpu/1\"\ninherits = \"./c.toml\"\n"}};
  CHECK(folder.faults("a") ==
        "error[E111]: `inherits` goes in a circle: gpu/a.toml -> gpu/b.toml -> gpu/a.toml\n"
        "  --> gpu/b.toml:2:12\n"
        "   |\n"
        " 2 | inherits = \"a\"\n"
        "   |            ^^^ inherits a file that inherits this one\n"
        "\n"
        "1 error; nothing was simulated\n");
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
        "error[E133]: PCIe gen4 x16 cannot reach \"64 GB/s\" in one direction\n"
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
  CHECK(pcie("9", "16", "1000 GB/s").empty());  // not a standard that memsim knows
  CHECK(pcie("4", "0", "64 GB/s").empty());     // lanes not stated
  CHECK(brief(part_faults(
            "link/x.toml",
            "schema = \"memsim.link/1\"\nkind = \"NVLink\"\ngeneration = 3\nlanes = 12\n"
            "bandwidth = \"600 GB/s\"\n")) ==
        "error[E133]: NVLink gen3 x12 cannot reach \"600 GB/s\" in one direction| limit 300 GB/s");
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
        "error[E133]: one channel of DDR5-4800 cannot reach \"76.8 GB/s\"| limit 38.4 GB/s");
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
            "\"DDR\", channels = 1, channel_bandwidth = \"1 GB/s\", capacity = \"1 GB\", "
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
      "channel_bandwidth = \"1 GB/s\", capacity = \"1 GB\" }\n";
  const std::string two = "schema = \"memsim.host/1\"\n" + socket + socket;
  CHECK(part_faults("host/x.toml", two)
            .starts_with("error[E105]: `inter_socket.bandwidth` is missing\n"));
  CHECK(part_faults("host/x.toml", two + "[inter_socket]\nlatency = \"1 us\"\n")
            .starts_with("error[E105]: `inter_socket.bandwidth` is missing\n"));
  CHECK(part_faults("host/x.toml", two + "[inter_socket]\nbandwidth = \"1 GB/s\"\n").empty());
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
        "  --> system/s.toml:5:32\n"
        "   |\n"
        " 5 | link = [{ from = \"pcie3\", to = \"switch1\", part = \"l\" }]\n"
        "   |                                ^^^^^^^^^ defined nodes: socket0, numa0, gpu0, "
        "pcie[0..3]\n"
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
        "  --> system/s.toml:3:17\n"
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
        "warning[W134]: capacity = \"640 GB\" is for each of 8 GPUs\n"
        "  --> system/s.toml:3:51\n"
        "   |\n"
        " 3 | gpu = [{ part = \"g\", count = 8, memory.capacity = \"640 GB\" }]\n"
        "   |                                                   ^^^^^^^^ no GPU has as much; 8 "
        "GPUs of 80 GB have\n"
        "   |\n"
        "help: capacity = \"80 GB\" if the figure is that of the node\n"
        "\n"
        "1 warning\n");
  CHECK(folder.faults("s", {"gpu.memory.capacity=80 GB", "gpu.memory.bandwidth=16 TB/s"})
            .starts_with("warning[W134]: bandwidth = 16 TB/s is for each of 8 GPUs\n"));
  // One GPU, or more than eight times the largest: nobody's sum.
  CHECK(folder.faults("s", {"gpu.count=1"}).empty());
  CHECK(folder.faults("s", {"gpu.memory.capacity=10 TB"}).empty());
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
  CHECK(text.find("  --> gpu/g.toml:4:1\n") != std::string::npos);
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
