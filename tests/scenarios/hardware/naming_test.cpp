// Files and parts by their names: what is nowhere, of another kind, or inherits itself.
#include "tests/scenarios/hardware/hardware_folder.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

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

TEST_CASE("a file says what it describes (E108)") {
  CHECK(part_faults("gpu/x.toml", "name = \"x\"\n") ==
        "error[E108]: the file does not say what it describes\n"
        "  --> @/hardware/gpu/x.toml:1:1\n"
        "   |\n"
        " 1 | name = \"x\"\n"
        "   | ^\n"
        "   | expected schema = \"memsim.system/1\", \"memsim.gpu/1\", \"memsim.host/1\",\n"
        "   | \"memsim.link/1\", \"memsim.drive/1\", \"memsim.nic/1\"\n"
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

TEST_CASE("a part named by something that is no name is one error (E106)") {
  CHECK(system_faults("gpu = [{ part = 5 }]\n" + one_link)
            .ends_with("\n1 error; nothing was simulated\n"));
  CHECK(
      brief(system_faults("gpu = [{ part = 5 }]\n" + one_link)) ==
      "error[E106]: `part` has the wrong type| expected a string, found integer: put it in quotes");
}

}  // namespace memsim::scenarios
