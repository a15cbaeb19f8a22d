// Two machines side by side.
#include "scenarios/hardware/hardware_diff.hpp"
#include "scenarios/hardware/hardware_report.hpp"
#include "tests/scenarios/hardware/hardware_folder.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

HardwareDifference difference(HardwareFolder& folder, const char* left, const char* right) {
  Diagnostics diagnostics;
  const LoadedHardware a = folder.load(left);
  const LoadedHardware b = folder.load(right);
  std::optional<HardwareDifference> found = compare_hardware(a, b, diagnostics);
  REQUIRE(found.has_value());
  CHECK_FALSE(diagnostics.has_errors());
  return *std::move(found);
}

// A link that differs from small_link in its rate, states a latency as the default is, and writes
// the share that small_link has by default.
constexpr const char* other_link =
    "schema = \"memsim.link/1\"\n"
    "kind = \"PCIe\"\n"
    "generation = 4\n"
    "lanes = 16\n"
    "bandwidth = \"30 GB/s\"  # measured\n"
    "achieved = 1.00\n"
    "latency = \"1000 ns\"\n"
    "duplex_total = \"50 GB/s\"\n";

}  // namespace

TEST_CASE("a part does not differ from itself, nor from a copy under another name") {
  HardwareFolder folder{{"link/a.toml", small_link}, {"link/b.toml", small_link}};
  CHECK(difference(folder, "a", "a").figures.empty());
  CHECK(hardware_difference_text(difference(folder, "a", "b")) ==
        "a and b (link): no figure differs\n");
  CHECK_THAT(hardware_difference_json(difference(folder, "a", "b")),
             Catch::Contains("\"equal\": true") && Catch::Contains("\"figures\": []"));
}

TEST_CASE("figures differ by what they mean, not by how they are written") {
  HardwareFolder folder{{"link/a.toml", small_link}, {"link/b.toml", other_link}};
  CHECK(hardware_difference_text(difference(folder, "a", "b")) ==
        "a and b (link): 2 figures differ\n"
        "\n"
        "  bandwidth         31.5 GB/s        link/a.toml:5\n"
        "                    30 GB/s          link/b.toml:5\n"
        "  duplex_total      -                missing\n"
        "                    50 GB/s          link/b.toml:8\n");
}

TEST_CASE("what only one side has is shown on both ways round, in the order of hw show") {
  HardwareFolder folder{{"link/a.toml", small_link}, {"link/b.toml", other_link}};
  const HardwareDifference found = difference(folder, "b", "a");
  REQUIRE(found.figures.size() == 2);
  CHECK(found.figures[0].path == "bandwidth");
  CHECK(found.figures[0].left->comment == "measured");
  CHECK(found.figures[1].path == "duplex_total");
  CHECK(found.figures[1].left->value == "50 GB/s");
  CHECK_FALSE(found.figures[1].right.has_value());
  CHECK_THAT(hardware_difference_json(found), Catch::Contains("\"right\": null"));
}

TEST_CASE("systems are compared as composed: parts, overrides and nodes that one of them lacks") {
  HardwareFolder folder{{"gpu/g.toml", small_gpu},
                        {"host/h.toml", small_host},
                        {"link/l.toml", small_link},
                        {"system/s.toml", small_system},
                        {"system/t.toml",
                         "schema = \"memsim.system/1\"\ninherits = \"s\"\n"
                         "gpu = [{ part = \"g\", memory.page = \"4 MiB\" }]\n"
                         "switch = [{ id = \"x\" }]\n"
                         "link = [{ from = \"socket0\", to = \"x\", part = \"l\" },\n"
                         "        { from = \"x\", to = \"gpu0\", part = \"l\" }]\n"}};
  const HardwareDifference found = difference(folder, "s", "t");
  const auto figure = [&](std::string_view path) -> const FigureDifference& {
    for (const FigureDifference& each : found.figures) {
      if (each.path == path) return each;
    }
    FAIL(path);
    return found.figures.front();
  };
  CHECK(figure("gpu[0].memory.page").left->value == "2 MiB");
  CHECK(figure("gpu[0].memory.page").right->value == "4 MiB");
  CHECK(figure("link[0].to").right->value == "x");
  CHECK_FALSE(figure("switch[0].id").left.has_value());
  CHECK_FALSE(figure("link[1].bandwidth").left.has_value());
  // One page, one switch of two keys, where link[0] ends, and all of link[1].
  for (const FigureDifference& each : found.figures) {
    INFO(each.path);
    CHECK((each.path == "gpu[0].memory.page" || each.path.starts_with("switch[0].") ||
           each.path == "link[0].to" || each.path.starts_with("link[1].")));
  }
}

TEST_CASE("an empty text is told from a figure that is missing") {
  HardwareFolder folder{
      {"gpu/a.toml", small_gpu},
      {"gpu/b.toml",
       "schema = \"memsim.gpu/1\"\ninherits = \"a\"\nallocator.options = \"backend:native\"\n"}};
  CHECK(hardware_difference_text(difference(folder, "a", "b")) ==
        "a and b (gpu): 1 figure differs\n"
        "\n"
        "allocator\n"
        "  options           \"\"               default\n"
        "                    backend:native   gpu/b.toml:3\n");
}

TEST_CASE("machines of different kinds cannot be compared") {
  HardwareFolder folder{{"gpu/g.toml", small_gpu}, {"link/l.toml", small_link}};
  Diagnostics diagnostics;
  CHECK_FALSE(compare_hardware(folder.load("g"), folder.load("l"), diagnostics).has_value());
  CHECK(diagnostics.text("") ==
        "error[E108]: `g` is a gpu, `l` a link\n"
        "help: compare two systems, or two parts of one kind\n"
        "\n"
        "1 error\n");
}

TEST_CASE("the two sizes of an A100 differ in their memories alone") {
  Sources sources;
  Diagnostics diagnostics;
  const auto small =
      load_entry(shipped_catalogue(), HardwareKind::gpu, "a100-sxm4-40gb", sources, diagnostics);
  const auto large =
      load_entry(shipped_catalogue(), HardwareKind::gpu, "a100-sxm4-80gb", sources, diagnostics);
  const auto found = compare_hardware(*small, *large, diagnostics);
  CHECK(found->figures.size() == 7);
  for (const FigureDifference& each : found->figures) CHECK(each.path.starts_with("memory."));
}

}  // namespace memsim::scenarios
