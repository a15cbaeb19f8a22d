#include "app/report/transfer_json.hpp"

#include <nlohmann/json.hpp>

namespace memsim::app {
namespace {

using nlohmann::json;
using namespace scenarios;

json to_json(const Binding& binding) {
  return {{"resource", binding.resource},
          {"time_ps", binding.time.value()},
          {"sharers", binding.sharers}};
}

json to_json(const TransferResult& transfer) {
  json bindings = json::array();
  for (const Binding& binding : transfer.bindings) bindings.push_back(to_json(binding));
  return {{"from", transfer.from},
          {"to", transfer.to},
          {"bytes", transfer.bytes.value()},
          {"time_ps", transfer.time.value()},
          {"rate_Bps", transfer.rate.value()},
          {"alone_Bps", transfer.alone.value()},
          {"call_ps", transfer.call.value()},
          {"engine_ps", transfer.engine.value()},
          {"latency_ps", transfer.latency.value()},
          {"wake_ps", transfer.wake.value()},
          {"pinning_ps", transfer.pinning ? json(transfer.pinning->value()) : json(nullptr)},
          {"bound_by", bindings}};
}

json to_json(const NodeLoad& node) {
  return {{"node", node.name},
          {"utilisation_ppm", node.load.utilisation.value()},
          {"idle_latency_ps", node.load.idle.value()},
          {"loaded_latency_ps", node.load.latency.value()},
          {"core_loads_Bps", node.load.core.value()}};
}

json to_json(const SweepPoint& point) {
  json transfers = json::array();
  for (const TransferResult& transfer : point.answer.transfers)
    transfers.push_back(to_json(transfer));
  json loads = json::array();
  for (const NodeLoad& node : point.answer.loads) loads.push_back(to_json(node));
  return {{"size", point.size.value()}, {"transfers", transfers}, {"loads", loads}};
}

}  // namespace

std::string transfer_json(const Sweep& sweep) {
  json points = json::array();
  for (const SweepPoint& point : sweep.points) points.push_back(to_json(point));
  const json half = sweep.half_rate ? json(sweep.half_rate->value()) : json(nullptr);
  return json{{"schema", "memsim.transfer/1"},
              {"system", sweep.points.front().answer.system},
              {"half_rate_size", half},
              {"points", points}}
             .dump(2) +
         "\n";
}

}  // namespace memsim::app
