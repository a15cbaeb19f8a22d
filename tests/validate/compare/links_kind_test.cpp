#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/validate/compare/rows.hpp"
#include "validate/compare/hardware_reading.hpp"
#include "validate/compare/hardware_words.hpp"
#include "validate/compare/kind.hpp"
#include "validate/compare/link_answers.hpp"
#include "validate/compare/link_citations.hpp"
#include "validate/compare/link_machines.hpp"
#include "validate/compare/link_phrases.hpp"
#include "validate/compare/link_questions.hpp"
#include "validate/compare/link_vocabulary.hpp"
#include "validate/compare/summary.hpp"
#include "validate/import/link_measurements.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;

const fs::path source_folder = MEMSIM_SOURCE_DIR;

using Asked = std::vector<sim::Result<LinkQuestion>>;

Asked ask(const std::string& what, const std::string& hardware, const std::string& parameter,
          std::size_t figures) {
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
                            "device memory bandwidth,1x A40,triad,690,GB/s,x"))
    summary.add(row);
  const std::vector<SummaryLine> lines = summary.lines();
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].quantity == "copy, one direction");
  CHECK(lines[1].quantity == "device memory");
  CHECK(lines[2].quantity == "all");
  CHECK(lines[2].compared == 3);
  // 25.2, 26.1 and 670 (0.963 of 696 GB/s): 10, 6.7 and 2.9 % below.
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

TEST_CASE("every word of a row is understood, or the row is not compared") {
  const std::string copy = "host-device copy bandwidth,A100 SXM,";
  CHECK(only_row(copy + "H2D with frobnication,25,GB/s,x").reason ==
        "its words are not understood: frobnication");
  CHECK(only_row("host-device copy bandwidth,A100 SXM on Plan9,H2D,25,GB/s,x").reason ==
        "the words of its hardware are not understood: plan9");
  CHECK(only_row(copy + "H2D write-combined,25,GB/s,x").reason ==
        "write-combined memory is not modelled");
  CHECK(only_row(copy + "\"H2D, 2 GPUs, each\",25,GB/s,x").reason ==
        "whether all copy at the same time is not told");
  CHECK(only_row(copy + "H2D at the same time,25,GB/s,x").reason ==
        "how many copy at the same time is not told");
  CHECK(only_row("pinned allocation,DGX-1,cudaHostAlloc 1 GiB with huge pages,300,ms,x").reason ==
        "huge pages are not modelled");
  CHECK(only_row("device memory bandwidth,A100 SXM,\"triad, 1 MiB working set\",3000,GB/s,x")
            .reason == "kernels within L2 are not modelled");
  CHECK(only_row("host STREAM,2x Skylake 8180,Triad with 8 threads,60,GB/s,x").reason ==
        "what some of the cores reach is not modelled");
  CHECK(only_row("GPU-GPU copy bandwidth,8x A100 SXM,\"P2P all-to-all, 8 GPUs, sum\",2000,GB/s,x")
            .reason == "copies between all pairs at once are collectives");
  CHECK(read_words("pinned H2D, 32 MiB").unknown.empty());
  CHECK(read_words("pinned H2D, zebra first").unknown == "zebra");
  HardwareReading reading("2x RTX 4090 in Wakanda, no P2P");
  reading.knows_model(part_name("rtx4090"));
  CHECK(reading.unread() == "wakanda");
}

TEST_CASE("GPUs that copy at once share their uplinks: each of two under a switch has a half") {
  const std::string server = "host-device copy bandwidth,DGX A100-SXM4-80GB,";
  // pcie4-x16: 0.80 of 31.5 GB/s, one link to the switch of two GPUs; four such switches.
  const double alone = 25.2;
  struct Asking {
    const char* words;
    double rate;
  };
  for (const Asking& asking :
       {Asking{"H2D", alone}, Asking{"\"two GPUs under one switch, H2D, each\"", alone / 2},
        Asking{"\"H2D to two GPUs sharing a PCIe switch, sum\"", alone},
        Asking{"\"two GPUs under different switches, H2D at once, sum\"", 2 * alone},
        Asking{"\"H2D all 8 GPUs at once, sum\"", 4 * alone},
        Asking{"\"H2D, 4 GPUs at once, sum\"", 2 * alone},
        Asking{"\"H2D, all GPUs at once, per GPU\"", alone / 2},
        Asking{"\"H2D, 8 GPUs in parallel, per GPU\"", alone / 2},
        Asking{"\"H2D, sum of 4 GPUs one at a time\"", 4 * alone}}) {
    INFO(asking.words);
    const Row row = only_row(server + asking.words + ",20,GB/s,x");
    REQUIRE(row.predicted.is_number());
    CHECK(row.predicted.as_number() == Approx(asking.rate).epsilon(0.002));
  }
  CHECK(only_row(server + "H2D to two GPUs sharing a PCIe switch,20,GB/s,x").reason ==
        "whether its figure is of one GPU or of all is not told");
  CHECK(only_row(server + "\"two GPUs under one switch, H2D, each\",20,GB/s,x").asked ==
        "dgx-a100-80 (8 a100-sxm4-80gb, epyc-7742-2s): host to device, under one switch, each of 2 "
        "at once, 512 MiB");
}

TEST_CASE("the machine is the one that is written, and one that can reach what was measured") {
  CHECK(machine("4x4090").name == "4x4090");
  CHECK(machine("Standard_ND96asr_v4").name == "Standard_ND96asr_v4");
  CHECK(machine("gb200-nvl72").name == "gb200-nvl72");
  CHECK(machine("A100 SXM x8").name == machine("8x A100 SXM").name);
  CHECK(machine("GH200").gpus[0].part.name == "gh200-96gb");
  CHECK(machine("GB200/GB300 node (4 GPU)").gpus[0].part.name == "gb200");
  LinkQuestion peer;
  peer.subject = Subject::peer_copy;
  CHECK(machine("dual GH200", peer).gpus.size() == 2);
  const auto six = machines().find("6x RTX A6000", peer);
  REQUIRE_FALSE(six);
  CHECK(six.error().message == "the catalogue has no machine with 2 or more rtx-a6000");
  // 16 GT/s x 8 lanes, 128b/130b: 15.75 GB/s, of which 0.80.
  const Row narrow = only_row("host-device copy bandwidth,1x A10 on x8 link,H2D,12,GB/s,x");
  CHECK(narrow.predicted.as_number() == Approx(12.6).epsilon(0.002));
  // A100 SXM: 1555 GB/s with 40 GB, 2039 GB/s with 80 GB.
  const std::string memory = "device memory bandwidth,A100 SXM,triad,";
  CHECK(only_row(memory + "1300,GB/s,x").asked.find("a100-sxm4-40gb") != std::string::npos);
  CHECK(only_row(memory + "1600,GB/s,x").asked.find("a100-sxm4-80gb") != std::string::npos);
  CHECK(only_row(memory + "2100,GB/s,x").reason == other_machine);
  // Two Xeon 8180: twelve channels of 21.3 GB/s.
  CHECK(only_row("host STREAM,2x Skylake 8180,Triad,300,GB/s,x").reason == other_machine);
  // What shares the host needs the machine as it is.
  CHECK(only_row("host-device copy bandwidth,16x A40,H2D while D2H runs,20,GB/s,x").reason ==
        "the catalogue has no machine with 16 or more a40");
}

TEST_CASE("a citation needs the number and the prediction, also for sums, halves and times") {
  constexpr auto copied = "the catalogue's own figure comes from it";
  // link/c2c-gb200.toml: "OCI guide, GB200: 200.7 GB/s per GPU".
  CHECK(
      only_row("host-device copy bandwidth,GB200 node,\"H2D, sum of 4 GPUs one at a time\",802.86,"
               "GB/s,x")
          .reason == copied);
  // gpu/h100-sxm5-80gb.toml: "nvbandwidth device_local_copy: 3038 GB/s read and written".
  CHECK(only_row("device memory bandwidth,H100 SXM,device_local_copy,1519,GB/s,x").reason ==
        copied);
  // link/pcie4-x16.toml: "A10 25.1 GB/s"; 64 MiB in 2673.4 us are 25.1 GB/s.
  CHECK(only_row("small-transfer latency,A10,64 MiB H2D,2673.4,us,x").reason == copied);
  // gpu/gh200-96gb.toml: "BabelStream 3728", without a unit.
  CHECK(only_row("device memory bandwidth,GH200-96,BabelStream Triad,3728,GB/s,x").reason ==
        copied);
  // PCIe 3 at the processors: 12.35 GB/s, whatever else is 25 GB/s there.
  const Row off = only_row("host-device copy bandwidth,p4d.24xlarge,H2D uni,25,GB/s,x");
  CHECK(off.status != Status::not_modelled);
  CHECK(off.error == Approx(-0.506).margin(0.005));
  const LinkMeasurement row{2, "", "A100", "", "25", "GB/s", "a/b issue #42"};
  const Figure figure = read_value("25", "GB/s")[0];
  CHECK(is_cited(row, figure, {}, 25.1e9, {"something else: 25 GB/s"}));
  CHECK_FALSE(is_cited(row, figure, {}, 26e9, {"something else: 25 GB/s"}));
  CHECK(is_cited(row, figure, {}, 26e9, {"A100: 25 GB/s"}));
  CHECK(is_cited(row, figure, {}, 26e9, {"b #42: 25 GB/s"}));
  CHECK_FALSE(is_cited(row, figure, {}, 26e9, {"b #421: 25 GB/s"}));
  CHECK_FALSE(is_cited(row, figure, {}, 30e9, {"A100: 25 GB/s"}));
}

TEST_CASE("values that are no rate and no time are input errors with their line") {
  const std::string copy = "host-device copy bandwidth,A100 SXM,H2D,";
  for (const char* const value : {"-25.2", "0", "\"25,2\""}) {
    INFO(value);
    const Row row = only_row(copy + value + ",GB/s,x");
    CHECK(row.status == Status::input_error);
    CHECK(row.reason.find("E113 l.csv:2:1: ") == 0);
  }
  CHECK(only_row(copy + "24 \u00b1 0.3,GB/s,x").measured.as_number() == Approx(24));
  const Row empty = only_row("");
  CHECK(empty.status == Status::input_error);
  CHECK(empty.reason.find("E114") == 0);
}

TEST_CASE("rows that ask something else are listed by what they ask") {
  CHECK(only_row("all_reduce busbw,8x H200,1 GiB,467,GB/s,x").reason ==
        "collectives are no transfers");
  CHECK(only_row("storage,8x H200,read,50,GB/s,x").reason ==
        "file systems, RAID and GPUDirect Storage are not modelled, or the drive is not named");
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
