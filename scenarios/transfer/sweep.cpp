#include "scenarios/transfer/sweep.hpp"

#include <algorithm>
#include <utility>

namespace memsim::scenarios {
namespace {

Planned<TransferAnswer> ask(const TransferQuestion& question, sim::Bytes size) {
  std::vector<Transfer> transfers = question.transfers;
  for (std::size_t i = 0; i < transfers.size(); ++i)
    if (question.swept[i]) transfers[i].copy.bytes = size;
  return transfer(question.machine, transfers);
}

sim::Bandwidth rate(const TransferAnswer& answer) { return answer.transfers.front().rate; }

}  // namespace

Planned<Sweep> sweep(const TransferQuestion& question) {
  Sweep result;
  for (const sim::Bytes size : question.sizes) {
    auto answer = ask(question, size);
    if (!answer) return tl::unexpected(answer.error());
    result.points.push_back({size, *std::move(answer)});
  }
  const sim::Bandwidth half = rate(result.points.back().answer) / 2;
  const auto above = std::ranges::find_if(
      result.points, [&](const SweepPoint& point) { return rate(point.answer) >= half; });
  if (above == result.points.begin()) return result;
  sim::Bytes below = (above - 1)->size;
  sim::Bytes reached = above->size;
  while (reached - below > sim::Bytes(1)) {
    const sim::Bytes middle = below + (reached - below) / 2;
    const auto answer = ask(question, middle);
    if (!answer) return tl::unexpected(answer.error());
    (rate(*answer) >= half ? reached : below) = middle;
  }
  result.half_rate = reached;
  return result;
}

}  // namespace memsim::scenarios
