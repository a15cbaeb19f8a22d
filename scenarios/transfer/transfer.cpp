#include "scenarios/transfer/transfer.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "scenarios/transfer/shares.hpp"
#include "sim/exec/executor.hpp"

namespace memsim::scenarios {
namespace {

using models::CopyWay;
using models::Machine;

constexpr std::uint32_t thread_queue = 0;
constexpr std::uint32_t stream_queue = 1;

sim::Program program_of(const Transfer& asked, const CopyWay& way) {
  sim::Program program;
  program.phases = {"transfer"};
  program.labels = {"copy"};
  sim::Work copy;
  copy.kind = way.engine ? sim::WorkKind::copy : sim::WorkKind::host;
  if (way.engine) copy.engine = 0;
  copy.latency = way.start_up;
  copy.demands = {{0, sim::ceil_div(asked.copy.bytes.value(), way.stripe)}};
  sim::Work wake;
  wake.kind = sim::WorkKind::host;
  wake.latency = way.wake;
  program.works = {std::move(copy), std::move(wake)};
  program.blocks.resize(2);
  program.blocks[0].ops = {
      {.code = way.engine ? sim::OpCode::launch : sim::OpCode::host_work, .target = 0}};
  program.blocks[1].ops = {{.code = sim::OpCode::synchronize_device}};
  if (way.wake.value() > 0)
    program.blocks[1].ops.push_back({.code = sim::OpCode::host_work, .target = 1});
  program.threads = {{{{sim::Step::phase, 0},
                       {sim::Step::loop, static_cast<std::uint32_t>(asked.count)},
                       {sim::Step::call, 0},
                       {sim::Step::end_loop},
                       {sim::Step::call, 1}}}};
  return program;
}

sim::Placement placement_of(const CopyWay& way) {
  sim::Placement placement;
  placement.routes = {way.route};
  if (way.engine) placement.engines = {*way.engine};
  placement.driver.launch = way.overhead;
  return placement;
}

sim::Result<sim::Run> run_together(const Machine& machine, const std::vector<Transfer>& transfers,
                                   const std::vector<CopyWay>& ways, bool record_spans) {
  std::vector<sim::Program> programs;
  programs.reserve(transfers.size());
  for (std::size_t i = 0; i < transfers.size(); ++i)
    programs.push_back(program_of(transfers[i], ways[i]));
  std::vector<sim::Job> jobs;
  jobs.reserve(transfers.size());
  for (std::size_t i = 0; i < transfers.size(); ++i)
    jobs.push_back({&programs[i], placement_of(ways[i])});
  sim::FlowNetwork network = machine.network();
  return sim::run(network, jobs, {.record_spans = record_spans});
}

sim::Bandwidth rate_of(sim::Bytes bytes, sim::Duration time) {
  return sim::Bandwidth(
      sim::scale(bytes.value(), sim::picoseconds_per_second, std::max(time.value(), INT64_C(1))));
}

// Where the time of the queue that the copies are on went.
void add_times(const sim::JobRun& job, std::uint32_t queue, TransferResult& result) {
  for (const sim::PhaseRun& phase : job.phases) {
    const sim::QueueTime& time = phase.queues[queue];
    result.call += time.reason(sim::Reason::host);
    result.engine += time.reason(sim::Reason::engine);
    result.latency += time.reason(sim::Reason::latency);
  }
}

std::vector<Flowing> flowing_of(const sim::Run& run, const std::vector<CopyWay>& ways) {
  std::vector<Flowing> flowing;
  for (const sim::Span& span : run.spans) {
    const std::uint32_t queue = ways[span.job].engine ? stream_queue : thread_queue;
    if (span.queue == queue && span.reason == sim::Reason::work)
      flowing.push_back({span.job, span.begin, span.end});
  }
  return flowing;
}

bool uses(const CopyWay& way, sim::ResourceId resource) {
  return std::ranges::find(way.route.hops, resource, &sim::Hop::resource) != way.route.hops.end();
}

void add_binding(const Machine& machine, const std::vector<CopyWay>& ways, const Stretch& stretch,
                 const Share& share, TransferResult& result) {
  const bool own = share.bottleneck == sim::no_resource;
  const std::string name =
      own ? ways[share.transfer].own_limit : std::string(machine.resource_name(share.bottleneck));
  auto binding = std::ranges::find(result.bindings, name, &Binding::resource);
  if (binding == result.bindings.end())
    binding = result.bindings.insert(result.bindings.end(), Binding{name, {}, {}});
  binding->time += stretch.time;
  for (const Share& other : stretch.shares) {
    if (own || other.transfer == share.transfer || !uses(ways[other.transfer], share.bottleneck))
      continue;
    if (std::ranges::find(binding->sharers, other.transfer) == binding->sharers.end())
      binding->sharers.push_back(other.transfer);
  }
}

// What all transfers use of a NUMA node, in the mean over the time of the first.
models::Fraction utilisation(const Machine& machine, const std::vector<CopyWay>& ways,
                             const std::vector<Stretch>& stretches, sim::ResourceId ddr,
                             sim::Duration time) {
  sim::Int128 used = 0;  // capacity x picoseconds
  for (const Stretch& stretch : stretches) {
    std::int64_t rate = 0;
    bool first_flows = false;
    for (const Share& share : stretch.shares) {
      first_flows = first_flows || share.transfer == 0;
      for (const sim::Hop& hop : ways[share.transfer].route.hops)
        if (hop.resource == ddr) rate += share.rate.value() * hop.weight;
    }
    if (first_flows) used += static_cast<sim::Int128>(rate) * stretch.time.value();
  }
  const sim::Bandwidth capacity = machine.resources()[static_cast<std::size_t>(ddr)].capacity;
  const sim::Int128 all = static_cast<sim::Int128>(capacity.value()) * time.value();
  return models::Fraction(
      all == 0 ? 0 : static_cast<std::int64_t>(used / (all / models::parts_per_million + 1)));
}

std::string memory_name(const Machine& machine, models::NodeRef node) {
  return node.kind == models::NodeKind::numa ? "ddr" + std::to_string(node.index)
                                             : machine.node_name(node);
}

// As it is written on the command line: "ddr0*3+ddr4".
std::string memory_name(const Machine& machine, const models::Interleave& memory) {
  std::string name;
  for (const models::NodeShare& share : memory.shares()) {
    if (!name.empty()) name += "+";
    name += memory_name(machine, share.node);
    if (share.weight > 1) name += "*" + std::to_string(share.weight);
  }
  return name;
}

// Whether a device reads or writes host memory that was page-locked for it: GPUs and NICs do,
// drives are given pages by the operating system.
bool is_pinned(const models::CopyRequest& copy) {
  using models::NodeKind;
  const NodeKind from = copy.from.node().kind;
  const NodeKind to = copy.to.node().kind;
  if (copy.pageable || (from == NodeKind::numa) == (to == NodeKind::numa)) return false;
  const NodeKind device = from == NodeKind::numa ? to : from;
  return device == NodeKind::gpu || device == NodeKind::nic;
}

void add_loads(const Machine& machine, const std::vector<CopyWay>& ways,
               const std::vector<Stretch>& all, TransferAnswer& answer) {
  for (std::uint32_t node = 0; node < machine.numa_count(); ++node) {
    const sim::ResourceId ddr = machine.ddr(node);
    if (!uses(ways.front(), ddr)) continue;
    const models::Fraction used =
        utilisation(machine, ways, all, ddr, answer.transfers.front().time);
    answer.loads.push_back(
        {memory_name(machine, {models::NodeKind::numa, node}), machine.load(node, used)});
  }
}

Planned<TransferAnswer> answer_to(const Machine& machine, const std::vector<Transfer>& transfers) {
  std::vector<CopyWay> ways;
  ways.reserve(transfers.size());
  for (const Transfer& asked : transfers) ways.push_back(machine.copy(asked.copy));
  const auto run = run_together(machine, transfers, ways, true);
  if (!run) return not_modelled(run.error().message);
  TransferAnswer answer;
  answer.system = machine.spec().name;
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    const auto alone = run_together(machine, {transfers[i]}, {ways[i]}, false);
    if (!alone) return not_modelled(alone.error().message);
    TransferResult result;
    result.from = memory_name(machine, transfers[i].copy.from);
    result.to = memory_name(machine, transfers[i].copy.to);
    result.bytes = transfers[i].copy.bytes * transfers[i].count;
    result.time = run->jobs[i].end - sim::Time(0);
    result.rate = rate_of(result.bytes, result.time);
    result.alone = rate_of(result.bytes, alone->end - sim::Time(0));
    result.wake = ways[i].wake;
    if (is_pinned(transfers[i].copy) && machine.spec().host.pinning.lock.value() > 0)
      result.pinning = machine.pinning(transfers[i].copy.bytes, transfers[i].touch_threads);
    add_times(run->jobs[i], ways[i].engine ? stream_queue : thread_queue, result);
    answer.transfers.push_back(std::move(result));
  }
  const std::vector<Stretch> all = stretches(machine, ways, flowing_of(*run, ways));
  for (const Stretch& stretch : all)
    for (const Share& share : stretch.shares)
      add_binding(machine, ways, stretch, share, answer.transfers[share.transfer]);
  for (TransferResult& result : answer.transfers)
    std::ranges::stable_sort(result.bindings, std::ranges::greater{}, &Binding::time);
  add_loads(machine, ways, all, answer);
  return answer;
}

}  // namespace

Planned<TransferAnswer> transfer(const Machine& machine, const std::vector<Transfer>& transfers) {
  MEMSIM_CHECK(!transfers.empty(), "a question without a transfer");
  return within_64_bits([&] { return answer_to(machine, transfers); });
}

}  // namespace memsim::scenarios
