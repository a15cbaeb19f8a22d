// Recorded sequences: reading them, the rules of PyTorch 2.x, and where two of them part.
#include "validate/compare/torch_trace.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "validate/compare/torch_sequence.hpp"

namespace memsim::validate {
namespace {

using scenarios::Diagnostics;
using scenarios::SourceFile;
using scenarios::SourceRole;

std::vector<TorchEvent> parse(const std::string& text) {
  const SourceFile file("t.txt", text, SourceRole::given, 0);
  Diagnostics diagnostics;
  const auto events = parse_torch_trace(file, diagnostics);
  REQUIRE(events.has_value());
  return *events;
}

std::vector<std::string> faults(const std::string& text) {
  const SourceFile file("t.txt", text, SourceRole::given, 0);
  Diagnostics diagnostics;
  CHECK_FALSE(parse_torch_trace(file, diagnostics).has_value());
  std::vector<std::string> lines;
  for (const scenarios::Diagnostic& diagnostic : diagnostics.sorted())
    lines.push_back(diagnostic.sentence());
  return lines;
}

using Lines = std::vector<std::string>;

TEST_CASE("a trace is read event by event, with its lines") {
  const auto events = parse("m model\n\na 1 8 x\r\na 2 16 _to_copy\nf 2\na 3 8 add.Tensor <-1\n");
  using enum TorchEventKind;
  REQUIRE(events.size() == 5);
  CHECK(events[0] == TorchEvent{.kind = marker, .name = "model"});
  CHECK(events[1] == TorchEvent{.kind = allocate, .id = 1, .bytes = 8, .name = "x"});
  CHECK(events[1].line == 3);
  CHECK(events[2].conversion);
  CHECK(events[3] == TorchEvent{.kind = release, .id = 2});
  CHECK(events[3].conversion);
  CHECK(events[4].sum_into == 1);
}

TEST_CASE("lines that are no events are told, all of them") {
  CHECK(faults("a 1 8 x\nb 2\nm\nm two words\nf 1 2\na 2 8\na 2 8 x y z\n") ==
        Lines{"E113 t.txt:2:1: 'b 2' is no marker, allocation or release",
              "E113 t.txt:3:1: 'm' is no marker, allocation or release",
              "E113 t.txt:4:1: 'm two words' is no marker, allocation or release",
              "E113 t.txt:5:1: 'f 1 2' is no marker, allocation or release",
              "E113 t.txt:6:1: 'a 2 8' is no marker, allocation or release",
              "E113 t.txt:7:1: 'a 2 8 x y z' is no marker, allocation or release"});
  CHECK(faults("a x 8 mm\nf y\na 1 0 mm\na 1 -8 mm\na 1 99999999999999999999 mm\n") ==
        Lines{"E113 t.txt:1:1: 'a x 8 mm': an id and a size above 0 are integers",
              "E113 t.txt:2:1: 'y' is not an id",
              "E113 t.txt:3:1: 'a 1 0 mm': an id and a size above 0 are integers",
              "E113 t.txt:4:1: 'a 1 -8 mm': an id and a size above 0 are integers",
              "E113 t.txt:5:1: 'a 1 99999999999999999999 mm': an id and a size above 0 are "
              "integers"});
  CHECK(faults("") == Lines{"E114 t.txt:1:1: the trace has no events"});
  CHECK(faults(std::string(100, '\n') + "x\n").size() == 1);
  std::string many;
  for (int i = 0; i < 100; ++i) many += "x\n";
  CHECK(faults(many).size() == 20);
}

TEST_CASE("ids come in order, and only what is there is released or added to") {
  CHECK(faults("a 2 8 x\n") == Lines{"E113 t.txt:1:1: id 2; ids count from 1, and 1 is next"});
  CHECK(faults("a 1 8 x\na 1 8 x\n") ==
        Lines{"E113 t.txt:2:1: id 1; ids count from 1, and 2 is next"});
  CHECK(faults("f 1\n") == Lines{"E113 t.txt:1:1: 1 is released and is not there"});
  CHECK(faults("a 1 8 x\nf 1\nf 1\n") == Lines{"E113 t.txt:3:1: 1 is released and is not there"});
  CHECK(faults("a 1 8 add <-7\n") == Lines{"E113 t.txt:1:1: a sum with 7, which is not there"});
  CHECK(faults("a 1 8 add into1\n") == Lines{"E113 t.txt:1:1: 'into1' is not <-OLD"});
}

TEST_CASE("by the rules of 2.x a sum in place is the tensor that it is added into") {
  const auto trace = parse(
      "a 1 8 x\na 2 8 y\na 3 8 add.Tensor <-1\nf 1\nf 2\na 4 8 z\na 5 8 add.Tensor <-3\n"
      "f 3\nf 5\nf 4\n");
  CHECK(sum_in_place(trace) == parse("a 1 8 x\na 2 8 y\nf 2\na 3 8 z\nf 1\nf 3\n"));
}

TEST_CASE("conversions released one after the other can be put in order, other releases stay") {
  const auto ordered = [](const std::string& text) {
    auto events = parse(text);
    order_conversions(events);
    return events;
  };
  const std::string made = "a 1 8 _to_copy\na 2 8 mm\na 3 8 _to_copy\na 4 8 _to_copy\n";
  CHECK(ordered(made + "f 3\nf 2\nf 1\n") == ordered(made + "f 1\nf 2\nf 3\n"));
  CHECK_FALSE(ordered(made + "f 2\nf 3\nf 1\n") == ordered(made + "f 1\nf 2\nf 3\n"));
  CHECK_FALSE(ordered(made + "f 3\nm x\nf 1\n") == ordered(made + "f 1\nm x\nf 3\n"));
}

TEST_CASE("sequences are compared from the start, and the line where they part is told") {
  const std::string text = "m begin\na 1 8 mm\nm next\na 2 8 mm\nf 1\n";
  const auto compare = [&](const std::string& ours) {
    return compare_sequences(parse(text), parse(ours));
  };
  CHECK(compare(text).agreeing == 5);
  CHECK(compare(text).parting.empty());
  CHECK(compare("m begin\na 1 8 mm\nm next\na 2 8 mm\nf 2\n").parting ==
        "5: event 5 (next): the trace releases 1, memsim releases 2");
  CHECK(compare("m begin\na 1 8 addmm\n").parting ==
        "2: event 2 (begin): the trace allocates 8 bytes as 1 (mm), memsim allocates 8 bytes as 1 "
        "(addmm)");
  CHECK(compare("m other\n").parting ==
        "1: event 1: the trace comes to begin, memsim comes to "
        "other");
  const SequenceComparison longer = compare(text + "f 2\n");
  CHECK(longer.agreeing == 5);
  CHECK(longer.parting == "5: event 6 (next): the trace ends, memsim releases 2");
  CHECK(compare("m begin\na 1 8 mm\nm next\n").parting ==
        "4: event 4 (next): the trace allocates 8 bytes as 2 (mm), memsim ends");
}

}  // namespace
}  // namespace memsim::validate
