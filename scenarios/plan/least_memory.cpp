#include "scenarios/plan/least_memory.hpp"

#include <algorithm>

namespace memsim::scenarios {
namespace {

using sim::Bytes;

constexpr std::int64_t confirming_samples = 4;

// Samples are numbered downwards from `enough`.
class Search {
 public:
  Search(Bytes lower, Bytes enough, const Completes& completes)
      : enough_(enough),
        distance_(std::max(Bytes(1), enough / memory_samples)),
        failing_((enough - lower).value() / distance_.value() + 1),
        completes_(completes) {}

  // The answer, or as soon as it must be above `most` some sample above it.
  Planned<Bytes> run(Bytes most) {
    while (failing_ - edge_ > 1) {
      const std::int64_t middle = edge_ + (failing_ - edge_) / 2;
      const auto completed = completes_(sample(middle));
      if (!completed) return tl::unexpected(completed.error());
      (*completed ? edge_ : failing_) = middle;
      if (sample(failing_ - 1) > most) return sample(edge_);
    }
    // A failure above the edge moves the edge above the failure.
    for (std::int64_t above = edge_ - 1; above > 0 && edge_ - above <= confirming_samples;
         --above) {
      const auto completed = completes_(sample(above));
      if (!completed) return tl::unexpected(completed.error());
      if (!*completed) edge_ = above - 1;
      if (sample(edge_) > most) break;
    }
    return sample(edge_);
  }

 private:
  [[nodiscard]] Bytes sample(std::int64_t index) const { return enough_ - distance_ * index; }

  Bytes enough_;
  Bytes distance_;
  std::int64_t edge_ = 0;  // the job completes in this one
  std::int64_t failing_;   // and not in this one
  const Completes& completes_;
};

}  // namespace

Planned<Bytes> least_memory(Bytes lower, Bytes enough, const Completes& completes) {
  return Search(lower, enough, completes).run(enough);
}

Planned<bool> completes_within(Bytes most, Bytes lower, Bytes enough, const Completes& completes) {
  if (enough <= most) return true;
  if (lower > most) return false;
  const auto least = Search(lower, enough, completes).run(most);
  if (!least) return tl::unexpected(least.error());
  return *least <= most;
}

}  // namespace memsim::scenarios
