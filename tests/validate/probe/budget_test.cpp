#include "validate/probe/budget.hpp"

#include <cstdint>

#include "tests/support/catch.hpp"

namespace memsim::probe {
namespace {

// A budget on a clock that moves when it is told to.
struct Hand {
  std::int64_t now = 1000;
  bool interrupted = false;
  Budget budget{100, [this] { return now; }, [this] { return interrupted; }};

  // Samples taken of `times` that last `each`.
  int repeat_samples(const Budget::Share& share, int times, std::int64_t each) {
    int taken = 0;
    repeat(share, times, [&] {
      ++taken;
      now += each;
    });
    return taken;
  }
};

TEST_CASE("a budget lasts for its time from its making, and a sample begins while it does") {
  Hand hand;
  // Begun at 0, 30, 60 and 90; at 120 the 100 are over.
  CHECK(hand.repeat_samples(hand.budget.whole(), 10, 30) == 4);
  CHECK(hand.budget.ended() == Ended::budget);
}

TEST_CASE("a budget that suffices for all samples ends complete") {
  Hand hand;
  CHECK(hand.repeat_samples(hand.budget.whole(), 3, 40) == 3);  // 120 are over, none is missing
  CHECK(hand.budget.ended() == Ended::complete);
}

TEST_CASE("a part of a budget leaves the rest to others, and what it did not use") {
  Hand hand;
  const Budget::Share whole = hand.budget.whole();
  CHECK(hand.repeat_samples(whole.part(4), 100, 5) == 5);  // a quarter of 100 is 25
  CHECK(hand.budget.ended() == Ended::budget);
  CHECK(hand.repeat_samples(whole.part(3), 2, 5) == 2);     // a third of 75, of which 10 are used
  CHECK(hand.repeat_samples(whole.part(2), 100, 1) == 32);  // half of 65
  CHECK(hand.repeat_samples(whole.part(1), 100, 1) == 33);  // all that is left
}

TEST_CASE("a part of a part of a budget is within it") {
  Hand hand;
  const Budget::Share half = hand.budget.whole().part(2);
  CHECK(hand.repeat_samples(half.part(5), 100, 1) == 10);
  CHECK(hand.repeat_samples(half.part(1), 100, 1) == 40);
}

TEST_CASE("a spent budget has no parts left") {
  Hand hand;
  const Budget::Share whole = hand.budget.whole();
  hand.now += 500;
  CHECK_FALSE(whole.part(1).lasts());
  CHECK_FALSE(whole.part(3).lasts());
}

TEST_CASE("an interrupt ends a budget at once, and is what ended it from then on") {
  Hand hand;
  const Budget::Share whole = hand.budget.whole();
  int taken = 0;
  repeat(whole, 10, [&] { hand.interrupted = ++taken == 3; });
  CHECK(taken == 3);
  CHECK(hand.budget.ended() == Ended::interrupt);
  hand.now += 500;
  CHECK_FALSE(whole.lasts());
  CHECK(hand.budget.ended() == Ended::interrupt);
}

}  // namespace
}  // namespace memsim::probe
