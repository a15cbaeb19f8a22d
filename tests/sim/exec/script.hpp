// Programs and small machines for the tests of sim/exec, written the way one would tell them.
//
// Times are picoseconds. The machine's HBM moves one byte and its SMs do one unit of compute per
// picosecond, its links one byte per 10 picoseconds, so that everything can be solved by hand.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/exec/executor.hpp"
#include "sim/exec/placement.hpp"
#include "sim/exec/program.hpp"
#include "sim/exec/run_result.hpp"
#include "sim/flow/flow_network.hpp"
#include "sim/memory/allocator.hpp"
#include "sim/memory/device_memory.hpp"
#include "sim/memory/driver.hpp"

namespace memsim::test {

inline sim::Duration ps(std::int64_t picoseconds) { return sim::Duration(picoseconds); }
inline sim::Time at(std::int64_t picoseconds) { return sim::Time(picoseconds); }

class Script;

// One thread of a script. Operations between two instructions make up one block.
class ThreadScript {
 public:
  ThreadScript& allocate(std::uint32_t slot, std::int64_t bytes, std::uint32_t stream = 0,
                         sim::Category category = sim::Category::temporaries,
                         std::uint16_t memory = 0);
  ThreadScript& release(std::uint32_t slot);
  ThreadScript& relabel(std::uint32_t slot, sim::Category category);
  ThreadScript& use_on_stream(std::uint32_t slot, std::uint32_t stream);
  ThreadScript& launch(std::uint32_t stream, std::uint32_t work, std::int64_t launches = 0);
  ThreadScript& host_work(std::uint32_t work);
  ThreadScript& collective(std::uint32_t stream, std::uint32_t work,
                           std::uint16_t communicator = 0);
  ThreadScript& record(std::uint32_t stream, std::uint32_t event);
  ThreadScript& wait(std::uint32_t stream, std::uint32_t event);
  ThreadScript& synchronize_event(std::uint32_t event);
  ThreadScript& synchronize_stream(std::uint32_t stream);
  ThreadScript& synchronize();
  ThreadScript& post(std::uint32_t semaphore, std::int64_t amount = 1);
  ThreadScript& await(std::uint32_t semaphore, std::int64_t amount = 1);
  ThreadScript& empty_cache(std::uint16_t memory = 0);
  ThreadScript& loop(std::uint32_t times);
  ThreadScript& end_loop();
  ThreadScript& phase(std::uint32_t phase);

 private:
  friend class Script;
  ThreadScript& add(const sim::Op& op);
  ThreadScript& step(sim::Step step, std::uint32_t index = 0);

  std::vector<std::vector<sim::Op>> blocks_;
  std::vector<std::pair<sim::Step, std::uint32_t>> steps_;  // calls index blocks_
  bool open_ = false;                                       // the last step is a call that grows
};

// Slots, events and semaphores exist as far as they are counted here.
class Script {
 public:
  std::uint32_t streams = 1;
  std::uint32_t slots = 0;
  std::uint32_t events = 0;
  std::uint32_t semaphores = 0;
  std::vector<std::string> phases;

  // Adds a work; its name becomes its label.
  std::uint32_t work(const std::string& name, std::int64_t latency,
                     std::vector<sim::Demand> demands = {}, std::uint32_t engine = sim::no_engine);
  // Threads come into being as they are named.
  ThreadScript& thread(std::size_t index = 0);

  [[nodiscard]] sim::Program program() const;

 private:
  std::vector<sim::Work> works_;
  std::vector<std::string> labels_;
  std::vector<std::unique_ptr<ThreadScript>> threads_;
};

// Routes of a Rig's placement.
enum : std::uint32_t { compute, hbm, link_up, link_down };

// One GPU: SMs, HBM, a link in each direction (which also cross the HBM), one copy engine for each
// direction, and an allocator over its memory.
class Rig {
 public:
  explicit Rig(const std::string& allocator = "torch",
               sim::Bytes capacity = sim::Bytes(std::int64_t{1} << 40),
               const std::string& options = "");
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  sim::FlowNetwork network;
  sim::Placement placement;
  sim::StreamClock clock;
  sim::DeviceMemory memory;
  sim::Driver driver;
  std::unique_ptr<sim::Allocator> allocator;

  // Adds another GPU to the same network.
  [[nodiscard]] sim::Placement add_gpu(std::uint32_t first_engine);

  [[nodiscard]] sim::Result<sim::Run> try_run(const std::vector<sim::Job>& jobs,
                                              const sim::RunOptions& options = {});
  // Requires: nothing is wrong with the program.
  [[nodiscard]] sim::Run run(const sim::Program& program, const sim::RunOptions& options = {});
};

// The spans of one queue, in order of time.
std::vector<sim::Span> spans_of(const sim::Run& run, std::uint32_t queue, std::uint32_t job = 0);

// Reason and length of each span of one queue: "host 5, latency 10, work 100".
std::string story(const sim::Run& run, std::uint32_t queue, std::uint32_t job = 0);

}  // namespace memsim::test
