// Collectives: who has reached one, and when it may start and end.
//
// The members of a communicator are the jobs that name it. Each brings its collectives in the order
// in which its streams reach them; the n-th of one member belongs to the n-th of every other. A
// communicator runs one collective at a time, which starts when all members have reached it and
// ends, for all of them, when the last member's work has ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/digest.hpp"
#include "sim/exec/layout.hpp"

namespace memsim::sim {

class Rendezvous {
 public:
  Rendezvous(const std::vector<Job>& jobs, const Layout& layout);

  // The queue has reached a collective on its job's communicator `local`. Appends the queues that
  // start now: all members', in the order of the jobs, or none.
  void arrive(std::uint32_t queue, std::uint16_t local, std::vector<std::uint32_t>& starting);
  // The member's work has ended. Appends the queues whose collective is over (all members' or
  // none), then those of the next one that can start.
  void end(std::uint32_t queue, std::uint16_t local, std::vector<std::uint32_t>& over,
           std::vector<std::uint32_t>& starting);

  // Jobs that a collective on this communicator still waits for, for messages.
  [[nodiscard]] std::vector<std::uint32_t> missing(std::uint32_t job, std::uint16_t local) const;

  void add_state(Digest& digest) const;

 private:
  struct Member {
    std::uint32_t job;
    std::vector<std::uint32_t> waiting;  // queues, first come first
  };
  struct Communicator {
    std::vector<Member> members;         // in the order of the jobs
    std::size_t missing = 0;             // members without a waiting queue
    std::vector<std::uint32_t> running;  // queues of the collective in progress, by member
    std::size_t unended = 0;             // of them
  };
  struct Place {
    std::uint32_t communicator;
    std::uint32_t member;
  };

  [[nodiscard]] Place place(std::uint32_t queue, std::uint16_t local) const {
    return places_[layout_.queues()[queue].job][local];
  }
  static void start_if_complete(Communicator& communicator, std::vector<std::uint32_t>& starting);

  const Layout& layout_;
  std::vector<Communicator> communicators_;
  std::vector<std::vector<Place>> places_;  // by job and local communicator
};

}  // namespace memsim::sim
