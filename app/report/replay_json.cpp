#include <nlohmann/json.hpp>

#include "app/report/replay_text.hpp"

namespace memsim::app {
namespace {

using nlohmann::json;
using namespace scenarios;

json to_json(const ReplayMoment& moment) {
  return {{"operation", moment.operation},
          {"requested", moment.usage.requested.value()},
          {"allocated", moment.usage.allocated.value()},
          {"reserved", moment.usage.reserved.value()}};
}

json to_json(const ReplayFailure& failure) {
  const sim::OutOfMemory& cause = failure.cause;
  return {{"operation", failure.operation},
          {"requested", cause.requested.value()},
          {"allocated", cause.allocated.value()},
          {"reserved", cause.reserved.value()},
          {"device_free", cause.free.value()},
          {"largest_free_block", cause.largest_free_block.value()},
          {"fragmented", cause.fragmented()},
          {"message", cause.message}};
}

json to_json(const ReplayRun& run, const std::optional<sim::DriverCosts>& costs) {
  json timeline = json::array();
  for (const ReplayMoment& moment : run.timeline) timeline.push_back(to_json(moment));
  return {{"allocator", run.allocator.kind},
          {"options", run.allocator.options},
          {"peak_requested", run.peak_requested.value()},
          {"peak_allocated", run.peak_allocated.value()},
          {"peak", to_json(run.peak)},
          {"end", to_json(run.end)},
          {"timeline", timeline},
          {"flushes", run.flushes},
          {"failures", run.failures},
          {"first_failure", run.first_failure ? to_json(*run.first_failure) : json(nullptr)},
          {"driver",
           {{"mallocs", run.work.mallocs},
            {"failed_mallocs", run.work.failed_mallocs},
            {"frees", run.work.frees},
            {"maps", run.work.maps},
            {"unmaps", run.work.unmaps},
            {"time_ps", costs ? json(costs->of(run.work).value()) : json(nullptr)}}}};
}

}  // namespace

std::string replay_json(const ReplayAnswer& answer) {
  json runs = json::array();
  for (const ReplayRun& run : answer.runs) runs.push_back(to_json(run, answer.costs));
  return json{{"schema", "memsim.replay/1"},
              {"file", answer.file},
              {"operations", answer.trace.ops.size()},
              {"allocations", answer.trace.allocations},
              {"capacity", answer.capacity ? json(answer.capacity->value()) : json(nullptr)},
              {"left_out", answer.trace.left_out},
              {"runs", runs}}
             .dump(2) +
         "\n";
}

}  // namespace memsim::app
