#include "sim/exec/rendezvous.hpp"

#include <algorithm>

namespace memsim::sim {

Rendezvous::Rendezvous(const std::vector<Job>& jobs, const Layout& layout) : layout_(layout) {
  std::vector<std::uint32_t> ids;
  for (const Job& job : jobs)
    ids.insert(ids.end(), job.placement.communicators.begin(), job.placement.communicators.end());
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  communicators_.resize(ids.size());
  for (std::uint32_t j = 0; j < jobs.size(); ++j) {
    std::vector<Place>& places = places_.emplace_back();
    for (const std::uint32_t id : jobs[j].placement.communicators) {
      const auto at = std::lower_bound(ids.begin(), ids.end(), id) - ids.begin();
      Communicator& communicator = communicators_[static_cast<std::size_t>(at)];
      places.push_back({static_cast<std::uint32_t>(at),
                        static_cast<std::uint32_t>(communicator.members.size())});
      communicator.members.push_back({j, {}});
      ++communicator.missing;
    }
  }
}

void Rendezvous::arrive(std::uint32_t queue, std::uint16_t local,
                        std::vector<std::uint32_t>& starting) {
  const Place at = place(queue, local);
  Communicator& communicator = communicators_[at.communicator];
  Member& member = communicator.members[at.member];
  if (member.waiting.empty()) --communicator.missing;
  member.waiting.push_back(queue);
  start_if_complete(communicator, starting);
}

void Rendezvous::start_if_complete(Communicator& communicator,
                                   std::vector<std::uint32_t>& starting) {
  if (communicator.missing > 0 || communicator.unended > 0) return;
  communicator.running.clear();
  for (Member& member : communicator.members) {
    communicator.running.push_back(member.waiting.front());
    member.waiting.erase(member.waiting.begin());
    if (member.waiting.empty()) ++communicator.missing;
  }
  communicator.unended = communicator.running.size();
  starting.insert(starting.end(), communicator.running.begin(), communicator.running.end());
}

void Rendezvous::end(std::uint32_t queue, std::uint16_t local, std::vector<std::uint32_t>& over,
                     std::vector<std::uint32_t>& starting) {
  Communicator& communicator = communicators_[place(queue, local).communicator];
  if (--communicator.unended > 0) return;
  over.insert(over.end(), communicator.running.begin(), communicator.running.end());
  start_if_complete(communicator, starting);
}

std::vector<std::uint32_t> Rendezvous::missing(std::uint32_t job, std::uint16_t local) const {
  std::vector<std::uint32_t> jobs;
  for (const Member& member : communicators_[places_[job][local].communicator].members) {
    if (member.waiting.empty()) jobs.push_back(member.job);
  }
  return jobs;
}

void Rendezvous::add_state(Digest& digest) const {
  for (const Communicator& communicator : communicators_) {
    for (const Member& member : communicator.members) {
      digest.add(member.waiting.size());
      for (const std::uint32_t queue : member.waiting) digest.add(queue);
    }
    digest.add(communicator.unended);
    if (communicator.unended == 0) continue;
    for (const std::uint32_t queue : communicator.running) digest.add(queue);
  }
}

}  // namespace memsim::sim
