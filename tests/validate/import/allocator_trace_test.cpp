#include "validate/import/allocator_trace.hpp"

#include "tests/support/catch.hpp"

namespace memsim::validate {
namespace {

std::optional<AllocatorTrace> parse(std::string_view text) {
  const scenarios::SourceFile file("x.trace", std::string(text), scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  return read_allocator_trace(file, diagnostics);
}

std::vector<std::string> errors_of(std::string_view text) {
  const scenarios::SourceFile file("x.trace", std::string(text), scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  REQUIRE_FALSE(read_allocator_trace(file, diagnostics));
  std::vector<std::string> lines;
  for (const scenarios::Diagnostic& diagnostic : diagnostics.sorted())
    lines.push_back(diagnostic.sentence());
  return lines;
}

std::string error_of(std::string_view text) {
  const std::vector<std::string> errors = errors_of(text);
  REQUIRE(errors.size() == 1);
  return errors[0];
}

}  // namespace

TEST_CASE("a trace is read operation by operation") {
  const auto trace = parse(
      "# a comment\n"
      "capacity 1024\n"
      "\n"
      "alloc 70 512 0\n"
      "alloc 9 1 3\n"
      "record 70 2\r\n"
      "free 9\n"
      "events manual\n"
      "nvml off\n"
      "config -\n"
      "complete 4\n"
      "pool_begin 1 0 2\n"
      "stats");
  REQUIRE(trace);
  const auto& ops = trace->ops;
  REQUIRE(ops.size() == 11);
  CHECK(ops[0].verb == TraceVerb::capacity);
  CHECK(ops[0].amount == 1024);
  CHECK(ops[0].line == 2);
  CHECK(ops[1].allocation == 0);  // IDs are numbered as they appear
  CHECK(ops[1].amount == 512);
  CHECK(ops[2].allocation == 1);
  CHECK(ops[2].stream == sim::StreamId{3});
  CHECK(ops[3].verb == TraceVerb::record);
  CHECK(ops[3].allocation == 0);
  CHECK(ops[3].stream == sim::StreamId{2});
  CHECK(ops[4].verb == TraceVerb::free);
  CHECK(ops[4].allocation == 1);
  CHECK(ops[5].amount == 1);
  CHECK(ops[6].amount == 0);
  CHECK(trace->options.at(static_cast<std::size_t>(ops[7].amount)).empty());
  CHECK(ops[8].stream == sim::StreamId{4});
  CHECK(ops[9].stream == sim::StreamId{2});
  CHECK(ops[10].verb == TraceVerb::stats);
  CHECK(ops[10].line == 13);
  CHECK(name(ops[9].verb) == "pool_begin");
}

TEST_CASE("a line that is no operation is an error with its number") {
  CHECK(error_of("stats\nallocate 1 2 3\n") == "E113 x.trace:2:1: unknown operation 'allocate'");
  CHECK(error_of("\n\nalloc 1 512\n") == "E113 x.trace:3:1: 'alloc' takes 3 arguments, here are 2");
  CHECK(error_of("free 1 2") == "E113 x.trace:1:1: 'free' takes 1 argument, here are 2");
  CHECK(error_of("stats now") == "E113 x.trace:1:1: 'stats' takes 0 arguments, here are 1");
  CHECK(error_of("alloc x 512 0") == "E113 x.trace:1:1: id 'x' is not a whole number");
  CHECK(error_of("alloc 1 -5 0") == "E113 x.trace:1:1: size '-5' is not a whole number");
  CHECK(error_of("alloc 1 5.5 0") == "E113 x.trace:1:1: size '5.5' is not a whole number");
  CHECK(error_of("alloc 1 9223372036854775808 0") ==
        "E113 x.trace:1:1: size 9223372036854775808 is larger than 9223372036854775807");
  CHECK(error_of("alloc 1 99999999999999999999999 0") ==
        "E113 x.trace:1:1: size 99999999999999999999999 is larger than 9223372036854775807");
  CHECK(error_of("complete 4294967296") ==
        "E113 x.trace:1:1: stream 4294967296 is larger than 4294967295");
  CHECK(error_of("events never") ==
        "E113 x.trace:1:1: 'never' is neither 'immediate' nor 'manual'");
  CHECK(error_of("nvml yes") == "E113 x.trace:1:1: 'yes' is neither 'off' nor 'on'");
  CHECK(error_of("capacity lots") == "E113 x.trace:1:1: bytes 'lots' is not a whole number");
  CHECK(error_of("alloc 1 512 0\nfree 2") == "E113 x.trace:2:1: id 2 was never allocated");
  CHECK(error_of("record 1 0") == "E113 x.trace:1:1: id 1 was never allocated");
  CHECK(error_of("pool_end 1 b") == "E113 x.trace:1:1: pool 'b' is not a whole number");
}

TEST_CASE("every line that is wrong is told, but not what follows from it") {
  CHECK(errors_of("alloc 1 x 0\nfree 1\nfree 2\nstats now\n") ==
        std::vector<std::string>{"E113 x.trace:1:1: size 'x' is not a whole number",
                                 "E113 x.trace:4:1: 'stats' takes 0 arguments, here are 1"});
}

TEST_CASE("options, shares and pools are kept for the operations that name them") {
  const auto trace = parse(
      "config max_split_size_mb:21,x:1\nfraction 0.5\npool_begin 7 8 1\nconfig -\npool_end 7 8\n");
  REQUIRE(trace);
  const auto kept = [&](std::size_t op) { return static_cast<std::size_t>(trace->ops[op].amount); };
  CHECK(trace->options.at(kept(0)) == "max_split_size_mb:21,x:1");
  CHECK(trace->fractions.at(kept(1)).of(1000) == 500);
  CHECK(trace->pools.at(kept(2)) == sim::TorchPoolId{7, 8});
  CHECK(trace->options.at(kept(3)).empty());
  CHECK(trace->pools.at(kept(4)) == sim::TorchPoolId{7, 8});
  CHECK(error_of("fraction half") == "E113 x.trace:1:1: fraction 'half' is no number from 0 to 1");
  CHECK(error_of("fraction -0.5") == "E113 x.trace:1:1: fraction '-0.5' is no number from 0 to 1");
}

TEST_CASE("a line is taken for an operation by its first word") {
  CHECK(starts_with_trace_verb("alloc"));
  CHECK(starts_with_trace_verb("  free 1"));
  CHECK_FALSE(starts_with_trace_verb("1 alloc 7f0000000000"));
  CHECK_FALSE(starts_with_trace_verb(""));
  CHECK(is_allocator_trace("\n# a comment\n  capacity 5\nrubbish"));
  CHECK_FALSE(is_allocator_trace("# a comment\n"));
  CHECK_FALSE(is_allocator_trace("1 alloc 7f0000000000\n"));
}

}  // namespace memsim::validate
