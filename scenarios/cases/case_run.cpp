#include "scenarios/cases/case_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "models/machine/machine.hpp"
#include "scenarios/hardware/hardware.hpp"
#include "scenarios/hardware/technologies.hpp"
#include "scenarios/schema/display.hpp"
#include "scenarios/transfer/question.hpp"
#include "scenarios/transfer/transfer.hpp"

namespace memsim::scenarios {
namespace {

using models::NodeKind;
using models::NodeRef;
using models::SystemSpec;

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(std::move(word));
  return words;
}

bool is_nvlink(const models::PlacedLink& link) { return technology(link.part.kind) == "NVLink"; }

std::int64_t nvlinks(const SystemSpec& spec, std::uint32_t gpu) {
  std::int64_t lanes = 0;
  for (const models::PlacedLink& link : spec.links) {
    const NodeRef node{NodeKind::gpu, gpu};
    if (is_nvlink(link) && (link.from == node || link.to == node)) lanes += link.part.lanes;
  }
  return lanes;
}

std::int64_t pairs_without_nvlink(const SystemSpec& spec) {
  std::int64_t pairs = 0;
  for (std::uint32_t a = 0; a < spec.gpus.size(); ++a) {
    for (std::uint32_t b = a + 1; b < spec.gpus.size(); ++b) {
      const auto joins = [&](const models::PlacedLink& link) {
        const auto ends = std::minmax(link.from, link.to);
        return is_nvlink(link) &&
               ends == std::minmax(NodeRef{NodeKind::gpu, a}, NodeRef{NodeKind::gpu, b});
      };
      if (std::ranges::none_of(spec.links, joins)) ++pairs;
    }
  }
  return pairs;
}

sim::Bandwidth reads_of(const models::NumaSpec& numa) {
  return models::share_of(numa.memory.bandwidth(), numa.memory.achieved.read);
}

std::int64_t dram_reads(const models::HostSpec& host) {
  sim::Bandwidth sum;
  for (const models::SocketSpec& socket : host.sockets)
    for (const models::NumaSpec& numa : socket.numa) sum += reads_of(numa);
  return sum.value();
}

std::int64_t remote_reads(const models::HostSpec& host) {
  return std::min(host.inter_socket.bandwidth, reads_of(host.sockets.back().numa.front())).value();
}

std::int64_t cxl_nodes(const models::HostSpec& host) {
  std::int64_t nodes = 0;
  for (const models::SocketSpec& socket : host.sockets)
    nodes += std::ranges::count_if(
        socket.numa, [](const models::NumaSpec& numa) { return numa.link.bandwidth.value() > 0; });
  return nodes;
}

// The GPUs under each switch of PCIe, by number: "[[0,1,2],[3,4,5]]".
std::string switch_groups(const SystemSpec& spec) {
  std::map<std::uint32_t, std::set<std::uint32_t>> groups;
  for (const models::PlacedLink& link : spec.links)
    if (link.part.kind == "PCIe" && link.from.kind == NodeKind::fabric &&
        link.to.kind == NodeKind::gpu)
      groups[link.from.index].insert(link.to.index);
  std::vector<std::string> texts;
  texts.reserve(groups.size());
  for (const auto& [fabric, gpus] : groups)
    texts.push_back(fmt::format("[{}]", fmt::join(gpus, ",")));
  return fmt::format("[{}]", fmt::join(texts, ","));
}

class CaseRunner {
 public:
  CaseRunner(const Case& asked, std::string hardware, const std::filesystem::path& scenarios,
             Sources& sources, Diagnostics& diagnostics)
      : asked_(asked),
        hardware_(std::move(hardware)),
        scenarios_(scenarios),
        sources_(sources),
        diagnostics_(diagnostics) {}

  std::optional<std::vector<CaseOutcome>> run() {
    auto system = load_system(Catalogue(scenarios_), hardware_, {}, sources_, diagnostics_);
    if (!system) return std::nullopt;
    spec_ = std::move(system->spec);
    for (const CaseTransfer& transfer : asked_.transfers) ask(transfer);
    std::vector<CaseOutcome> outcomes;
    outcomes.reserve(asked_.asserts.size());
    for (const CaseAssert& assertion : asked_.asserts) outcomes.push_back(look(assertion));
    if (diagnostics_.has_errors()) return std::nullopt;
    return outcomes;
  }

 private:
  void report(std::string_view code, std::string message) {
    diagnostics_.add({.code = std::string(code),
                      .location = {},
                      .message = std::move(message),
                      .label = "",
                      .notes = {},
                      .help = "",
                      .suggestion = ""});
  }

  void ask(const CaseTransfer& transfer) {
    TransferWords words;
    words.hardware = hardware_;
    words.from = transfer.from;
    words.to = transfer.to;
    words.size = transfer.size;
    if (!transfer.numa.empty()) words.numa = transfer.numa;
    words.pageable = transfer.pageable;
    words.concurrent = words_of(transfer.concurrent);
    const auto question = read_transfer(scenarios_, words, sources_, diagnostics_);
    if (!question) return;
    const auto answer = scenarios::transfer(question->machine, question->transfers);
    if (!answer) return report("E160", answer.error().message);
    rates_.emplace_back(transfer.name, answer->transfers.front().rate);
  }

  sim::Bandwidth rate(const std::string& transfer) {
    const auto found =
        std::ranges::find(rates_, transfer, &std::pair<std::string, sim::Bandwidth>::first);
    if (found != rates_.end()) return found->second;
    report("E107",
           fmt::format("{} asks no transfer of that name: {}", asked_.id, in_quotes(transfer)));
    return {};
  }

  std::uint32_t gpu(const std::string& name) {
    const auto found = std::ranges::find(spec_.gpus, name, &models::PlacedGpu::name);
    if (found != spec_.gpus.end()) return static_cast<std::uint32_t>(found - spec_.gpus.begin());
    report("E107", fmt::format("{} has no GPU {}", asked_.id, in_quotes(name)));
    return 0;
  }

  std::int64_t measure(const CaseAssert& assertion) {
    switch (assertion.fact) {
      case CaseFact::rate:
        return rate(assertion.of).value();
      case CaseFact::nvlinks:
        return nvlinks(spec_, gpu(assertion.of));
      case CaseFact::pairs_without_nvlink:
        return pairs_without_nvlink(spec_);
      case CaseFact::cxl_nodes:
        return cxl_nodes(spec_.host);
      case CaseFact::gpu_memory:
        return spec_.gpus[gpu(assertion.of)].part.memory.usable.value();
      case CaseFact::dram_reads:
        return dram_reads(spec_.host);
      case CaseFact::remote_reads:
      case CaseFact::order:
      case CaseFact::switch_groups:
        break;
    }
    return remote_reads(spec_.host);
  }

  CaseOutcome look_at_order(const CaseAssert& assertion) {
    CaseOutcome outcome{assertion.metric, true, ""};
    std::optional<sim::Bandwidth> before;
    for (const std::string& name : words_of(assertion.of)) {
      const sim::Bandwidth now = rate(name);
      outcome.found += fmt::format("{}{} {} B/s", before ? ", " : "", name, now.value());
      outcome.holds = outcome.holds && (!before || now < *before);
      before = now;
    }
    return outcome;
  }

  CaseOutcome look(const CaseAssert& assertion) {
    if (assertion.fact == CaseFact::order) return look_at_order(assertion);
    if (assertion.fact == CaseFact::switch_groups) {
      const std::string groups = switch_groups(spec_);
      const std::string wanted = assertion.groups.value_or("");
      return {assertion.metric, groups == wanted, fmt::format("{}, expected {}", groups, wanted)};
    }
    const std::int64_t found = measure(assertion);
    const std::int64_t wanted = value_of(assertion);
    const std::int64_t room =
        sim::scale(wanted, assertion.rel_tol.value(), models::parts_per_million);
    const bool enough = found >= wanted - room;
    const bool little = found <= wanted + room;
    const bool holds = (enough || assertion.relation == CaseRelation::at_most) &&
                       (little || assertion.relation == CaseRelation::at_least);
    return {assertion.metric, holds, fmt::format("{}, expected {} +- {}", found, wanted, room)};
  }

  const Case& asked_;
  std::string hardware_;
  const std::filesystem::path& scenarios_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  SystemSpec spec_;
  std::vector<std::pair<std::string, sim::Bandwidth>> rates_;
};

}  // namespace

std::optional<std::vector<CaseOutcome>> run_case(const Case& asked,
                                                 const std::filesystem::path& folder,
                                                 const std::filesystem::path& scenarios,
                                                 Sources& sources, Diagnostics& diagnostics) {
  const std::filesystem::path beside = folder / asked.hw;
  const std::string hardware =
      std::filesystem::is_regular_file(beside) ? beside.string() : asked.hw;
  return CaseRunner(asked, hardware, scenarios, sources, diagnostics).run();
}

}  // namespace memsim::scenarios
