#include "scenarios/plan/host_memory.hpp"

#include "models/machine/machine.hpp"
#include "tests/scenarios/plan/catalogue_plan.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

using sim::Bytes;

// 1,000,000 parameters in bf16, Adam's two states beside them.
models::TensorTotals totals() {
  models::TensorTotals result;
  result.parameters = 1'000'000;
  result.parameter_bytes = Bytes(2'000'000);
  result.buffer_bytes = Bytes(40'960);
  result.inputs = {Bytes(12'000), Bytes(4'096), Bytes(100)};
  result.optimizer_bytes = Bytes(4'000'000);
  return result;
}

Bytes pages(std::int64_t bytes) { return sim::round_up(Bytes(bytes), Bytes(4096)); }

TEST_CASE("the host holds the process, its pinned batches and the model in fp32 while loading") {
  const CataloguePlan plan("a100", "125m", {});
  const models::Machine machine(plan.inputs().system);
  const auto host = simulate_host_memory(machine, 0, totals());
  REQUIRE(host.has_value());
  // Each twice: 12,000 as 16,384, a page, and 128 bytes that take a page.
  CHECK(host->pinned == Bytes(2 * (16'384 + 4'096 + 4'096)));
  CHECK(host->steady == host_process_base + host->pinned);
  CHECK(host->load == host->steady + pages(4 * 1'000'000 + 40'960));
  CHECK(host->save == host->steady + pages(2'000'000 + 40'960) + pages(4'000'000));
}

TEST_CASE("weights move at the rate of one thread that fills the bounce buffer") {
  const CataloguePlan plan("a100", "125m", {});
  const models::Machine machine(plan.inputs().system);
  const models::TensorTotals moved = totals();
  const auto host = simulate_host_memory(machine, 0, moved);
  REQUIRE(host.has_value());
  const sim::Route route =
      machine.placement(0).routes[models::index(models::LocalRoute::h2d_pageable)];
  const sim::Bandwidth copying = plan.inputs().system.host.sockets[0].numa[0].memcpy;
  REQUIRE(route.cap == copying);
  // The call, the latency of the way, then the bytes as they are stored on the GPU.
  const sim::Duration expected = *machine.placement(0).driver.copy + route.latency +
                                 transfer_time(moved.parameter_bytes + moved.buffer_bytes, copying);
  CHECK(host->load_time.value() == expected.value());
}

TEST_CASE("the host's RAM is what its nodes leave to jobs, less other tenants") {
  models::SystemSpec system;
  system.host.sockets.resize(2);
  for (models::SocketSpec& socket : system.host.sockets) {
    socket.numa.resize(2);
    for (models::NumaSpec& node : socket.numa) node.memory.usable = Bytes(100);
  }
  system.tenant_memory = Bytes(50);
  CHECK(host_capacity(system) == Bytes(350));
  system.tenant_memory = Bytes(500);
  CHECK(host_capacity(system) == Bytes(0));
}

}  // namespace
}  // namespace memsim::scenarios
