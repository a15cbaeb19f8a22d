// How long a program may measure.
//
// The budget is divided while it is spent: a share is one of so many equal parts of the time that
// is left at that moment, so what a quick series does not use is there for the ones after it.
#pragma once

#include <cstdint>
#include <functional>

namespace memsim::probe {

// Why measuring ended.
enum class Ended { complete, budget, interrupt };

class Budget {
 public:
  class Share;

  // `now` gives nanoseconds and never goes back; `interrupted` says whether the user wants an end.
  // The time runs from here on.
  Budget(std::int64_t nanoseconds, std::function<std::int64_t()> now,
         std::function<bool()> interrupted);
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;
  ~Budget() = default;

  // All of it. The budget outlives its shares.
  [[nodiscard]] Share whole();

  // `complete` as long as every sample that was wanted was taken.
  [[nodiscard]] Ended ended() const { return ended_; }

 private:
  bool lasts_until(std::int64_t end);

  std::function<std::int64_t()> now_;
  std::function<bool()> interrupted_;
  std::int64_t end_;
  Ended ended_ = Ended::complete;
};

class Budget::Share {
 public:
  // The first of `parts` equal parts of what is left of this one. Requires: parts >= 1.
  [[nodiscard]] Share part(int parts) const;

  // Whether there is time for one more. To be asked for samples that are wanted, and only for
  // those: "no" is what makes a measurement incomplete.
  [[nodiscard]] bool lasts() const { return budget_->lasts_until(end_); }

 private:
  friend class Budget;
  Share(Budget& budget, std::int64_t end) : budget_(&budget), end_(end) {}

  Budget* budget_;
  std::int64_t end_;
};

// Calls `sample` `times` times, or until the share is spent.
template <typename Sample>
void repeat(const Budget::Share& share, int times, Sample&& sample) {
  for (int i = 0; i < times && share.lasts(); ++i) sample();
}

}  // namespace memsim::probe
