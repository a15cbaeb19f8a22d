#include "app/report/transfer_text.hpp"

#include <fmt/format.h>

#include "app/report/format.hpp"

namespace memsim::app {
namespace {

using namespace scenarios;

constexpr std::size_t indent = 2;

std::string rate(sim::Bandwidth bandwidth) {
  const auto value = static_cast<double>(bandwidth.value());
  if (value >= 1e9) return fmt::format("{:.2f} GB/s", value / 1e9);
  return value >= 1e6 ? fmt::format("{:.2f} MB/s", value / 1e6)
                      : fmt::format("{:.2f} kB/s", value / 1e3);
}

std::string share(sim::Duration part, sim::Duration whole) {
  return percent(models::Fraction(
      sim::scale(part.value(), models::parts_per_million, std::max(whole.value(), INT64_C(1)))));
}

std::string name(const TransferResult& transfer) {
  return fmt::format("{} to {}", transfer.from, transfer.to);
}

std::string headline(const TransferResult& transfer) {
  return fmt::format("{}, {}: {}, {}\n", name(transfer), size(transfer.bytes),
                     duration(transfer.time), rate(transfer.rate));
}

void add_binding(std::string& text, const Binding& binding, const TransferAnswer& answer,
                 sim::Duration time) {
  text += fmt::format("  {:<9} {:<6}", duration(binding.time), share(binding.time, time));
  Wrapped words(text, 20, " ");
  words.add(fmt::format(" bound by {}", binding.resource));
  for (std::size_t i = 0; i < binding.sharers.size(); ++i)
    words.add(fmt::format("{}{}", i == 0 ? "shared with " : "and ",
                          name(answer.transfers[binding.sharers[i]])));
  text += "\n";
}

void add_part(std::string& text, sim::Duration part, sim::Duration time, std::string_view what) {
  if (part.value() == 0) return;
  text += fmt::format("  {:<9} {:<6} {}\n", duration(part), share(part, time), what);
}

std::string full(const TransferAnswer& answer) {
  const TransferResult& first = answer.transfers.front();
  std::string text = headline(first);
  add_part(text, first.call, first.time, "the call, until it reaches the device");
  add_part(text, first.engine, first.time, "behind another copy on its engine");
  add_part(text, first.latency, first.time, "latency");
  for (const Binding& binding : first.bindings) add_binding(text, binding, answer, first.time);
  add_part(text, first.wake, first.time, "until the waiting thread goes on");
  if (first.pinning)
    text += fmt::format("  before: pinning the host's memory takes {}\n", duration(*first.pinning));
  if (answer.transfers.size() > 1) {
    text += fmt::format("\n{:<24}{:>10}{:>10}{:>13}{:>13}\n", "together", "size", "time", "rate",
                        "alone");
    for (const TransferResult& each : answer.transfers)
      text += fmt::format("  {:<22}{:>10}{:>10}{:>13}{:>13}\n", name(each), size(each.bytes),
                          duration(each.time), rate(each.rate), rate(each.alone));
  }
  if (!answer.loads.empty()) text += "\n";
  for (const NodeLoad& node : answer.loads) {
    Wrapped words(text, indent, " ");
    words.add(fmt::format("{} is used to {};", node.name, percent(node.load.utilisation)));
    words.add(fmt::format("a load takes {} ({} idle),", duration(node.load.latency),
                          duration(node.load.idle)));
    words.add(fmt::format("the loads of one core reach {}", rate(node.load.core)));
    text += "\n";
  }
  return text;
}

std::string curve(const Sweep& sweep) {
  std::string text = fmt::format("{}\n{:>10}{:>11}{:>14}{:>12}  {}\n",
                                 name(sweep.points.front().answer.transfers.front()), "size",
                                 "time", "rate", "fixed part", "bound by");
  for (const SweepPoint& point : sweep.points) {
    const TransferResult& first = point.answer.transfers.front();
    text += fmt::format("{:>10}{:>11}{:>14}{:>12}  {}\n", size(point.size), duration(first.time),
                        rate(first.rate), duration(first.call + first.latency),
                        first.bindings.empty() ? "" : first.bindings.front().resource);
  }
  if (sweep.half_rate)
    text +=
        fmt::format("n1/2: {} reach half the rate of the largest size\n", size(*sweep.half_rate));
  return text;
}

}  // namespace

std::string transfer_headline(const Sweep& sweep) {
  return headline(sweep.points.back().answer.transfers.front());
}

std::string transfer_text(const Sweep& sweep) {
  return sweep.points.size() == 1 ? full(sweep.points.front().answer) : curve(sweep);
}

}  // namespace memsim::app
