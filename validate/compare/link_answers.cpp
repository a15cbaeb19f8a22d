#include "validate/compare/link_answers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/machine/kernel_cost.hpp"
#include "models/machine/machine.hpp"
#include "scenarios/transfer/transfer.hpp"

namespace memsim::validate {
namespace {

using models::Machine;
using models::NodeKind;
using models::NodeRef;
using scenarios::Transfer;

constexpr double picosecond = 1e-12;
// So much longer runs what only keeps the other direction busy.
constexpr std::int64_t background = 8;

double seconds(sim::Duration time) { return static_cast<double>(time.value()) * picosecond; }
double per_second(sim::Bandwidth rate) { return static_cast<double>(rate.value()); }

sim::Result<LinkAnswer> at(double rate) { return LinkAnswer{rate, 0}; }
sim::Result<LinkAnswer> lasting(double time) { return LinkAnswer{0, time}; }

// The first transfer's result; all begin together.
sim::Result<scenarios::TransferResult> ask(const Machine& machine,
                                           const std::vector<Transfer>& transfers) {
  auto answer = scenarios::transfer(machine, transfers);
  if (!answer) return sim::fail(answer.error().message);
  return std::move(answer->transfers.front());
}

Transfer copy(NodeRef from, NodeRef to, const LinkQuestion& question, std::int64_t longer = 1) {
  Transfer transfer{{from, to, question.size * longer, question.pageable}};
  return transfer;
}

Transfer reversed(const Transfer& transfer) {
  Transfer back = transfer;
  std::swap(back.copy.from, back.copy.to);
  back.copy.bytes = back.copy.bytes * background;
  return back;
}

// The rates of `transfers` added up, of both directions together if that is asked. Copies in the
// other direction last until they are done. The time is that of the first.
sim::Result<LinkAnswer> rate_of(const Machine& machine, const LinkQuestion& question,
                                const std::vector<Transfer>& transfers) {
  double sum = 0;
  double time = 0;
  for (const bool back : {false, true}) {
    if (back && !question.total) break;
    std::vector<Transfer> all;
    for (const Transfer& transfer : transfers) {
      Transfer first = transfer;
      if (back) std::swap(first.copy.from, first.copy.to);
      all.push_back(first);
    }
    if (question.both_ways)
      for (std::size_t i = 0; i < transfers.size(); ++i) all.push_back(reversed(all[i]));
    const auto answer = scenarios::transfer(machine, all);
    if (!answer) return sim::fail(answer.error().message);
    for (std::size_t i = 0; i < transfers.size(); ++i) sum += per_second(answer->transfers[i].rate);
    time = seconds(answer->transfers.front().time);
  }
  return LinkAnswer{sum, time};
}

// The switch of PCIe that a GPU is under; none: a socket.
std::optional<std::uint32_t> switch_of(const Machine& machine, std::uint32_t gpu) {
  for (const models::PlacedLink& link : machine.spec().links) {
    const NodeRef device{NodeKind::gpu, gpu};
    if (link.to == device && link.from.kind == NodeKind::fabric) return link.from.index;
  }
  return std::nullopt;
}

// The GPUs of a question, all of which copy: under the switch of the first one, or each under
// another one, or simply the first ones. Errors: the machine has fewer.
sim::Result<std::vector<std::uint32_t>> gpus_of(const Machine& machine,
                                                const LinkQuestion& question) {
  std::vector<std::uint32_t> gpus;
  std::vector<std::optional<std::uint32_t>> switches;
  const std::size_t wanted =
      question.devices == 0 ? machine.gpu_count() : static_cast<std::size_t>(question.devices);
  for (std::uint32_t gpu = 0; gpu < machine.gpu_count() && gpus.size() < wanted; ++gpu) {
    const auto above = switch_of(machine, gpu);
    const bool known = std::ranges::find(switches, above) != switches.end();
    if (question.pair == Pair::same_switch && !(above && (gpus.empty() || known))) continue;
    if (question.pair == Pair::other_switch && (!above || known)) continue;
    gpus.push_back(gpu);
    switches.push_back(above);
  }
  if (question.devices == 0 && !gpus.empty()) return gpus;
  if (gpus.size() == wanted) return gpus;
  return sim::fail(question.pair == Pair::any ? "the machine has fewer GPUs"
                                              : "the machine has fewer such GPUs at its switches");
}

sim::Result<LinkAnswer> host_copy(const Machine& machine, const LinkQuestion& question) {
  const auto gpus = gpus_of(machine, question);
  if (!gpus) return tl::unexpected(gpus.error());
  std::vector<Transfer> transfers;
  for (const std::uint32_t gpu : *gpus) {
    if (!question.at_once && !transfers.empty()) break;
    std::uint32_t numa = machine.home_numa(gpu);
    if (question.remote)
      numa = numa == 0 ? static_cast<std::uint32_t>(machine.numa_count() - 1) : 0;
    const NodeRef host{NodeKind::numa, numa};
    const NodeRef device{NodeKind::gpu, gpu};
    transfers.push_back(question.up ? copy(device, host, question) : copy(host, device, question));
  }
  auto answer = rate_of(machine, question, transfers);
  if (!answer) return answer;
  const auto all = static_cast<double>(gpus->size());
  if (question.at_once)
    answer->rate /= question.each ? all : 1;
  else
    answer->rate *= question.each ? 1 : all;
  return answer;
}

sim::Result<std::uint32_t> partner(const Machine& machine, Pair pair) {
  const auto first = switch_of(machine, 0);
  for (std::uint32_t other = 1; other < machine.gpu_count(); ++other) {
    const bool same = first.has_value() && switch_of(machine, other) == first;
    if (pair == Pair::any || same == (pair == Pair::same_switch)) return other;
  }
  return sim::fail("the machine has no such pair of GPUs");
}

// Between one GPU and all others at once: the rates of all copies added up.
sim::Result<LinkAnswer> around_one(const Machine& machine, const LinkQuestion& question) {
  std::vector<Transfer> transfers;
  const NodeRef one{NodeKind::gpu, 0};
  for (std::uint32_t gpu = 1; gpu < machine.gpu_count(); ++gpu) {
    const NodeRef other{NodeKind::gpu, gpu};
    const bool to_one = question.pair == Pair::all_to_one;
    transfers.push_back(to_one ? copy(other, one, question) : copy(one, other, question));
  }
  const auto answer = scenarios::transfer(machine, transfers);
  if (!answer) return sim::fail(answer.error().message);
  double bytes = 0;
  sim::Duration last;
  for (const scenarios::TransferResult& result : answer->transfers) {
    bytes += static_cast<double>(result.bytes.value());
    last = std::max(last, result.time);
  }
  return at(bytes / seconds(last) * static_cast<double>(question.devices));
}

sim::Result<LinkAnswer> peer_copy(models::SystemSpec spec, const LinkQuestion& question) {
  if (!question.peer_access)
    for (models::PlacedGpu& gpu : spec.gpus) gpu.part.copy.peer = 0;
  const Machine machine(std::move(spec));
  if (question.pair == Pair::all_to_one || question.pair == Pair::one_to_all)
    return around_one(machine, question);
  const auto other = partner(machine, question.pair);
  if (!other) return tl::unexpected(other.error());
  auto answer =
      rate_of(machine, question, {copy({NodeKind::gpu, 0}, {NodeKind::gpu, *other}, question)});
  if (answer) answer->rate *= static_cast<double>(question.devices);
  return answer;
}

// A kernel that reads and writes much more than any cache holds.
sim::Result<LinkAnswer> device_memory(const Machine& machine, const LinkQuestion& question) {
  const models::GpuSpec& gpu = machine.gpu(0);
  if (question.sized && question.size < gpu.l2.size * 4)
    return sim::fail("kernels within L2 are not modelled");
  const auto count = static_cast<double>(
      question.devices == 0 ? static_cast<std::int64_t>(machine.gpu_count()) : question.devices);
  constexpr sim::Bytes unit{1 << 30};
  models::KernelWork kernel;
  kernel.read = unit * question.mix.reads;
  kernel.written = unit * question.mix.writes;
  const auto cost = models::kernel_cost(gpu, kernel);
  if (!cost) return tl::unexpected(cost.error());
  const double bytes = static_cast<double>((kernel.read + kernel.written).value());
  const double rate = bytes / seconds(models::duration_alone(gpu, *cost));
  const double counted = question.half_traffic ? rate / 2 : rate;
  return at(counted * count);
}

sim::Result<LinkAnswer> cache(const Machine& machine) {
  const models::CacheSpec& l2 = machine.gpu(0).l2;
  if (l2.bandwidth.value() == 0) return sim::fail("the bandwidth of L2 is not known");
  LinkQuestion question;
  question.size = l2.size / 2;
  const NodeRef gpu{NodeKind::gpu, 0};
  const auto result = ask(machine, {copy(gpu, gpu, question)});
  if (!result) return tl::unexpected(result.error());
  // Without the call; a byte copied is read and written.
  const double moving = seconds(result->time - result->call);
  return at(2 * static_cast<double>(question.size.value()) / moving);
}

// What a bus reaches that reads and writes share: its times add up.
double mixed_rate(const models::HostMemorySpec& memory, const Mix& mix) {
  const double nominal = per_second(memory.bandwidth());
  const auto of = [&](models::Fraction share) {
    return nominal * static_cast<double>(share.value()) / models::parts_per_million;
  };
  if (mix.stream) return of(memory.achieved.mixed);
  const auto reads = static_cast<double>(mix.reads);
  const auto writes = static_cast<double>(mix.writes);
  return (reads + writes) / (reads / of(memory.achieved.read) + writes / of(memory.achieved.write));
}

std::int64_t cores_of(const models::HostSpec& host, bool all) {
  std::int64_t cores = 0;
  for (const models::SocketSpec& socket : host.sockets)
    if (all || cores == 0) cores += socket.cores;
  return cores;
}

sim::Result<LinkAnswer> host_memory(const models::HostSpec& host, const LinkQuestion& question) {
  if (question.threads > 0 && question.threads < cores_of(host, question.devices == 0))
    return sim::fail("what some of the cores reach is not modelled");
  if (question.remote) {
    if (host.sockets.size() < 2) return sim::fail("the catalogue's machine has one socket");
    return at(std::min(per_second(host.inter_socket.bandwidth),
                       mixed_rate(host.sockets[1].numa[0].memory, question.mix)));
  }
  if (question.interleaved) {
    // Pages take turns: the byte from the other socket and the one from here arrive together.
    if (host.sockets.size() < 2) return sim::fail("the catalogue's machine has one socket");
    const double local = mixed_rate(host.sockets[0].numa[0].memory, question.mix);
    return at(2 * std::min(per_second(host.inter_socket.bandwidth), local));
  }
  const bool all = question.devices == 0;
  double sum = 0;
  for (const models::SocketSpec& socket : host.sockets) {
    for (const models::NumaSpec& numa : socket.numa) {
      sum += mixed_rate(numa.memory, question.mix);
      if (!all) return at(sum);
    }
  }
  return at(sum);
}

sim::Result<LinkAnswer> host_latency(const models::HostSpec& host, const LinkQuestion& question) {
  sim::Duration latency = host.sockets[0].numa[0].memory.latency;
  if (question.remote) {
    if (host.sockets.size() < 2) return sim::fail("the catalogue's machine has one socket");
    latency += host.inter_socket.latency;
  }
  return lasting(seconds(latency));
}

// Others read from all nodes alike.
sim::Result<LinkAnswer> loaded_latency(const Machine& machine, const LinkQuestion& question) {
  LinkQuestion reads = question;
  reads.remote = false;
  reads.devices = 0;
  reads.threads = 0;
  reads.mix = {1, 0, false};
  const auto most = host_memory(machine.spec().host, reads);
  if (!most) return tl::unexpected(most.error());
  const double used = std::min(1.0, question.load / most->rate);
  const auto share = static_cast<std::int64_t>(used * models::parts_per_million);
  return lasting(seconds(machine.load(0, models::Fraction(share)).latency));
}

}  // namespace

sim::Result<LinkAnswer> answer_to(const LinkQuestion& question, const models::SystemSpec& spec) {
  const bool needs_gpu =
      question.subject == Subject::host_copy || question.subject == Subject::peer_copy ||
      question.subject == Subject::device_memory || question.subject == Subject::cache;
  if (needs_gpu && spec.gpus.empty()) return sim::fail("the hardware names no GPU");
  switch (question.subject) {
    case Subject::host_copy:
      return host_copy(Machine(spec), question);
    case Subject::peer_copy:
      return peer_copy(spec, question);
    case Subject::device_memory:
      return device_memory(Machine(spec), question);
    case Subject::cache:
      return cache(Machine(spec));
    case Subject::host_memory:
      return host_memory(spec.host, question);
    case Subject::host_latency:
      return host_latency(spec.host, question);
    case Subject::loaded_latency:
      return loaded_latency(Machine(spec), question);
    case Subject::pinning:
      break;
  }
  return lasting(seconds(Machine(spec).pinning(question.size, question.threads)));
}

}  // namespace memsim::validate
