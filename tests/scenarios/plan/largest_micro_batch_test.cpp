#include "scenarios/plan/largest_micro_batch.hpp"

#include <vector>

#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

// A job of `fixed` bytes and `each` bytes a sample in a memory of `most` bytes.
class Job {
 public:
  Job(std::int64_t fixed, std::int64_t each, std::int64_t most)
      : fixed_(fixed), each_(each), most_(most) {}

  std::optional<std::int64_t> search(std::int64_t start) {
    return largest_micro_batch(start, sim::Bytes(most_), [this](std::int64_t size) {
      sizes_.push_back(size);
      const std::int64_t need = fixed_ + each_ * size;
      return BatchTrial{sim::Bytes(need), need <= most_};
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
  CHECK(job.trials() <= 18);  // 15 to pass the limit by doubling, then the line and its neighbours
}

TEST_CASE("no micro-batch fits when not even one sample does") {
  Job job(1000, 1, 1000);
  CHECK(job.search(8) == 0);
}

TEST_CASE("memory that grows unevenly only takes more trials") {
  // Below 50 samples something else is the peak: the line through two sizes says nothing.
  const auto trial = [](std::int64_t size) {
    const std::int64_t need = size < 50 ? 1000 : size * size;
    return std::optional(BatchTrial{sim::Bytes(need), need <= 5000});
  };
  CHECK(largest_micro_batch(1, sim::Bytes(5000), trial) == 70);  // 4900 <= 5000 < 5041
}

TEST_CASE("a size that fits although the need is above the hint is still found") {
  // Trials decide: a cache that can be given back lets more fit than the line says.
  const auto trial = [](std::int64_t size) {
    return std::optional(BatchTrial{sim::Bytes(size * 10), size <= 120});
  };
  CHECK(largest_micro_batch(1, sim::Bytes(1000), trial) == 120);
}

TEST_CASE("the search gives up when trials are not possible or there is no end") {
  CHECK_FALSE(largest_micro_batch(1, sim::Bytes(1), [](std::int64_t) {
                return std::optional<BatchTrial>();
              }).has_value());
  CHECK_FALSE(largest_micro_batch(1, sim::Bytes(1), [](std::int64_t) {
                return std::optional(BatchTrial{sim::Bytes(1), true});
              }).has_value());
}

}  // namespace
}  // namespace memsim::scenarios
