#include "scenarios/plan/least_memory.hpp"

#include <set>

#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

using namespace sim::literals;

// A job that takes 2560 bytes without a limit, so that samples are 10 bytes apart, and completes
// in `least` bytes, but not in the samples `holes`.
class Job {
 public:
  explicit Job(std::int64_t least, std::set<std::int64_t> holes = {})
      : least_(least), holes_(std::move(holes)) {}

  std::int64_t least_memory() { return scenarios::least_memory(0_B, 2560_B, completes_)->value(); }
  bool completes_within(std::int64_t most) {
    return *scenarios::completes_within(sim::Bytes(most), 0_B, 2560_B, completes_);
  }
  [[nodiscard]] int runs() const { return runs_; }

 private:
  std::int64_t least_;
  std::set<std::int64_t> holes_;
  int runs_ = 0;
  Completes completes_ = [this](sim::Bytes capacity) -> Planned<bool> {
    ++runs_;
    return capacity.value() >= least_ && !holes_.contains(capacity.value());
  };
};

TEST_CASE("the least memory is the lowest sample in which a job completes") {
  CHECK(Job(1000).least_memory() == 1000);
  CHECK(Job(1001).least_memory() == 1010);
  CHECK(Job(0).least_memory() == 0);
  CHECK(Job(2551).least_memory() == 2560);
}

TEST_CASE("the least memory is found with few runs") {
  Job job(1000);
  CHECK(job.least_memory() == 1000);
  CHECK(job.runs() <= 8 + 4);  // 257 samples halve eight times; four more confirm
}

TEST_CASE("a failure close above the least memory moves it above the failure") {
  CHECK(Job(1000, {1010}).least_memory() == 1020);
  CHECK(Job(1000, {1030}).least_memory() == 1040);
  CHECK(Job(1000, {1030, 1070}).least_memory() == 1080);
  CHECK(Job(2510, {2550}).least_memory() == 2560);
}

TEST_CASE("no sample below the lower bound is run") {
  const auto never_below = [](sim::Bytes capacity) -> Planned<bool> {
    CHECK(capacity >= 2000_B);
    return true;
  };
  CHECK(*least_memory(2000_B, 2560_B, never_below) == 2000_B);
  CHECK(*least_memory(2560_B, 2560_B, never_below) == 2560_B);
}

TEST_CASE("whether a job completes within an amount is what the least memory says") {
  for (const std::set<std::int64_t>& holes :
       {std::set<std::int64_t>{}, {1010}, {1040, 1060}, {1300, 1280}})
    for (std::int64_t most = 900; most < 1400; most += 5) {
      CAPTURE(most);
      CHECK(Job(1000, holes).completes_within(most) == (Job(1000, holes).least_memory() <= most));
    }
}

TEST_CASE("a run that is not possible ends the search with its reason") {
  const auto spent = [](sim::Bytes) -> Planned<bool> { return not_modelled("spent"); };
  CHECK(least_memory(0_B, 2560_B, spent).error().message == "spent");
  CHECK(completes_within(1000_B, 0_B, 2560_B, spent).error().message == "spent");
}

}  // namespace
}  // namespace memsim::scenarios
