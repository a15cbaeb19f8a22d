#include "app/report/plan_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

namespace memsim::app {
namespace {

using nlohmann::json;
using namespace scenarios;

json quantity(const Estimate& estimate, std::string_view unit, std::string_view source) {
  return {{"value", estimate.value},
          {"unit", unit},
          {"p10", estimate.p10},
          {"p90", estimate.p90},
          {"source", source}};
}

// Follows from inputs alone.
json exact(std::int64_t value, std::string_view unit, std::string_view source) {
  return quantity({value, value, value}, unit, source);
}

// Predictions of one answer share its error.
class Quantities {
 public:
  explicit Quantities(const PredictionError& error) : error_(error) {}

  [[nodiscard]] json bytes(sim::Bytes value) const {
    return quantity(estimate(value.value(), error_), "B", "simulated");
  }
  [[nodiscard]] json time(sim::Duration value) const {
    return quantity(estimate(value.value(), error_), "ps", "simulated");
  }

 private:
  const PredictionError& error_;
};

json to_json(const ResourceAnswer& resource) {
  return {{"id", resource.id},
          {"name", resource.name},
          {"part", resource.part},
          {"phase", resource.phase},
          {"need", quantity(resource.need, "B", resource.basis)},
          {"limit", exact(resource.limit.value(), "B", "machine")},
          {"sure_from", exact(resource.sure_from.value(), "B", resource.basis)},
          {"probability_ppm", resource.probability.value()},
          {"verdict", name(resource.verdict)}};
}

json to_json(const PhaseAnswer& phase, const Quantities& quantities) {
  return {{"name", phase.name},
          {"live", quantities.bytes(phase.live)},
          {"reserved", quantities.bytes(phase.reserved)},
          {"unmanaged", quantities.bytes(phase.unmanaged)},
          {"total", quantities.bytes(phase.total())},
          {"host_ram", quantities.bytes(phase.host)},
          {"time", quantities.time(phase.time)},
          {"peak", phase.peak}};
}

json to_json(const ItemAnswer& item, const Quantities& quantities) {
  json largest = json::array();
  for (const TensorShare& share : item.largest)
    largest.push_back(
        {{"name", share.name}, {"tensors", share.tensors}, {"bytes", share.bytes.value()}});
  return {{"name", sim::name(item.category)},
          {"bytes", quantities.bytes(item.bytes)},
          {"largest", largest}};
}

json to_json(const LeverAnswer& lever, const Quantities& quantities) {
  json settings = json::object();
  for (const SettingValue& setting : lever.settings) settings[setting.key] = setting.value;
  return {{"set", settings},
          {"need", quantities.bytes(lever.need)},
          {"reserved", quantities.bytes(lever.reserved)},
          {"memory_delta", lever.memory_delta},
          {"host_ram_delta", lever.host_delta},
          {"step_time", lever.step ? quantities.time(*lever.step) : json(nullptr)},
          {"time_per_token_delta_ppm",
           lever.time_delta_ppm ? json(*lever.time_delta_ppm) : json(nullptr)},
          {"verdict", name(lever.verdict)},
          {"side_effect", lever.side_effect}};
}

json to_json(std::span<const LeverAnswer> levers, const Quantities& quantities) {
  json list = json::array();
  for (const LeverAnswer& lever : levers) list.push_back(to_json(lever, quantities));
  return list;
}

json to_json(std::span<const HostItem> items) {
  json list = json::array();
  for (const HostItem& item : items)
    list.push_back({{"name", item.name}, {"bytes", item.bytes.value()}});
  return list;
}

json bottleneck(const StepAnswer& step, const Quantities& quantities) {
  json shares = json::array();
  for (const TimeShare& share : step.shares)
    shares.push_back({{"resource", share.resource},
                      {"time", quantities.time(share.time)},
                      {"idle", share.idle}});
  return {{"resource", step.shares.empty() ? json(nullptr) : json(step.shares.front().resource)},
          {"shares", shares},
          {"step_time", quantity(step.time, "ps", "simulated")},
          {"throughput", quantity(step.samples_per_second, step.sample_unit + "/s", "simulated")},
          {"samples", exact(step.samples, step.sample_unit, "input")},
          {"flops", exact(step.flops, "FLOP", "model")},
          {"flops_type", step.flops_type},
          {"flops_per_second", quantity(step.flops_per_second, "FLOP/s", "simulated")},
          {"peak_flops", exact(step.peak_flops.value(), "FLOP/s", "machine")}};
}

json to_json(const FailureAnswer& failure) {
  return {{"phase", failure.phase},
          {"tensor", failure.tensor},
          {"requested", failure.requested.value()},
          {"short_by", failure.short_by.value()},
          {"fragmented", failure.fragmented},
          {"message", failure.message}};
}

void add_levers(const LeverReport& report, const Quantities& quantities, json& root) {
  root["levers"] = to_json(report.useful, quantities);
  root["useless_levers"] = to_json(report.useless, quantities);
  root["smallest_set"] =
      report.smallest_set ? to_json(*report.smallest_set, quantities) : json(nullptr);
  root["largest_micro_batch"] =
      report.largest_micro_batch ? json(*report.largest_micro_batch) : json(nullptr);
  root["levers_complete"] = report.complete;
}

}  // namespace

std::string plan_json(const PlanAnswer& answer) {
  const Quantities quantities(answer.error);
  json root{{"schema", "memsim.plan/1"},
            {"memsim_version", MEMSIM_VERSION},
            {"inputs_digest", fmt::format("{:016x}", answer.inputs_digest)},
            {"verdict", name(answer.verdict)},
            {"model", {{"name", answer.model}, {"parameters", answer.parameters}}},
            {"machine", {{"name", answer.system}, {"gpu", answer.gpu}}},
            {"error_source", answer.error.source},
            {"bottleneck", bottleneck(answer.step, quantities)},
            {"failure", answer.failure ? to_json(*answer.failure) : json(nullptr)},
            {"host_ram_items",
             {{"load", to_json(answer.host.load)}, {"save", to_json(answer.host.save)}}},
            {"levers", json::array()}};
  for (const char* list : {"resources", "phases", "items", "assumptions", "warnings"})
    root[list] = json::array();
  for (const auto& resource : answer.resources) root["resources"].push_back(to_json(resource));
  for (const auto& phase : answer.phases) root["phases"].push_back(to_json(phase, quantities));
  for (const auto& item : answer.items) root["items"].push_back(to_json(item, quantities));
  if (answer.levers) add_levers(*answer.levers, quantities, root);
  for (const auto& assumption : answer.assumptions)
    root["assumptions"].push_back(
        {{"key", assumption.key}, {"value", assumption.value}, {"origin", assumption.origin}});
  for (const auto& warning : answer.warnings)
    root["warnings"].push_back({{"id", warning.id}, {"text", warning.text}});
  return root.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace memsim::app
