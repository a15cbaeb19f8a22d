#include "sim/memory/torch_stream_order.hpp"

#include <rapidcheck/catch.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

std::vector<std::uint32_t> walk(const TorchStreamOrder& order) {
  std::vector<std::uint32_t> streams;
  order.visit([&](StreamId stream) { streams.push_back(static_cast<std::uint32_t>(stream)); });
  return streams;
}

TorchStreamOrder order_of(const std::vector<std::uint32_t>& streams) {
  TorchStreamOrder order;
  for (const std::uint32_t stream : streams) order.insert(StreamId{stream});
  return order;
}

// The slot that a stream asks for in a table of 2^log2 slots: the top bits of
// (2^56 + 16 stream) x 11400714819323198485 mod 2^64.
std::uint64_t slot(std::uint32_t stream, unsigned log2) {
  return ((std::uint64_t{1} << 56) + std::uint64_t{16} * stream) * 11400714819323198485ULL >>
         (64 - log2);
}

}  // namespace

TEST_CASE("streams are walked in the order of their slots") {
  // 2^56 x the golden factor is 0x15 << 56 (its last byte is 0x15), so stream 0 asks for slot
  // 0x15 / 64 = 0 of four. Each stream further adds 16 x the factor, 0xE3779B97F4A7C150 mod 2^64,
  // to that: stream 1 is at 0xF8..., slot 3; stream 2 at 0xDB... (0x15 + 0xC6), slot 3.
  REQUIRE(slot(0, 2) == 0);
  REQUIRE(slot(1, 2) == 3);
  REQUIRE(slot(2, 2) == 3);
  CHECK(walk(order_of({0, 1})) == std::vector<std::uint32_t>{0, 1});
  CHECK(walk(order_of({1, 0})) == std::vector<std::uint32_t>{0, 1});
  // Both ask for slot 3: the second lies behind the first.
  CHECK(walk(order_of({1, 2})) == std::vector<std::uint32_t>{1, 2});
  CHECK(walk(order_of({2, 1})) == std::vector<std::uint32_t>{2, 1});
}

TEST_CASE("a third stream doubles the table and puts the streams in its order") {
  // Of eight slots stream 0 asks for 0x15 / 32 = 0, 1 for 0xF8 / 32 = 7, 2 for 0xDB / 32 = 6.
  REQUIRE(slot(0, 3) == 0);
  REQUIRE(slot(1, 3) == 7);
  REQUIRE(slot(2, 3) == 6);
  CHECK(walk(order_of({1, 2, 0})) == std::vector<std::uint32_t>{0, 2, 1});
  CHECK(walk(order_of({0, 1, 2})) == std::vector<std::uint32_t>{0, 2, 1});
}

TEST_CASE("a table that has grown keeps its size") {
  TorchStreamOrder order = order_of({0, 1, 2});
  order.clear();
  CHECK(order.empty());
  CHECK(walk(order).empty());
  order.insert(StreamId{1});
  order.insert(StreamId{2});
  // In four slots they would share one, and 1 would come first.
  CHECK(walk(order) == std::vector<std::uint32_t>{2, 1});
}

TEST_CASE("erasing a stream during a walk leaves no other one out") {
  TorchStreamOrder order = order_of({1, 2});
  std::vector<std::uint32_t> seen;
  order.visit_and_erase([&](StreamId stream) {
    seen.push_back(static_cast<std::uint32_t>(stream));
    return stream == StreamId{1};
  });
  // Stream 2 moves back into the slot of stream 1, and is seen there.
  CHECK(seen == std::vector<std::uint32_t>{1, 2});
  CHECK(walk(order) == std::vector<std::uint32_t>{2});
  CHECK(order.size() == 1);
}

TEST_CASE("a table grows when a stream would be pushed too far from its slot") {
  // Of 16 slots 196, 268 and 160 ask for 3, the others for 4. The first five fill 3 .. 7 in the
  // order given. 160 takes the place of 348 in 5, which would then have to go to 8, four from its
  // slot: 348 goes back, the table doubles, and the five enter in the order of the old slots. Of 32
  // slots 268 asks for 6, 196 and 160 for 7, 97 and 151 for 8, 348 for 9:
  //   196 in 7, 268 in 6, 348 in 9, 97 in 8; 151 takes 9, 348 moves to 10;
  //   160 takes 8, 97 moves to 10 (nearer than 348 would be), 348 to 11.
  CHECK(walk(order_of({196, 268, 348, 97, 151, 160})) ==
        std::vector<std::uint32_t>{268, 196, 160, 151, 97, 348});
}

TEST_CASE("an order of streams is a set") {
  rc::prop("inserting and erasing", [](const std::vector<std::uint16_t>& steps) {
    TorchStreamOrder order;
    std::set<std::uint32_t> plain;
    for (const std::uint16_t step : steps) {
      const std::uint32_t stream = step / 4 % 400;
      if (step % 4 != 0) {
        order.insert(StreamId{stream});
        plain.insert(stream);
      } else {
        order.visit_and_erase(
            [&](StreamId seen) { return static_cast<std::uint32_t>(seen) % 4 == stream % 4; });
        std::erase_if(plain, [&](std::uint32_t seen) { return seen % 4 == stream % 4; });
      }
      RC_ASSERT(order.size() == plain.size());
      std::vector<std::uint32_t> streams = walk(order);
      std::sort(streams.begin(), streams.end());
      RC_ASSERT(std::equal(streams.begin(), streams.end(), plain.begin(), plain.end()));
    }
  });
}

TEST_CASE("streams that ask for the same slot stay together in the order of their slots") {
  rc::prop("sorted by slot", [](const std::vector<std::uint32_t>& streams) {
    const TorchStreamOrder order = order_of(streams);
    unsigned log2 = 2;
    while (2 * order.size() > std::size_t{1} << log2) ++log2;
    const std::vector<std::uint32_t> walked = walk(order);
    // Long runs may have grown the table further; then its order is finer, never another.
    for (std::size_t at = 1; at < walked.size(); ++at) {
      RC_ASSERT(slot(walked[at - 1], log2) <= slot(walked[at], log2));
    }
  });
}

}  // namespace memsim::sim
