// What a system says about its nodes and the links between them.
#include "tests/scenarios/hardware/hardware_folder.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

const std::string one_gpu = "gpu = [{ part = \"g\" }]\n";
const std::string one_link = "link = [{ from = \"socket0\", to = \"gpu0\", part = \"l\" }]\n";

}  // namespace

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

TEST_CASE("drives and NICs are reached by links of their own (E141)") {
  const std::string drive =
      "drive = [{ count = 2, kind = \"NVMe\", capacity = \"1 TB\", read = \"3 GB/s\", "
      "write = \"2 GB/s\" }]\n";
  const auto joined = [&](const std::string& to) {
    return system_faults(one_gpu + drive +
                         "link = [{ from = \"socket0\", to = \"gpu0\", part = \"l\" }, { from = "
                         "\"socket0\", to = \"" +
                         to + "\", part = \"l\" }]\n");
  };
  CHECK(joined("nvme[*]").empty());
  CHECK(brief(joined("nvme0")) ==
        "error[E141]: no link reaches nvme1| expected a way from a socket");
  CHECK(
      brief(joined("nvme2")) ==
      "error[E140]: link `l` ends at undefined node `nvme2`| defined nodes: socket0, numa0, gpu0, "
      "nvme0..nvme1");
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

}  // namespace memsim::scenarios
