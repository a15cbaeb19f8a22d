#include "validate/import/torch_snapshot.hpp"

#include <string>

#include "tests/support/catch.hpp"
#include "validate/import/text_file.hpp"

namespace memsim::validate {
namespace {

using scenarios::MemoryOp;
using scenarios::MemoryTrace;

sim::Result<MemoryTrace> read(const std::string& name) {
  const auto bytes = read_text_file(MEMSIM_SOURCE_DIR "/tests/validate/import/snapshots/" + name);
  REQUIRE(bytes.has_value());
  CHECK(is_pickle(*bytes));
  return Pickle::read(*bytes).and_then(read_torch_snapshot);
}

std::string error_of(const std::string& bytes) {
  const auto trace = Pickle::read(bytes).and_then(read_torch_snapshot);
  return trace ? "" : trace.error().message;
}

}  // namespace

// The files hold, as CPython's pickle writes it: on device 0 free_requested of 700 B at +2048
// (older than the history), alloc of 1000 B at +512, alloc of 30 B at +4096 on stream 99, an oom,
// free_requested of those 30 B; one event of device 1; blocks of 100 B at +0 and 1000 B at +512 in
// use at the end; the options max_split_size_mb:64.
TEST_CASE("a snapshot's history becomes operations, with what was there before it") {
  for (const char* name : {"two_devices.pickle", "two_devices_protocol_4.pickle"}) {
    const auto trace = read(name);
    REQUIRE(trace.has_value());
    CHECK(trace->options == "max_split_size_mb:64");
    CHECK(trace->allocations == 4);
    REQUIRE(trace->ops.size() == 6);
    const auto is = [&](std::size_t at, MemoryOp::Kind kind, std::uint32_t allocation,
                        std::int64_t bytes, std::uint32_t stream) {
      const MemoryOp& op = trace->ops[at];
      return op.kind == kind && op.allocation == allocation && op.bytes == sim::Bytes(bytes) &&
             op.stream == sim::StreamId{stream};
    };
    // Earlier blocks by address: +0 is in use at the end, +2048 is given back first.
    CHECK(is(0, MemoryOp::Kind::allocate, 0, 100, 0));
    CHECK(is(1, MemoryOp::Kind::allocate, 1, 700, 0));
    CHECK(is(2, MemoryOp::Kind::free, 1, 0, 0));
    CHECK(is(3, MemoryOp::Kind::allocate, 2, 1000, 0));
    CHECK(is(4, MemoryOp::Kind::allocate, 3, 30, 1));
    CHECK(is(5, MemoryOp::Kind::free, 3, 0, 0));
    CHECK(trace->left_out == std::map<std::string, std::int64_t>{{"events of other devices", 1},
                                                                 {"recorded out-of-memories", 1}});
  }
}

TEST_CASE("pickles that are no snapshots, or have no history, say so") {
  CHECK(error_of("\x80\x02N.").find("expected a snapshot with `device_traces`") !=
        std::string::npos);
  const std::string key = std::string("\x80\x02}X\x0d\0\0\0device_traces", 21);
  CHECK(error_of(key + "]s.").find("the history is empty") != std::string::npos);
  CHECK(error_of(key + "](]es.").find("the history is empty") != std::string::npos);
  CHECK(error_of(key + "](Nes.").find("something else than lists") != std::string::npos);
  CHECK(error_of(key + "](](K\x05"
                       "ees.")
            .find("event 0 has no `action`") != std::string::npos);
  const std::string event = std::string("}X\x06\0\0\0actionX\x05\0\0\0allocs", 23);
  CHECK(error_of(key + "](](" + event + "ees.").find("event 0 has no integer `") !=
        std::string::npos);
}

TEST_CASE("what begins otherwise is no pickle") {
  CHECK_FALSE(is_pickle(""));
  CHECK_FALSE(is_pickle("\x80"));
  CHECK_FALSE(is_pickle("alloc 1 2 3\n"));
  CHECK_FALSE(is_pickle("\x80\x09"));
}

}  // namespace memsim::validate
