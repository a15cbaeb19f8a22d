#include "tests/bench/flow_scenarios.hpp"

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "sim/core/random.hpp"
#include "validate/import/text_file.hpp"

namespace memsim::bench {
namespace {

using namespace sim::literals;
using validate::FlowScenario;

FlowScenario load(const std::string& file) {
  const auto text = validate::read_text_file(MEMSIM_SOURCE_DIR "/validate/data/flows/" + file);
  if (!text) throw std::runtime_error(text.error().message);
  const scenarios::SourceFile source(file, *text, scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  auto scenario = validate::parse_flow_scenario(source, diagnostics);
  if (!scenario) throw std::runtime_error(diagnostics.sorted().front().sentence());
  return *std::move(scenario);
}

void add_links(FlowScenario& scenario, std::size_t count, sim::Bandwidth bandwidth,
               sim::Duration latency) {
  scenario.links.insert(scenario.links.end(), count, {bandwidth, latency});
}

// Flows of different sizes that begin together on one link: a thousand are active on average. With
// `own_links` each also crosses a link of its own, so that no two have the same route.
FlowScenario one_link(bool own_links) {
  FlowScenario scenario;
  const std::uint32_t flows = 2000;
  add_links(scenario, 1, 100_GBps, 0_ps);
  if (own_links) add_links(scenario, flows, 1_GBps, 0_ps);
  for (std::uint32_t i = 0; i < flows; ++i) {
    std::vector<std::uint32_t> links{0};
    if (own_links) links.push_back(1 + i);
    scenario.flows.push_back({{}, sim::Bytes(1'000'000 + 1'000 * i), std::move(links), {}});
  }
  return scenario;
}

// Groups of eight links that share nothing with each other; flows over one to three links of a
// group begin at random times within a second.
FlowScenario groups(std::uint32_t count, std::uint32_t flows) {
  constexpr std::uint32_t links_per_group = 8;
  FlowScenario scenario;
  sim::Random random(3);
  for (std::uint32_t i = 0; i < links_per_group * count; ++i)
    add_links(scenario, 1, 1_GBps * static_cast<std::int64_t>(10 + random.bounded(90)), 0_ps);
  for (std::uint32_t i = 0; i < flows; ++i) {
    const auto group = static_cast<std::uint32_t>(random.bounded(count));
    std::vector<std::uint32_t> links(links_per_group);
    std::iota(links.begin(), links.end(), links_per_group * group);
    random.shuffle(std::span(links));
    links.resize(1 + random.bounded(3));
    const sim::Time start(static_cast<std::int64_t>(random.bounded(1'000'000)) * 1'000'000);
    const sim::Bytes bytes(static_cast<std::int64_t>(1'000'000 + random.bounded(1'000'000'000)));
    scenario.flows.push_back({start, bytes, std::move(links), {}});
  }
  return scenario;
}

// A ring all-reduce: every step of a rank waits for the last step of this rank and its predecessor.
FlowScenario ring(std::uint32_t ranks) {
  FlowScenario scenario;
  add_links(scenario, ranks, 50_GBps, 2_us);
  for (std::uint32_t step = 0; step < 2 * (ranks - 1); ++step) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      std::vector<std::uint32_t> after;
      if (step > 0) {
        const std::uint32_t last = (step - 1) * ranks;
        after = {last + rank, last + (rank + ranks - 1) % ranks};
      }
      scenario.flows.push_back({{}, sim::Bytes(10'000'000 + rank), {rank}, std::move(after)});
    }
  }
  return scenario;
}

// Chains of flows over two links that no other chain uses, as kernels on their own GPU are.
FlowScenario chains(std::uint32_t count) {
  FlowScenario scenario;
  add_links(scenario, 2 * count, 1000_GBps, 0_ps);
  for (std::uint32_t step = 0; step < 200; ++step) {
    for (std::uint32_t chain = 0; chain < count; ++chain) {
      std::vector<std::uint32_t> after;
      if (step > 0) after = {(step - 1) * count + chain};
      scenario.flows.push_back({{},
                                sim::Bytes(1'000'000 + 1'000 * chain + step),
                                {2 * chain, 2 * chain + 1},
                                std::move(after)});
    }
  }
  return scenario;
}

}  // namespace

std::vector<NamedScenario> flow_scenarios() {
  return {{"random_512x20000", load("random_512x20000.json.gz")},
          {"random_64x1000", load("random_64x1000.json")},
          {"pcie_tree_8gpu", load("pcie_tree_8gpu.json")},
          {"ring_allreduce_8", load("ring_allreduce_8.json")},
          {"one_link_2000", one_link(false)},
          {"one_link_2000_own_routes", one_link(true)},
          {"groups_250x100000", groups(250, 100'000)},
          {"ring_64", ring(64)},
          {"isolated_chains_64", chains(64)}};
}

}  // namespace memsim::bench
