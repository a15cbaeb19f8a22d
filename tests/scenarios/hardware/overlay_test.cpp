// Faults and figures where one file or --set lies on top of another.
#include "scenarios/schema/override.hpp"
#include "tests/scenarios/hardware/hardware_folder.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {

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
