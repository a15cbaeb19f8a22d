#include "sim/core/random.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

TEST_CASE("SplitMix64 gives the published outputs for seed 1234567") {
  // Source: Rosetta Code, "Pseudo-random numbers/Splitmix64".
  SplitMix64 generator(1234567);
  const std::array<std::uint64_t, 5> published{6457827717110365317U, 3203168211198807973U,
                                               9817491932198370423U, 4593380528125082431U,
                                               16408922859458223821U};
  for (const std::uint64_t output : published) CHECK(generator.next() == output);
}

TEST_CASE("Random gives the reference outputs of xoshiro256** for the state 1, 2, 3, 4") {
  // Source: test vectors of rand_xoshiro, made with the authors' C code. The first one by hand:
  // rotl(2 x 5, 7) x 9 = 1280 x 9 = 11520.
  Random generator(Random::State{1, 2, 3, 4});
  const std::array<std::uint64_t, 10> published{11520U,
                                                0U,
                                                1509978240U,
                                                1215971899390074240U,
                                                1216172134540287360U,
                                                607988272756665600U,
                                                16172922978634559625U,
                                                8476171486693032832U,
                                                10595114339597558777U,
                                                2904607092377533576U};
  for (const std::uint64_t output : published) CHECK(generator.next() == output);
}

TEST_CASE("a seed stands for the state of four SplitMix64 outputs") {
  SplitMix64 spread(99);
  Random::State state{};
  for (std::uint64_t& word : state) word = spread.next();
  Random by_state(state);
  Random by_seed(99);
  for (int i = 0; i < 5; ++i) CHECK(by_seed.next() == by_state.next());
  CHECK_THROWS_AS(Random(Random::State{}), InternalError);
}

TEST_CASE(
    "bounded numbers are the high word of a product, drawn again where that would be unfair") {
  // 2^64 mod n = 2^63 - 1 for n = 2^63 + 1: nearly half of all draws are drawn again, and what is
  // kept is the high word of output x n.
  const std::uint64_t n = (std::uint64_t{1} << 63) + 1;
  Random generator(7);
  Random outputs(7);
  for (int i = 0; i < 100; ++i) {
    UInt128 product = 0;
    do {
      product = static_cast<UInt128>(outputs.next()) * n;
    } while (static_cast<std::uint64_t>(product) < (std::uint64_t{1} << 63) - 1);
    REQUIRE(generator.bounded(n) == static_cast<std::uint64_t>(product >> 64));
  }
  CHECK(generator.bounded(1) == 0);
  CHECK_THROWS_AS(generator.bounded(0), InternalError);
}

TEST_CASE("bounded numbers fall equally often on every value") {
  // 70,000 draws of 7 values: 10,000 each, standard deviation sqrt(70000 x 1/7 x 6/7) = 93.
  Random generator(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) ++counts[generator.bounded(7)];
  for (const int count : counts) {
    CHECK(count > 10'000 - 5 * 93);
    CHECK(count < 10'000 + 5 * 93);
  }
}

TEST_CASE("a shuffle keeps all items and gives every order equally often") {
  // 24,000 shuffles of 4 items, 24 orders: 1,000 each, standard deviation sqrt(1000 x 23/24) = 31.
  Random generator(2);
  std::map<std::vector<int>, int> counts;
  for (int i = 0; i < 24'000; ++i) {
    std::vector<int> items{1, 2, 3, 4};
    generator.shuffle(std::span(items));
    ++counts[items];
  }
  CHECK(counts.size() == 24);
  for (const auto& [order, count] : counts) {
    const std::vector<int> items{1, 2, 3, 4};
    CHECK(std::is_permutation(order.begin(), order.end(), items.begin(), items.end()));
    CHECK(count > 1'000 - 5 * 31);
    CHECK(count < 1'000 + 5 * 31);
  }
}

}  // namespace
}  // namespace memsim::sim
