#include "scenarios/plan/largest_micro_batch.hpp"

#include <algorithm>

#include "sim/core/int128.hpp"

namespace memsim::scenarios {
namespace {

constexpr std::int64_t largest_tried = std::int64_t{1} << 20;

struct Point {
  std::int64_t size = 0;
  std::int64_t need = 0;
};

class Search {
 public:
  Search(sim::Bytes most, const TryBatch& try_batch) : most_(most.value()), try_batch_(try_batch) {}

  std::optional<std::int64_t> run(std::int64_t start) {
    if (!test(start)) return std::nullopt;
    while (!failing_) {
      if (fitting_->size >= largest_tried) return std::nullopt;
      if (!test(fitting_->size * 2)) return std::nullopt;
    }
    // By the line, then beside it, which closes the search if the line was right; else the middle
    // at least halves what is left.
    while (is_open()) {
      if (!test(by_line())) return std::nullopt;
      if (is_open() && !test(beside())) return std::nullopt;
      if (is_open() && !test(middle())) return std::nullopt;
    }
    return low();
  }

 private:
  [[nodiscard]] std::int64_t low() const { return fitting_ ? fitting_->size : 0; }
  [[nodiscard]] std::int64_t high() const { return failing_->size; }
  [[nodiscard]] bool is_open() const { return high() - low() > 1; }
  [[nodiscard]] std::int64_t middle() const { return low() + (high() - low()) / 2; }
  [[nodiscard]] std::int64_t beside() const { return last_fits_ ? low() + 1 : high() - 1; }

  [[nodiscard]] std::int64_t by_line() const {
    if (!fitting_ || failing_->need <= fitting_->need) return middle();
    const sim::Int128 room = std::max<std::int64_t>(0, most_ - fitting_->need);
    const sim::Int128 step = room * (high() - low()) / (failing_->need - fitting_->need);
    const sim::Int128 last_step = high() - low() - 1;
    return low() + static_cast<std::int64_t>(std::clamp<sim::Int128>(step, 1, last_step));
  }

  bool test(std::int64_t size) {
    const auto trial = try_batch_(size);
    if (!trial) return false;
    last_fits_ = trial->fits;
    (last_fits_ ? fitting_ : failing_) = Point{size, trial->need.value()};
    return true;
  }

  std::int64_t most_;
  const TryBatch& try_batch_;
  std::optional<Point> fitting_;  // the largest
  std::optional<Point> failing_;  // the smallest
  bool last_fits_ = false;
};

}  // namespace

std::optional<std::int64_t> largest_micro_batch(std::int64_t start, sim::Bytes most,
                                                const TryBatch& try_batch) {
  return Search(most, try_batch).run(start);
}

}  // namespace memsim::scenarios
