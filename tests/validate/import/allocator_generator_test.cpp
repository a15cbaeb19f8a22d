#include "validate/import/allocator_generator.hpp"

#include "tests/support/catch.hpp"

namespace memsim::validate {
namespace {

constexpr std::string_view table =
    "Some text | with a bar\n"
    "| file | other |\n"
    "|---|---|\n"
    "| d9 | no generator |\n"
    "\n"
    "| file | seed | N | L | S | REC | header |\n"
    "|---|---|---|---|---|---|---|\n"
    "| d9 | 18446744073709551615 | 20 | 3 | 2 | 1 | capacity 4096; events manual |\n"
    "| bad | 1 | many | 3 | 2 | 1 | |\n"
    "| none | 1 | 0 | 3 | 2 | 1 | |\n"
    "| flag | 1 | 5 | 3 | 2 | 2 | |\n";

}  // namespace

TEST_CASE("the generator's parameters are read from the row of a table") {
  const auto spec = find_generator_in_table(table, "d9");
  REQUIRE(spec);
  CHECK(spec->seed == ~std::uint64_t{0});
  CHECK(spec->operations == 20);
  CHECK(spec->live == 3);
  CHECK(spec->streams == 2);
  CHECK(spec->record);
  CHECK(spec->header == std::vector<std::string>{"capacity 4096", "events manual"});
}

TEST_CASE("missing rows and wrong parameters of a generator are errors") {
  CHECK(find_generator_in_table(table, "d8").error().message == "no generator parameters for 'd8'");
  CHECK(find_generator_in_table(table, "bad").error().message ==
        "generator: N 'many' is not a number from 0 to 10000000");
  CHECK(find_generator_in_table(table, "none").error().message ==
        "generator: N and S must be at least 1");
  CHECK(find_generator_in_table(table, "flag").error().message ==
        "generator: REC '2' is not a number from 0 to 1");
  CHECK(find_generator_in_table("| file | seed | X |\n| a | 1 | 2 |\n", "a").error().message ==
        "generator: unknown parameter 'X'");
}

TEST_CASE("a digest may carry its generator's parameters") {
  const auto spec = find_generator_in_digest(
      "# from another run\n# seed=7 N=20 L=3 S=2 REC=0\n# header=capacity 4096; nvml on\nD 1 0\n");
  REQUIRE(spec);
  REQUIRE(*spec);
  CHECK((*spec)->seed == 7);
  CHECK_FALSE((*spec)->record);
  CHECK((*spec)->header == std::vector<std::string>{"capacity 4096", "nvml on"});
  CHECK_FALSE(find_generator_in_digest("# just words\nD 1 0\n"));
  CHECK_FALSE(find_generator_in_digest("D 1 0\n# seed=7\n"));
  const auto wrong = find_generator_in_digest("# seed=7 K=3\n");
  REQUIRE(wrong);
  CHECK(wrong->error().message == "generator: unknown parameter 'K'");
}

TEST_CASE("the generator draws as its rule says") {
  // splitmix64 from seed 0 gives E220A8397B1DCDAF, 6E789E6AA1B965F4, 06C45D188009454F,
  // F88BB8A8724C81EC, 1B39896A51A8749B, 53CB9F0C747EA2EA, 2C829ABE1F4532E1, C584133AC916AB3C,
  // 3EE5789041C98AC3, F3B8488C368CB0A6, 657EECDD3CB13D09, C2D326E0055BDEF6, 8621A03FE0BBDB7B,
  // 8E1F7555983AA92F, B54E0F1600CC4D19, 84BB3F97971D80AB. Modulo 100 the draws for x are
  // 35 (alloc), 47 (free), 13 (nothing live: alloc), 1 (free), 83 (alloc).
  TraceGenerator generator(
      {.seed = 0, .operations = 5, .live = 2, .streams = 4, .record = true, .header = {}});
  const auto a = generator.next();
  REQUIRE(a);
  CHECK(a->verb == TraceVerb::alloc);
  CHECK(a->amount == 1 + 0x454F);  // ...F4 % 16 = 4: 1 + ...454F % 65536
  CHECK(a->stream == sim::StreamId{0});
  const auto b = generator.next();
  REQUIRE(b);
  CHECK(b->verb == TraceVerb::free);
  CHECK(b->allocation == a->allocation);
  const auto c = generator.next();
  REQUIRE(c);
  CHECK(c->verb == TraceVerb::alloc);
  CHECK(c->amount == 2722500);  // ...3C % 16 = 12: 1 + 3EE5789041C98AC3 % 10485760
  CHECK(c->stream == sim::StreamId{2});
  CHECK(generator.next()->verb == TraceVerb::free);
  const auto d = generator.next();
  REQUIRE(d);
  CHECK(d->amount == 26 << 20);  // ...2F % 16 = 15: (1 + ...19 % 64) MiB
  CHECK(d->stream == sim::StreamId{3});
  CHECK_FALSE(generator.next());
}

TEST_CASE("the generator keeps to its limit, records only if asked, and empties the cache") {
  for (const bool record : {false, true}) {
    TraceGenerator generator({.seed = 5,
                              .operations = 100000,
                              .live = 20,
                              .streams = 3,
                              .record = record,
                              .header = {}});
    std::int64_t live = 0;
    std::int64_t records = 0;
    std::vector<std::int64_t> flushes;
    std::int64_t count = 0;
    while (const auto op = generator.next()) {
      ++count;
      if (op->verb == TraceVerb::alloc) ++live;
      if (op->verb == TraceVerb::free) --live;
      if (op->verb == TraceVerb::record) ++records;
      if (op->verb == TraceVerb::empty_cache) flushes.push_back(count);
      REQUIRE(live >= 0);
      REQUIRE(live <= 20);
    }
    CHECK(count == 100000);
    CHECK(flushes == std::vector<std::int64_t>{50000, 100000});
    CHECK((records > 0) == record);
  }
}

}  // namespace memsim::validate
