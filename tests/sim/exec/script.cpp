#include "tests/sim/exec/script.hpp"

#include <stdexcept>

#include "sim/memory/allocators.hpp"

namespace memsim::test {

using sim::Op;
using sim::OpCode;
using sim::Step;

ThreadScript& ThreadScript::add(const Op& op) {
  if (!open_) {
    steps_.emplace_back(Step::call, static_cast<std::uint32_t>(blocks_.size()));
    blocks_.emplace_back();
    open_ = true;
  }
  blocks_.back().push_back(op);
  return *this;
}

ThreadScript& ThreadScript::step(Step step, std::uint32_t index) {
  steps_.emplace_back(step, index);
  open_ = false;
  return *this;
}

ThreadScript& ThreadScript::allocate(std::uint32_t slot, std::int64_t bytes, std::uint32_t stream,
                                     sim::Category category, std::uint16_t memory) {
  return add({.code = OpCode::allocate,
              .category = category,
              .unit = memory,
              .stream = stream,
              .target = slot,
              .label = 0,
              .amount = bytes});
}
ThreadScript& ThreadScript::release(std::uint32_t slot) {
  return add({.code = OpCode::release, .target = slot});
}
ThreadScript& ThreadScript::relabel(std::uint32_t slot, sim::Category category) {
  return add({.code = OpCode::relabel, .category = category, .target = slot});
}
ThreadScript& ThreadScript::use_on_stream(std::uint32_t slot, std::uint32_t stream) {
  return add({.code = OpCode::use_on_stream, .stream = stream, .target = slot});
}
ThreadScript& ThreadScript::launch(std::uint32_t stream, std::uint32_t work,
                                   std::int64_t launches) {
  return add({.code = OpCode::launch, .stream = stream, .target = work, .amount = launches});
}
ThreadScript& ThreadScript::host_work(std::uint32_t work) {
  return add({.code = OpCode::host_work, .target = work});
}
ThreadScript& ThreadScript::collective(std::uint32_t stream, std::uint32_t work,
                                       std::uint16_t communicator) {
  return add({.code = OpCode::collective, .unit = communicator, .stream = stream, .target = work});
}
ThreadScript& ThreadScript::record(std::uint32_t stream, std::uint32_t event) {
  return add({.code = OpCode::record_event, .stream = stream, .target = event});
}
ThreadScript& ThreadScript::wait(std::uint32_t stream, std::uint32_t event) {
  return add({.code = OpCode::wait_event, .stream = stream, .target = event});
}
ThreadScript& ThreadScript::synchronize_event(std::uint32_t event) {
  return add({.code = OpCode::synchronize_event, .target = event});
}
ThreadScript& ThreadScript::synchronize_stream(std::uint32_t stream) {
  return add({.code = OpCode::synchronize_stream, .stream = stream});
}
ThreadScript& ThreadScript::synchronize() { return add({.code = OpCode::synchronize_device}); }
ThreadScript& ThreadScript::post(std::uint32_t semaphore, std::int64_t amount) {
  return add({.code = OpCode::post, .target = semaphore, .amount = amount});
}
ThreadScript& ThreadScript::await(std::uint32_t semaphore, std::int64_t amount) {
  return add({.code = OpCode::await, .target = semaphore, .amount = amount});
}
ThreadScript& ThreadScript::empty_cache(std::uint16_t memory) {
  return add({.code = OpCode::empty_cache, .unit = memory});
}
ThreadScript& ThreadScript::loop(std::uint32_t times) { return step(Step::loop, times); }
ThreadScript& ThreadScript::end_loop() { return step(Step::end_loop); }
ThreadScript& ThreadScript::phase(std::uint32_t phase) { return step(Step::phase, phase); }

std::uint32_t Script::work(const std::string& name, std::int64_t latency,
                           std::vector<sim::Demand> demands, std::uint32_t engine) {
  sim::Work& work = works_.emplace_back();
  work.label = static_cast<std::uint32_t>(labels_.size());
  work.engine = engine;
  work.latency = ps(latency);
  work.demands = std::move(demands);
  labels_.push_back(name);
  return static_cast<std::uint32_t>(works_.size() - 1);
}

ThreadScript& Script::thread(std::size_t index) {
  while (threads_.size() <= index) threads_.push_back(std::make_unique<ThreadScript>());
  return *threads_[index];
}

sim::Program Script::program() const {
  sim::Program program;
  program.works = works_;
  program.labels = labels_;
  program.phases = phases;
  program.streams = streams;
  program.slots = slots;
  program.events = events;
  program.semaphores = semaphores;
  for (std::uint32_t slot = 0; slot < slots; ++slot) program.bindings.push_back(slot);
  for (const auto& script : threads_) {
    sim::Thread& thread = program.threads.emplace_back();
    const auto first = static_cast<std::uint32_t>(program.blocks.size());
    for (const auto& [step, index] : script->steps_)
      thread.instructions.push_back({step, step == Step::call ? first + index : index, 0});
    for (const std::vector<Op>& ops : script->blocks_)
      program.blocks.push_back({ops, slots, slots});
  }
  return program;
}

namespace {

constexpr sim::Bandwidth unit{1'000'000'000'000};

}  // namespace

Rig::Rig(const std::string& name, sim::Bytes capacity, const std::string& options)
    : memory(capacity), driver(memory) {
  placement = add_gpu(0);
  placement.clock = &clock;
  allocator = sim::make_allocator(name, driver, clock, options).value();
  placement.memories = {allocator.get()};
}

sim::Placement Rig::add_gpu(std::uint32_t first_engine) {
  const sim::ResourceId sms = network.add_resource(unit);
  const sim::ResourceId dram = network.add_resource(unit);
  const sim::ResourceId up = network.add_resource(unit / 10);
  const sim::ResourceId down = network.add_resource(unit / 10);
  sim::Placement result;
  result.routes = {{.name = "compute", .hops = {{sms}}, .latency = {}},
                   {.name = "HBM", .hops = {{dram}}, .latency = {}},
                   {.name = "up", .hops = {{up}, {dram}}, .latency = {}},
                   {.name = "down", .hops = {{down}, {dram}}, .latency = {}}};
  result.engines = {first_engine, first_engine + 1};
  return result;
}

sim::Result<sim::Run> Rig::try_run(const std::vector<sim::Job>& jobs,
                                   const sim::RunOptions& options) {
  return sim::run(network, jobs, options);
}

sim::Run Rig::run(const sim::Program& program, const sim::RunOptions& options) {
  sim::Result<sim::Run> result = try_run({{&program, placement}}, options);
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

std::vector<sim::Span> spans_of(const sim::Run& run, std::uint32_t queue, std::uint32_t job) {
  std::vector<sim::Span> result;
  for (const sim::Span& span : run.spans) {
    if (span.job == job && span.queue == queue) result.push_back(span);
  }
  return result;
}

std::string story(const sim::Run& run, std::uint32_t queue, std::uint32_t job) {
  std::string text;
  for (const sim::Span& span : spans_of(run, queue, job)) {
    if (!text.empty()) text += ", ";
    text +=
        std::string(sim::name(span.reason)) + " " + std::to_string((span.end - span.begin).value());
  }
  return text;
}

}  // namespace memsim::test
