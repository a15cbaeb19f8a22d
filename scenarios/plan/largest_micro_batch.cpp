#include "scenarios/plan/largest_micro_batch.hpp"

#include <algorithm>

#include "sim/core/int128.hpp"

namespace memsim::scenarios {
namespace {

constexpr std::int64_t largest_growth = 64;  // from one trial to the next
constexpr std::int64_t most_trials_above = 16;

struct Point {
  std::int64_t size = 0;
  BatchTrial trial;
};

class Search {
 public:
  Search(sim::Bytes most, const TryBatch& try_batch) : most_(most), try_batch_(try_batch) {}

  std::optional<std::int64_t> run(std::int64_t start, std::int64_t largest) {
    if (!test(start)) return std::nullopt;
    while (!failing_) {
      if (fitting_->size == largest) return largest;
      if (!test(std::min(further(), largest))) return std::nullopt;
    }
    // By the line, then beside it, which closes the search if the line was right; else the middle
    // at least halves what is left.
    while (is_open()) {
      if (const auto size = by_line()) {
        if (!test(*size)) return std::nullopt;
        if (is_open() && !test(beside())) return std::nullopt;
      }
      if (is_open() && !test(middle())) return std::nullopt;
    }
    return largest_above(largest);
  }

 private:
  [[nodiscard]] std::int64_t low() const { return fitting_ ? fitting_->size : 0; }
  [[nodiscard]] std::int64_t high() const { return failing_->size; }
  [[nodiscard]] bool is_open() const { return high() - low() > 1; }
  [[nodiscard]] std::int64_t middle() const { return low() + (high() - low()) / 2; }
  [[nodiscard]] std::int64_t beside() const { return last_fits_ ? low() + 1 : high() - 1; }

  // How many samples more than `b` the line through `a` and `b` allows. Nothing if it does not
  // rise.
  [[nodiscard]] std::optional<std::int64_t> reach(const Point& a, const Point& b,
                                                  sim::Bytes BatchTrial::* bytes) const {
    const sim::Int128 rise = (b.trial.*bytes - a.trial.*bytes).value();
    const sim::Int128 room = (most_ - b.trial.*bytes).value();
    if (rise <= 0 || room < 0) return std::nullopt;
    const sim::Int128 bound = static_cast<sim::Int128>(b.size) * (largest_growth - 1);
    return static_cast<std::int64_t>(std::min(room * (b.size - a.size) / rise, bound));
  }

  // Where the line through two sizes that fit ends. A step that doubles goes on from there: if the
  // line was right, one sample more does not fit.
  [[nodiscard]] std::int64_t further() {
    const std::int64_t size = fitting_->size;
    std::int64_t more = size;
    if (before_) {
      const bool within_cache = fitting_->trial.reserved <= most_;
      const auto bytes = within_cache ? &BatchTrial::reserved : &BatchTrial::live;
      more = reach(*before_, *fitting_, bytes).value_or(more);
    }
    if (more > step_) {
      step_ = 1;
      return size + more;
    }
    more = step_;
    step_ *= 2;
    return size + more;
  }

  // Between two sizes of which one has its cache within the limit, and one has not.
  [[nodiscard]] std::optional<std::int64_t> by_line() const {
    if (!fitting_ || fitting_->trial.reserved > most_ || failing_->trial.reserved <= most_)
      return std::nullopt;
    const sim::Int128 rise = (failing_->trial.reserved - fitting_->trial.reserved).value();
    const sim::Int128 room = (most_ - fitting_->trial.reserved).value();
    const sim::Int128 step = room * (high() - low()) / rise;
    const sim::Int128 last_step = high() - low() - 1;
    return low() + static_cast<std::int64_t>(std::clamp<sim::Int128>(step, 1, last_step));
  }

  // One sample more than the largest that fits does not, but a still larger size may, up to where
  // tensors alone reach `most`: sizes from there on downwards, and where one fits the sizes between
  // it and the next one above, which does not.
  std::optional<std::int64_t> largest_above(std::int64_t largest) const {
    const Point none{0, {}};
    const Point& base = fitting_ ? *fitting_ : none;
    const std::int64_t room = reach(base, *failing_, &BatchTrial::live).value_or(0);
    std::int64_t fitting = low();
    std::int64_t below = high();  // neither fits nor is tested again
    std::int64_t above = std::min(high() + room, largest) + 1;
    while (above - below > 1) {
      const std::int64_t step = 1 + (above - below - 2) / most_trials_above;
      std::int64_t size = above - 1;
      for (; size > below; size -= step) {
        const auto trial = try_batch_(size);
        if (!trial) return std::nullopt;
        if (trial->fits) break;
      }
      if (size <= below) break;
      fitting = size;
      below = size;
      above = std::min(above, size + step);
    }
    return fitting;
  }

  bool test(std::int64_t size) {
    const auto trial = try_batch_(size);
    if (!trial) return false;
    last_fits_ = trial->fits;
    if (last_fits_) before_ = fitting_;
    (last_fits_ ? fitting_ : failing_) = Point{size, *trial};
    return true;
  }

  sim::Bytes most_;
  const TryBatch& try_batch_;
  std::optional<Point> before_;   // the largest but one that fits
  std::optional<Point> fitting_;  // the largest
  std::optional<Point> failing_;  // the smallest
  bool last_fits_ = false;
  std::int64_t step_ = 1;
};

}  // namespace

std::optional<std::int64_t> largest_micro_batch(std::int64_t start, std::int64_t largest,
                                                sim::Bytes most, const TryBatch& try_batch) {
  return Search(most, try_batch).run(start, largest);
}

}  // namespace memsim::scenarios
