#include "validate/probe/budget.hpp"

#include <algorithm>
#include <utility>

namespace memsim::probe {

Budget::Budget(std::int64_t nanoseconds, std::function<std::int64_t()> now,
               std::function<bool()> interrupted)
    : now_(std::move(now)), interrupted_(std::move(interrupted)), end_(now_() + nanoseconds) {}

Budget::Share Budget::whole() { return {*this, end_}; }

bool Budget::lasts_until(std::int64_t end) {
  // An interrupt is what the user did last, so it names the end.
  if (interrupted_()) {
    ended_ = Ended::interrupt;
    return false;
  }
  if (now_() < end) return true;
  if (ended_ == Ended::complete) ended_ = Ended::budget;
  return false;
}

Budget::Share Budget::Share::part(int parts) const {
  const std::int64_t now = budget_->now_();
  return {*budget_, now + std::max<std::int64_t>(end_ - now, 0) / parts};
}

}  // namespace memsim::probe
