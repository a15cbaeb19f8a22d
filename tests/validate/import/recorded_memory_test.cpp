#include "validate/import/recorded_memory.hpp"

#include "tests/support/catch.hpp"

namespace memsim::validate {
namespace {

using scenarios::MemoryOp;
using scenarios::MemoryTrace;

MemoryTrace trace_of(std::string_view text) {
  const scenarios::SourceFile file("x.trace", std::string(text), scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  const auto trace = read_allocator_trace(file, diagnostics);
  REQUIRE(trace);
  return memory_trace(*trace);
}

}  // namespace

TEST_CASE("what a trace asks for becomes operations of any allocator") {
  const MemoryTrace trace = trace_of(
      "capacity 1000\nexternal 100\nconfig max_split_size_mb:64\nevents manual\n"
      "alloc 7 512 3\nrecord 7 4\nfree 7\ncomplete 4\nempty_cache\nalloc 7 600 0\nstats\n");
  CHECK(trace.capacity == sim::Bytes(900));
  CHECK(trace.options == "max_split_size_mb:64");
  CHECK_FALSE(trace.streams_end_at_once);
  CHECK(trace.allocations == 1);
  REQUIRE(trace.ops.size() == 6);
  CHECK(trace.ops[0].kind == MemoryOp::Kind::allocate);
  CHECK(trace.ops[0].bytes == sim::Bytes(512));
  CHECK(trace.ops[0].stream == sim::StreamId{3});
  CHECK(trace.ops[1].kind == MemoryOp::Kind::use);
  CHECK(trace.ops[2].kind == MemoryOp::Kind::free);
  CHECK(trace.ops[3].kind == MemoryOp::Kind::stream_done);
  CHECK(trace.ops[4].kind == MemoryOp::Kind::empty_cache);
  CHECK(trace.ops[5].bytes == sim::Bytes(600));
  CHECK(trace.left_out.empty());
}

TEST_CASE("what cannot be asked of every allocator is left out and counted") {
  const MemoryTrace trace = trace_of(
      "capacity 1000\ncapacity 2000\nconfig -\nconfig expandable_segments:True\nfraction 0.5\n"
      "pool_begin 1 0 1\npool_end 1 0\nalloc 1 5 0\nalloc 1 6 0\nfree 1\nfree 1\nrecord 1 2\n");
  CHECK(trace.capacity == sim::Bytes(1000));
  CHECK(trace.options.empty());
  CHECK(trace.ops.size() == 2);
  CHECK(trace.left_out == std::map<std::string, std::int64_t>{{"allocations of what is live", 1},
                                                              {"changes of options", 1},
                                                              {"changes of the capacity", 1},
                                                              {"frees of what is not live", 1},
                                                              {"memory fractions", 1},
                                                              {"private pools", 2},
                                                              {"uses of what is not live", 1}});
}

}  // namespace memsim::validate
