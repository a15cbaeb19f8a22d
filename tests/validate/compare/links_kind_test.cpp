#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/validate/compare/rows.hpp"
#include "validate/compare/hardware_words.hpp"
#include "validate/compare/kind.hpp"
#include "validate/compare/link_answers.hpp"
#include "validate/compare/link_machines.hpp"
#include "validate/compare/link_phrases.hpp"
#include "validate/compare/link_questions.hpp"
#include "validate/compare/summary.hpp"
#include "validate/import/link_measurements.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;

const fs::path source_folder = MEMSIM_SOURCE_DIR;

std::vector<std::optional<LinkQuestion>> ask(const std::string& what, const std::string& hardware,
                                             const std::string& parameter, std::size_t figures) {
  const LinkMeasurement row{2, what, hardware, parameter, "", "GB/s", ""};
  auto questions = questions_of(row, figures);
  REQUIRE(questions);
  return *questions;
}

LinkQuestion only(const std::string& what, const std::string& parameter) {
  const auto questions = ask(what, "1x T4", parameter, 1);
  REQUIRE(questions.size() == 1);
  REQUIRE(questions[0]);
  return *questions[0];
}

constexpr auto host = "host-device copy bandwidth";
constexpr auto peers = "GPU-GPU copy bandwidth";

const LinkMachines& machines() {
  static const LinkMachines all(source_folder / "scenarios");
  return all;
}

models::SystemSpec machine(const std::string& hardware, const LinkQuestion& question = {}) {
  const auto found = machines().find(hardware, question);
  INFO(hardware);
  REQUIRE(found);
  return found->spec;
}

std::vector<Row> run(const std::string& line) {
  const test::TemporaryFolder folder;
  return run_kind(links_kind, folder.write("l.csv", std::string(link_header) + "\n" + line + "\n"));
}

Row only_row(const std::string& line) {
  const std::vector<Row> rows = run(line);
  REQUIRE(rows.size() == 1);
  return rows[0];
}

TEST_CASE(
    "of the measured links at least 120 figures are compared, half within 8 %, 9 of 10 in 25 %") {
  std::vector<double> errors;
  for (const Row& row : run_kind(links_kind, source_folder / "validate/data/links/links.csv")) {
    CHECK(row.status != Status::input_error);
    CHECK(row.status != Status::off);
    if (row.status == Status::not_modelled) {
      CHECK_FALSE(row.reason.empty());
    } else {
      errors.push_back(std::abs(row.error));
    }
  }
  std::ranges::sort(errors);
  REQUIRE(errors.size() >= 120);
  CHECK(errors[errors.size() / 2] <= 0.08);
  CHECK(errors[(errors.size() * 9 + 9) / 10 - 1] <= 0.25);
}

TEST_CASE("a summary of links has a line of all figures behind those of its quantities") {
  Summary summary;
  for (const Row& row : run("host-device copy bandwidth,1x RTX 4090,H2D / D2H,28 / 28,GB/s,x\n"
                            "device memory bandwidth,1x A40,triad,700,GB/s,x"))
    summary.add(row);
  const std::vector<SummaryLine> lines = summary.lines();
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].quantity == "copy, one direction");
  CHECK(lines[1].quantity == "device memory");
  CHECK(lines[2].quantity == "all");
  CHECK(lines[2].compared == 3);
  // 25.2, 26.1 and 670 (0.963 of 696 GB/s): 10, 6.7 and 4.3 % below.
  CHECK(lines[2].median_abs_error.value() == Approx(0.066).margin(0.002));
  CHECK(lines[2].p90_abs_error.value() == Approx(0.100).margin(0.002));
}

TEST_CASE("words of a phrase hold for the phrases behind it until another says otherwise") {
  const auto listed = ask(host, "T4", "bandwidthTest 32 MiB pageable H2D / D2H", 2);
  for (const auto& question : listed) {
    REQUIRE(question);
    CHECK(question->pageable);
    CHECK(question->size == sim::Bytes(32 << 20));
    CHECK_FALSE(question->both_ways);
  }
  CHECK_FALSE(listed[0]->up);
  CHECK(listed[1]->up);
  const auto ways = ask(host, "T4", "uni / bidirectional D2H / bidirectional H2D", 3);
  CHECK_FALSE(ways[0]->both_ways);
  CHECK((ways[1]->both_ways && ways[1]->up && !ways[1]->total));
  CHECK((ways[2]->both_ways && !ways[2]->up));
  CHECK(ask(host, "T4", "uni / bidirectional total", 2)[1]->total);
  CHECK(ask(host, "T4, pinned from remote NUMA node", "H2D", 1)[0]->remote);
}

TEST_CASE("what runs at the same time, sums and single copies are told apart") {
  const LinkQuestion beside = only(host, "H2D CE while D2H runs (only H2D reported)");
  CHECK((beside.both_ways && !beside.up && !beside.total));
  const LinkQuestion sum = only(host, "H2D CE uni, sum of 4 GPUs one at a time");
  CHECK((sum.devices == 4 && !sum.at_once));
  const LinkQuestion together =
      only(host, "all_to_host bidirectional CE, 4 at once, sum of D2H parts");
  CHECK((together.devices == 4 && together.at_once && together.up && together.both_ways));
  CHECK_FALSE(ask(host, "T4", "H2D / D2H SM kernel", 2)[1]);
  const auto engines = ask(host, "T4", "H2D CE / SM", 2);
  CHECK(engines[0]);
  CHECK_FALSE(engines[1]);
  CHECK_FALSE(only(peers, "P2P off, GPUs sharing one PCIe switch").peer_access);
  CHECK(only(peers, "P2P off, GPUs sharing one PCIe switch").pair == Pair::same_switch);
  CHECK(only(peers, "D2D read CE same switch").peer_access);
}

TEST_CASE("mixes of reads and writes follow from the names of loops") {
  const auto loops = ask("device memory bandwidth", "V100", "gpu-stream init/read/scale/triad", 4);
  CHECK((loops[0]->mix.reads == 0 && loops[0]->mix.writes == 1));
  CHECK((loops[1]->mix.reads == 1 && loops[1]->mix.writes == 0));
  CHECK((loops[2]->mix.reads == 1 && loops[2]->mix.writes == 1));
  CHECK((loops[3]->mix.reads == 2 && loops[3]->mix.stream));
  const auto mlc = ask("host memory (Intel MLC)", "2x 8180", "all reads / 3:1 / triad-like", 3);
  CHECK(mlc[0]->mix.writes == 0);
  CHECK((mlc[1]->mix.reads == 3 && !mlc[1]->mix.stream));
  CHECK(mlc[2]->mix.stream);
}

TEST_CASE("hardware is found by the words that people use for it") {
  CHECK(machine("DGX A100-SXM4-80GB").name == "dgx-a100-80");
  CHECK(machine("Azure ND H200 v5").name == "Standard_ND96isr_H200_v5");
  CHECK(machine("8x RTX 4090, Gen4 x16").gpus[0].part.name == "rtx4090");
  CHECK(machine("Tesla T4 (Colab), Gen3 x16").gpus[0].part.name == "t4");
  CHECK(machine("Dell A100 80GB PCIe").gpus[0].part.name == "a100-pcie-80gb");
  CHECK(machine("V100-SXM2-32").gpus[0].part.name == "v100-sxm2-32gb");
  CHECK(machine("6x RTX A6000").gpus[0].part.name == "rtx-a6000");
  CHECK(machine("DGX-1").name == "8xv100");
  CHECK(machine("8x RTX 5090, Xeon 8458P, Gen5 x16").host.name == "xeon-8480c-2s");
  CHECK(machine("H100 (CPU-to-switch link Gen4 x8)").links[0].part.name == "pcie4-x8");
  LinkQuestion remote;
  remote.remote = true;
  CHECK(machine("GH200, remote Grace socket", remote).host.sockets.size() == 2);
  LinkQuestion reads;
  reads.subject = Subject::host_memory;
  CHECK(machine("2-socket Xeon (~223 GB/s)", reads).host.name == "xeon-cascade-lake-2s");
  for (const char* const unknown :
       {"GTX 1080 Ti", "RTX 4070 laptop", "H20-3e", "MI999", "GPU host"}) {
    INFO(unknown);
    CHECK_FALSE(machines().find(unknown, {}));
  }
}

TEST_CASE("models, counts and links are read from words") {
  const auto spelled = [](std::string_view text, const std::string& model) {
    return spells(words_of(text), model);
  };
  CHECK(spelled("8x RTX 4090, Gen4", "rtx4090"));
  CHECK(spelled("A100-80", "a100"));
  CHECK_FALSE(spelled("H20-3e", "h20"));
  CHECK_FALSE(spelled("RTX 4070 Ti", "rtx4070"));
  CHECK(part_name("a100-sxm4-80gb").model == "a100");
  CHECK(count_of("8x T4") == 8);
  CHECK(count_of("A100 SXM x8, Gen4") == 8);
  CHECK(count_of("a node (4 GPU, 2 Grace)") == 4);
  CHECK(count_of("T4, Gen3 x16") == 0);
  CHECK(pcie_of("V100, Gen3 x8").lanes == 8);
  CHECK(pcie_of("V100").generation == 0);
  CHECK(phrases_of("P2P off uni; P2P on uni / bidir").size() == 3);
  CHECK(phrases_of("init/read in GB/s").size() == 2);
}

TEST_CASE("a figure that the catalogue cites is not compared, another one is") {
  // link/pcie4-x16.toml: achieved.backward = 0.83, "RTX 4090 26.25 to 27.11 GB/s".
  const Row cited = only_row("host-device copy bandwidth,1x RTX 4090,D2H,26.25,GB/s,x");
  CHECK(cited.status == Status::not_modelled);
  CHECK(cited.reason == "the catalogue's own figure comes from it");
  CHECK(cited.predicted.is_number());
  const Row other = only_row("host-device copy bandwidth,1x RTX 4090,D2H,27.5,GB/s,x");
  CHECK(other.status == Status::ok);
  CHECK(other.quantity == "copy, one direction");
  // 0.83 of 31.5 GB/s: 26.145, less the call and latency of 512 MiB.
  CHECK(other.predicted.as_number() == Approx(26.14).epsilon(0.001));
}

TEST_CASE("rows that ask something else are listed by what they ask") {
  CHECK(only_row("all_reduce busbw,8x H200,1 GiB,467,GB/s,x").reason ==
        "collectives are no transfers");
  CHECK(only_row("storage,8x H200,read,50,GB/s,x").reason == "storage is not modelled");
  CHECK(only_row("host-device copy bandwidth,1x T4,H2D,<13,GB/s,x").reason ==
        "a limit is no measurement");
  CHECK(only_row("host-device copy bandwidth,MI999,H2D,13,GB/s,x").reason ==
        "the catalogue does not have this hardware");
  CHECK(only_row("tea kettles,1x T4,H2D,13,GB/s,x").reason == "no question about 'tea kettles'");
  CHECK(run("broken,row").front().status == Status::input_error);
}

TEST_CASE(
    "answers are those of the engine: a rate, a sum of both directions, a latency under load") {
  LinkQuestion question;
  const models::SystemSpec gh200 = machine("GH200");
  const auto down = answer_to(question, gh200);
  REQUIRE(down);
  // 0.833 of 450 GB/s.
  CHECK(down->rate == Approx(374.9e9).epsilon(0.005));
  question.both_ways = question.total = true;
  const auto both = answer_to(question, gh200);
  REQUIRE(both);
  // LPDDR of 384 GB/s, of which reads reach 0.98 and writes 0.85: 2 / (1/376.3 + 1/326.4).
  CHECK(both->rate == Approx(349.6e9).epsilon(0.005));
  LinkQuestion loaded;
  loaded.subject = Subject::loaded_latency;
  const models::SystemSpec xeon = machine("2x Skylake 8180", loaded);
  loaded.load = 215.7e9 / 2;
  const auto latency = answer_to(loaded, xeon);
  REQUIRE(latency);
  // u = 1/2: 81 ns x (1 + 0.035 / 0.515).
  CHECK(latency->time == Approx(86.5e-9).epsilon(0.002));
}

}  // namespace
}  // namespace memsim::validate
