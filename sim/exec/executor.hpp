// Runs programs on a machine: one clock for memory, time and contention.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/result.hpp"
#include "sim/exec/program.hpp"
#include "sim/flow/flow_network.hpp"
#include "sim/memory/allocator.hpp"
#include "sim/memory/ledger.hpp"

namespace memsim::sim {

// A way through the machine: what a demand shares. Index by Demand::route.
struct Route {
  std::string name;                    // "HBM", "host to device", "compute"
  std::vector<Hop> hops;
  Bandwidth cap = Bandwidth::max();
  Duration latency;
};

// What driver calls cost the host thread.
struct DriverCosts {
  Duration launch;     // of one kernel or copy, on the issuing thread
  Duration malloc;
  Duration free;
  Duration map;        // per page
  Duration unmap;
};

// Where a program runs.
struct Placement {
  std::vector<Route> routes;
  std::vector<std::uint32_t> engines;        // machine-wide ids of the copy engines, by local index
  std::vector<Allocator*> memories;          // by Op::unit; owned by the caller, outlive the run
  std::vector<std::uint32_t> communicators;  // machine-wide ids, by local index
  DriverCosts driver;
};

struct Job {
  const Program* program = nullptr;
  Placement placement;
};

struct RunOptions {
  bool skip_periods = true;          // leave out whole periods once the state recurs; the result is the same
  bool record_spans = false;         // keep every span (traces); sums are always kept
  bool record_memory = false;        // keep every change of every memory (owners by name, charts)
  std::int64_t max_events = 2'000'000'000;  // work is bounded by counts, never by a clock
};

// Why a queue (stream or thread) did nothing, or what its work was bound by.
enum class Reason : std::uint8_t {
  work,          // busy; the bounding route is given beside it
  latency,       // fixed part of a work
  host,          // stream: nothing was launched yet ("launch bound")
  event,         // waits for an event of another stream
  engine,        // waits for a copy engine
  rendezvous,    // waits for the other members of a collective
  device,        // thread: waits for the device
  driver,        // thread: inside cudaMalloc, cudaFree, cache flush
  launch,        // thread: launching
  semaphore,     // thread: waits for another thread
  finished,      // after its last operation
};
inline constexpr std::size_t reason_count = 11;
std::string_view name(Reason reason);

// One span of a queue's life; the spans of a queue tile it without gaps.
struct Span {
  std::uint32_t job;
  std::uint32_t queue;        // threads first, then streams
  std::uint32_t phase;
  Reason reason;
  std::uint32_t route;        // Reason::work: the route that ended last
  std::uint32_t label;
  Time begin;
  Time end;
};

// Time of one queue within one phase, by reason and (for work) by binding route.
struct QueueTime {
  std::vector<Duration> by_reason;   // reason_count entries
  std::vector<Duration> by_route;    // routes of the placement; sums to by_reason[work]
};

struct PhaseRun {
  std::uint32_t phase;
  std::int64_t count;                    // how often it was entered (skipped periods included)
  Duration time;                         // in all, on thread 0's clock
  std::vector<QueueTime> queues;         // threads first, then streams
  std::vector<PhaseMemory> memories;     // by memory of the placement
};

struct JobRun {
  std::vector<PhaseRun> phases;                     // in order of first entry
  std::vector<std::vector<LedgerEntry>> memories;   // RunOptions::record_memory; skipped periods appear once
};

// A simulated out-of-memory: the answer to "does it fit" is no.
struct MemoryOutcome {
  std::uint32_t job;
  std::uint32_t memory;
  std::uint32_t phase;
  std::uint32_t label;                   // the tensor that found no room
  Time time;
  OutOfMemory cause;
};

struct Run {
  std::optional<MemoryOutcome> out_of_memory;
  Time end;
  std::vector<JobRun> jobs;
  std::vector<Span> spans;
  std::int64_t events = 0;               // executed
  std::int64_t skipped_periods = 0;
  std::uint64_t digest = 0;              // over all of the above except `events` and `skipped_periods`
};

// Runs the jobs to their end, or to the first out-of-memory. `network` holds the machine's
// resources. Errors: a deadlock (who waits for what), max_events reached.
Result<Run> run(FlowNetwork& network, std::vector<Job> jobs, const RunOptions& options);

}  // namespace memsim::sim
