// What a run was: time by phase, queue and reason; memory by phase and owner; or where it ran out.
//
// Vocabulary. A *queue* is anything that does one thing after another: the host threads of a job,
// then its streams. The life of a queue, from the start to the end of its job, is tiled by *spans*
// without gaps or overlaps; each has a Reason, also when nothing happened. A *phase* is a part of
// the program that users know by name ("step2.forward").
//
// Which phase a span counts for. Host threads run ahead of the streams that they feed, so "seconds
// of forward" needs a rule:
// - a thread's span counts for the phase that the thread is in;
// - a stream's span counts for the phase in which its operation was launched, whether it runs or
//   waits (for an event, an engine, the other members of a collective);
// - while a stream is empty, its span counts for the phase that thread 0 is in at that instant.
// PhaseRun::time is the time that stream 0, the compute stream, spends in the phase by this rule:
// the work of the phase where the device is behind, the host's own time where the device has
// nothing to do. Stream 0 is tiled, so the times of all phases add up to JobRun::end exactly. What
// thread 0 spent in the phase on its own clock is the sum of queues[0]
// (docs/adr/0007-time-of-a-phase.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/memory/allocator.hpp"
#include "sim/memory/ledger.hpp"

namespace memsim::sim {

// Why a queue (stream or thread) did nothing, or what its work was bound by.
enum class Reason : std::uint8_t {
  work,        // busy; the route that bounds it is given beside it
  latency,     // fixed part of a work: its own, and that of the route that bounds it
  host,        // stream: empty, nothing was launched yet ("launch bound")
  event,       // stream: waits for an event of another stream
  engine,      // waits for a copy engine
  rendezvous,  // stream: waits for other members of a collective, to start or to end it
  device,      // thread: waits for streams (synchronise, a full launch queue, a cache flush)
  driver,      // thread: inside cudaMalloc, cudaFree, cache flush
  launch,      // thread: launching
  semaphore,   // thread: waits for another thread
  finished,    // after the last operation, while the job goes on
};
inline constexpr std::size_t reason_count = 11;

constexpr std::array<std::string_view, reason_count> reason_names{
    "work",   "latency", "host",   "event",     "engine",  "rendezvous",
    "device", "driver",  "launch", "semaphore", "finished"};

constexpr std::string_view name(Reason reason) {
  return reason_names[static_cast<std::size_t>(reason)];
}

inline constexpr std::uint32_t no_route = 0xFFFFFFFF;

struct Span {
  std::uint32_t job;
  std::uint32_t queue;  // threads first, then streams
  std::uint32_t phase;
  Reason reason;
  std::uint32_t route;  // Reason::work: the route whose demand was met last; else no_route
  std::uint32_t label;  // of the work that ran, was launched or waited; else no_label of ledger.hpp
  Time begin;
  Time end;  // > begin

  friend bool operator==(const Span&, const Span&) = default;
};

// Time of one queue within one phase, by reason and (for work) by binding route.
struct QueueTime {
  std::array<Duration, reason_count> by_reason{};
  std::vector<Duration> by_route;  // routes of the placement; sums to by_reason[work]

  [[nodiscard]] Duration reason(Reason reason) const {
    return by_reason[static_cast<std::size_t>(reason)];
  }
  [[nodiscard]] Duration total() const;
};

struct PhaseRun {
  std::uint32_t phase = 0;            // index into Program::phases
  std::int64_t count = 0;             // how often thread 0 entered it
  Duration time;                      // see above; 0 for a phase that only other threads enter
  std::vector<QueueTime> queues;      // threads first, then streams
  std::vector<PhaseMemory> memories;  // by memory of the placement, in thread 0's phases
};

struct JobRun {
  std::vector<PhaseRun> phases;                    // in order of first entry
  Time end;                                        // all threads finished, all streams drained
  std::vector<std::vector<LedgerEntry>> memories;  // RunOptions::record_memory, by memory
};

// A simulated out-of-memory: the answer to "does it fit" is no.
struct MemoryOutcome {
  std::uint32_t job = 0;
  std::uint32_t thread = 0;
  std::uint32_t memory = 0;
  std::uint32_t phase = 0;  // of the thread
  std::uint32_t label = 0;  // the tensor that found no room
  Time time;                // when the allocator gave up, its driver calls included
  OutOfMemory cause;
};

struct Run {
  std::optional<MemoryOutcome> out_of_memory;
  Time end;                  // of the last job, or of the outcome
  std::vector<JobRun> jobs;  // after an outcome: cut off at its time
  std::vector<Span> spans;   // RunOptions::record_spans, in the order of their ends
  std::int64_t events = 0;   // operations and completions executed
  std::int64_t skipped_periods = 0;
  std::uint64_t digest = 0;  // over all of the above except `events` and `skipped_periods`
};

}  // namespace memsim::sim
