// Figures that can be but hardly are: what is asked about, and what was probably meant.
#include "scenarios/schema/plausibility.hpp"

#include "scenarios/schema/reader.hpp"
#include "scenarios/schema/toml.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

struct Figures {
  sim::Bytes memory;
  sim::Bandwidth bandwidth;
  sim::Duration delay;
  models::OperationRate rate;
  models::Fraction share;
  std::int64_t count = 0;
};

constexpr std::int64_t G = 1'000'000'000;
constexpr std::int64_t us = 1'000'000;

const Schema<Figures>& figures_schema() {
  static const Schema<Figures> schema =
      Schema<Figures>("figures")
          .field("memory", &Figures::memory,
                 {.help = "", .fallback = "40 GB", .usual = {1 * G, 288 * G}, .each = "GPU"})
          .field("bandwidth", &Figures::bandwidth,
                 {.help = "",
                  .fallback = "1 TB/s",
                  .least = 1000,
                  .most = 1'000'000 * G,
                  .usual = {20 * G, 8000 * G}})
          .field("delay", &Figures::delay,
                 {.help = "", .fallback = "2 us", .most = us * us, .usual = {us / 10, 100 * us}})
          .field("rate", &Figures::rate,
                 {.help = "", .fallback = "1 TFLOP/s", .usual = {100 * G, 1'000'000 * G}})
          .field("share", &Figures::share, share_rules("", "0.5"))
          .field("count", &Figures::count, {.help = "", .fallback = "1", .usual = {1, 64}});
  return schema;
}

// Code, label, help and suggestion of what is said about one line; empty if nothing is.
std::string doubts(const std::string& line, SourceRole role = SourceRole::given) {
  Sources sources;
  Diagnostics diagnostics;
  const auto tree = parse_toml(sources.add("x.toml", line, role), diagnostics);
  const bool read_all = read(figures_schema(), *tree, diagnostics).has_value();
  CHECK(read_all != diagnostics.has_errors());
  if (diagnostics.sorted().empty()) return "";
  REQUIRE(diagnostics.sorted().size() == 1);
  const Diagnostic found = diagnostics.sorted().front();
  CHECK(text_at(found.location) == line.substr(line.find('=') + 2));
  return found.code + " " + found.label + "|" + found.help + "|" + found.suggestion;
}

}  // namespace

TEST_CASE("what is usual passes without a word, up to both ends of the range") {
  for (const char* line :
       {"memory = \"1 GB\"", "memory = \"288 GB\"", "bandwidth = \"20 GB/s\"", "delay = \"100 us\"",
        "share = 0.05", "share = 1", "count = 64", "rate = \"312 TFLOP/s\""}) {
    INFO(line);
    CHECK(doubts(line).empty());
  }
}

TEST_CASE("a figure in the wrong unit is asked about with the right one (W135)") {
  // 1555 MB/s, GB/s and TB/s: only the second is within 20 GB/s to 8 TB/s.
  CHECK(doubts("bandwidth = \"1555 MB/s\"") ==
        "W135 usual are 20 GB/s to 8 TB/s|did you mean \"1555 GB/s\"?|\"1555 GB/s\"");
  CHECK(doubts("bandwidth = \"1555 TB/s\"").ends_with("|\"1555 GB/s\""));
  CHECK(doubts("bandwidth = \"5 GB/s\"").ends_with("|\"5 TB/s\""));
  // Nearer units come first: 30 ms are 30 us and 30000 us.
  CHECK(doubts("delay = \"30 ms\"").ends_with("|\"30 us\""));
  CHECK(doubts("delay = \"3 ns\"").ends_with("|\"3 us\""));
  CHECK(doubts("rate = \"19.5 GFLOP/s\"").ends_with("|\"19.5 TFLOP/s\""));
  CHECK(doubts("rate = \"19.5 GFLOPS\"").ends_with("|\"19.5 TFLOPS\""));
  CHECK(doubts("memory = \"40 MiB\"").ends_with("|\"40 GiB\""));
  // 100 Gb/s are 12.5 GB/s, 100 GB/s as bytes.
  CHECK(doubts("bandwidth = \"100 Gb/s\"").ends_with("|\"100 GB/s\""));
}

TEST_CASE("memory is not counted in bits (E125)") {
  CHECK(doubts("memory = \"40 Gb\"") ==
        "E125 amounts of memory are given in bytes (B), b is a bit|did you mean \"40 GB\"?|"
        "\"40 GB\"");
}

TEST_CASE("the figure of a node is not that of one of its parts (E134)") {
  CHECK(doubts("memory = \"640 GB\"") ==
        "E134 8 GPUs of 80 GB have as much together|"
        "the figure of one GPU is meant: memory = \"80 GB\"?|\"80 GB\"");
  // Eight of 500 GB would be unusual too, sixteen of 250 GB are not.
  CHECK(doubts("memory = \"4000 GB\"").starts_with("E134 16 GPUs of 250 GB have as much"));
  // Too much for sixteen: nobody's sum. 10 TB as GB are usual.
  CHECK(doubts("memory = \"10 TB\"") ==
        "W135 usual are 1 GB to 288 GB|did you mean \"10 GB\"?|\"10 GB\"");
}

TEST_CASE("who types the figure of a node asks what if, and is asked whether it is meant (W134)") {
  CHECK(doubts("memory = \"640 GB\"", SourceRole::command_line) ==
        "W134 8 GPUs of 80 GB have as much together|"
        "the figure of one GPU is meant: memory = \"80 GB\"?|\"80 GB\"");
}

TEST_CASE("of what does not exist no figure is doubted, but what cannot be is still an error") {
  Sources sources;
  Diagnostics diagnostics;
  const SourceFile& file =
      sources.add("x.toml", "memory = \"640 GB\"\nbandwidth = \"1 MB/s\"\n", SourceRole::given);
  Node tree = parse_toml(file, diagnostics).value();
  tree.imaginary = true;
  REQUIRE(read(figures_schema(), tree, diagnostics).has_value());
  CHECK(diagnostics.sorted().empty());
  tree.find("bandwidth")->text = "1 EB/s";
  CHECK_FALSE(read(figures_schema(), tree, diagnostics).has_value());
}

TEST_CASE("where no other unit makes sense only the range is shown (W135)") {
  CHECK(doubts("count = 65") == "W135 usual are 1 to 64||");
  CHECK(doubts("share = 0.01") == "W135 usual are 0.05 to 1||");
  CHECK(doubts("memory = \"700 TB\"") == "W135 usual are 1 GB to 288 GB||");
}

TEST_CASE("a zero that is allowed says none, and is not asked about") {
  CHECK(doubts("memory = \"0 B\"").empty());
  CHECK(doubts("delay = \"0 s\"").empty());
  CHECK(doubts("count = 0").empty());
}

TEST_CASE("what cannot be is an error that shows what was probably meant (E124)") {
  CHECK(doubts("delay = \"2.4 s\"") ==
        "E124 expected 0 ps to 1 s|did you mean \"2.4 us\"?|\"2.4 us\"");
  CHECK(doubts("share = 93") == "E124 expected 0.001 to 1|did you mean 0.93?|0.93");
  CHECK(doubts("share = 1.5") == "E124 expected 0.001 to 1|did you mean 0.015?|0.015");
  CHECK(doubts("share = 101") == "E124 expected 0.001 to 1||");
  CHECK(doubts("count = -1") == "E124 expected at least 0||");
}

}  // namespace memsim::scenarios
