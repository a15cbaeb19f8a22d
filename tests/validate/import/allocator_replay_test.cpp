#include "validate/import/allocator_replay.hpp"

#include "tests/support/catch.hpp"
#include "validate/import/allocator_digest.hpp"

namespace memsim::validate {
namespace {

std::optional<AllocatorTrace> parse(std::string_view text) {
  const scenarios::SourceFile file("x.trace", std::string(text), scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  return read_allocator_trace(file, diagnostics);
}

// The log up to END.
std::string log_of(std::string_view text) {
  const auto trace = parse(text);
  REQUIRE(trace);
  const auto log = replay_trace(*trace);
  REQUIRE(log);
  return log->substr(0, log->find("END\n"));
}

}  // namespace

TEST_CASE("a replay writes one line for each operation") {
  // Rounded to 512 and 1024 bytes in one segment of 2 MiB.
  CHECK(log_of("alloc 1 1 0\nalloc 2 600 0\nfree 1\nempty_cache\n") ==
        "1 alloc 7f0000000000 512 2097152 512 2096640 1 1 0 0 "
        "segment_alloc:7f0000000000:2097152:0\n"
        "2 alloc 7f0000000200 1536 2097152 1536 2095616 601 1 0 0\n"
        "3 free - 1024 2097152 1024 2096128 600 1 0 0 free_completed:7f0000000000:1:0\n"
        "4 empty_cache - 1024 2097152 1024 2096128 600 1 0 0\n");
}

TEST_CASE("a failed request is logged with its message, and its free is no operation") {
  const std::string log = log_of("capacity 4194304\nalloc 1 5000000 0\nfree 1\nalloc 1 1 0\n");
  CHECK(log.find("2 alloc OOM 0 0 0 0 0 0 1 1 oom:400000:5000192:0\n  msg CUDA out of memory. "
                 "Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 4.00 MiB of which "
                 "4.00 MiB is free. Of the allocated memory 0 bytes is allocated by PyTorch") !=
        std::string::npos);
  CHECK(log.find("3 free - 0 0 0 0 0 0 1 1\n4 alloc 7f0000000000 ") != std::string::npos);
}

TEST_CASE("a request of no bytes never reaches the allocator") {
  CHECK(log_of("alloc 1 0 0\nfree 1\n") == "1 alloc 0 0 0 0 0 0 0 0 0\n2 free - 0 0 0 0 0 0 0 0\n");
}

TEST_CASE("frees that complete together are logged by address") {
  const std::string log = log_of(
      "events manual\nalloc 1 512 0\nalloc 2 512 0\nrecord 2 1\nrecord 1 2\nfree 2\nfree 1\n"
      "complete 1\ncomplete 2\nempty_cache\n");
  // Stream 1 is walked first or last, the log is the same.
  CHECK(log.find("10 empty_cache - 0 0 0 0 0 0 0 0 free_completed:7f0000000000:512:0 "
                 "free_completed:7f0000000200:512:0 segment_free:7f0000000000:2097152:0\n") !=
        std::string::npos);
}

TEST_CASE("snapshots tell stale requests only if asked") {
  CHECK(log_of("alloc 1 700 1\nfree 1\nsnapshot\nstale on\nsnapshot\n") ==
        "1 alloc 7f0000000000 1024 2097152 1024 2096128 700 1 0 0 "
        "segment_alloc:7f0000000000:2097152:1\n"
        "2 free - 0 2097152 0 0 0 1 0 0 free_completed:7f0000000000:700:1\n"
        "3 snapshot - 0 2097152 0 0 0 1 0 0\n"
        "  S 7f0000000000 2097152 small stream=1 pool=0,0 allocated=0 active=0 requested=0\n"
        "    B 7f0000000000 2097152 - inactive\n"
        "4 stale - 0 2097152 0 0 0 1 0 0\n"
        "5 snapshot - 0 2097152 0 0 0 1 0 0\n"
        "  S 7f0000000000 2097152 small stream=1 pool=0,0 allocated=0 active=0 requested=0\n"
        "    B 7f0000000000 2097152 700 inactive\n");
}

TEST_CASE("an id that is allocated while it is live is an error of the trace") {
  const auto trace = parse("alloc 1 1 0\n# again\nalloc 1 1 0\n");
  REQUIRE(trace);
  const auto log = replay_trace(*trace);
  REQUIRE_FALSE(log);
  CHECK(log.error().line == 3);
  CHECK(log.error().message == "an id is allocated again while it is live");
}

TEST_CASE("a digest is the checksum of the log's lines") {
  const GeneratorSpec spec{.seed = 3, .operations = 40, .live = 9, .header = {"capacity 99999999"}};
  const auto header = generator_header(spec);
  REQUIRE(header);
  const auto digest = run_digest(*header, spec, 40);
  REQUIRE(digest);

  AllocatorReplay replay;
  std::string log;
  REQUIRE(replay.run(*header, header->ops.at(0), log));
  TraceGenerator generator(spec);
  std::uint64_t hash = 1469598103934665603ULL;
  std::string expected;
  const auto checksum = [&](std::int64_t count) {
    for (const char c : log) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    log.clear();
    std::string hex(16, '0');
    for (int at = 15; at >= 0; --at)
      hex[static_cast<std::size_t>(15 - at)] = "0123456789abcdef"[hash >> (4 * at) & 15];
    expected += "D " + std::to_string(count) + " " + hex + "\n";
  };
  while (const auto op = generator.next()) {
    REQUIRE(replay.run(*header, *op, log));
    if (replay.operations() == 40) checksum(40);
  }
  checksum(41);
  replay.finish(expected);
  CHECK(*digest == expected);
}

TEST_CASE("a digest file is told by its first line, which gives the interval") {
  CHECK(is_allocator_digest("D 20000 d9114462610563c0\nD 40000 bcb1037ad0571995\n"));
  CHECK(is_allocator_digest("# seed=1\nD 20000 d9114462610563c0\n"));
  CHECK_FALSE(is_allocator_digest("D 20000 d911446261\n"));
  CHECK_FALSE(is_allocator_digest("END\n"));
  CHECK_FALSE(is_allocator_digest(""));
  CHECK(digest_interval("# x\nD 20000 d9114462610563c0\n") == 20000);
  CHECK(digest_interval("D 0 d9114462610563c0\n").error().message ==
        "the checksum of '0' operations");
  CHECK_FALSE(digest_interval("END\n"));
}

TEST_CASE("a generator's header must be operations") {
  CHECK(generator_header({.header = {"capacity 1", "capacity"}}).error().message ==
        "header of the generator, operation 2: 'capacity' takes 1 argument, here are 0");
}

}  // namespace memsim::validate
