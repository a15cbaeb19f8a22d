#include "scenarios/plan/largest_micro_batch.hpp"

#include <algorithm>
#include <vector>

#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

using namespace sim::literals;

constexpr std::int64_t no_bound = 1'000'000'000;

// A job of `fixed` bytes and `each` bytes a sample in a memory of `most` bytes.
class Job {
 public:
  Job(std::int64_t fixed, std::int64_t each, std::int64_t most)
      : fixed_(fixed), each_(each), most_(most) {}

  std::optional<std::int64_t> search(std::int64_t start) {
    return largest_micro_batch(start, no_bound, sim::Bytes(most_), [this](std::int64_t size) {
      sizes_.push_back(size);
      const std::int64_t need = fixed_ + each_ * size;
      return BatchTrial{sim::Bytes(need), sim::Bytes(need), need <= most_};
    });
  }
  [[nodiscard]] std::size_t trials() const { return sizes_.size(); }

 private:
  std::int64_t fixed_;
  std::int64_t each_;
  std::int64_t most_;
  std::vector<std::int64_t> sizes_;
};

TEST_CASE("the largest micro-batch is the one that fits exactly, from whatever start") {
  // 100 + 7 x 128 = 996 <= 1000 < 1003.
  for (const std::int64_t start : {1, 2, 3, 64, 127, 128, 129, 130, 500, 1000}) {
    Job job(100, 7, 1000);
    CHECK(job.search(start) == 128);
  }
}

TEST_CASE("where memory grows evenly few trials are needed") {
  Job job(1'000'000, 700, 10'000'000);  // 9,000,000 / 700 = 12857.1
  CHECK(job.search(1) == 12857);
  // 1, 2, 128 and 8192 (a trial grows by 64 at most), the end of the line, one sample more.
  CHECK(job.trials() == 6);
}

TEST_CASE("no micro-batch fits when not even one sample does") {
  Job job(1000, 1, 1000);
  CHECK(job.search(8) == 0);
}

TEST_CASE("memory that grows unevenly only takes more trials") {
  // Below 50 samples something else is the peak: the line through two sizes says nothing.
  const auto trial = [](std::int64_t size) {
    const std::int64_t need = size < 50 ? 1000 : size * size;
    return std::optional(BatchTrial{sim::Bytes(need), sim::Bytes(need), need <= 5000});
  };
  CHECK(largest_micro_batch(1, no_bound, sim::Bytes(5000), trial) == 70);  // 4900 <= 5000 < 5041
}

TEST_CASE("a size that fits although the need is above the hint is still found") {
  // Trials decide: a cache that can be given back lets more fit than the line says.
  const auto trial = [](std::int64_t size) {
    return std::optional(BatchTrial{sim::Bytes(size * 10), sim::Bytes(size * 8), size <= 120});
  };
  CHECK(largest_micro_batch(1, no_bound, sim::Bytes(1000), trial) == 120);
}

TEST_CASE("a size that fits above one that does not is the answer") {
  // Fragments of 97 to 105 and of 109 samples do not fit, tensors reach the limit at 111.
  const auto trial = [](std::int64_t size) {
    const bool fragmented = (size > 96 && size <= 105) || size == 109;
    return std::optional(
        BatchTrial{sim::Bytes(size * 10), sim::Bytes(size * 9), size <= 110 && !fragmented});
  };
  CHECK(largest_micro_batch(1, no_bound, sim::Bytes(1000), trial) == 110);
  CHECK(largest_micro_batch(1, 109, sim::Bytes(1000), trial) == 108);
}

TEST_CASE("between samples of many sizes the largest that fits is still found") {
  // Fragments of 90 to 95 samples do not fit; tensors reach the limit at 142: 46 sizes.
  const auto trial = [](std::int64_t size) {
    const bool fragmented = size >= 90 && size <= 95;
    return std::optional(
        BatchTrial{sim::Bytes(size * 11), sim::Bytes(size * 7), size <= 124 && !fragmented});
  };
  for (const std::int64_t start : {1, 89, 90, 124})
    CHECK(largest_micro_batch(start, no_bound, sim::Bytes(1000), trial) == 124);
}

TEST_CASE("memory that does not grow at first is passed by doubling") {
  // The optimizer's peak hides the first 999 samples.
  std::int64_t trials = 0;
  const auto trial = [&](std::int64_t size) {
    ++trials;
    const std::int64_t need = std::max<std::int64_t>(1000, size);
    return std::optional(BatchTrial{sim::Bytes(need), sim::Bytes(need), need <= 5000});
  };
  CHECK(largest_micro_batch(1, no_bound, sim::Bytes(5000), trial) == 5000);
  // 1, 2, 3, 5, 9 and so on: the size doubles until it is beyond 1000, then the line is right.
  CHECK(trials <= 16);
}

TEST_CASE("the search ends where the setting does") {
  const auto always = [](std::int64_t) { return std::optional(BatchTrial{1_B, 1_B, true}); };
  CHECK(largest_micro_batch(1, 1000, sim::Bytes(1), always) == 1000);
  CHECK(largest_micro_batch(1000, 1000, sim::Bytes(1), always) == 1000);
}

TEST_CASE("the search gives up when trials are not possible") {
  CHECK_FALSE(largest_micro_batch(1, no_bound, sim::Bytes(1), [](std::int64_t) {
                return std::optional<BatchTrial>();
              }).has_value());
}

}  // namespace
}  // namespace memsim::scenarios
