#include "scenarios/hardware/figures.hpp"
#include "scenarios/hardware/hardware_schema.hpp"
#include "scenarios/hardware/physical_limits.hpp"
#include "scenarios/hardware/technologies.hpp"

namespace memsim::scenarios {
namespace {

const Schema<models::LinkSpec>& achieved_schema() {
  using models::LinkSpec;
  static const Schema<LinkSpec> schema =
      Schema<LinkSpec>("link efficiency")
          .field("forward", &LinkSpec::forward,
                 share_rules("share of bandwidth of long transfers, from -> to", "1"))
          .field("backward", &LinkSpec::backward,
                 share_rules("share of bandwidth of long transfers, to -> from", "1"))
          .shorthand({"forward", "backward"});
  return schema;
}

const Schema<models::EfficiencyPoint>& point_schema() {
  using models::EfficiencyPoint;
  static const Schema<EfficiencyPoint> schema =
      Schema<EfficiencyPoint>("efficiency point")
          .field("size", &EfficiencyPoint::size,
                 {.help = "of the transfer",
                  .required = true,
                  .example = "64 KiB",
                  .least = 1,
                  .most = figures::most_memory})
          .field("fraction", &EfficiencyPoint::fraction,
                 {.help = "share of bandwidth that it reaches",
                  .required = true,
                  .example = "0.15",
                  .least = 1,
                  .most = models::parts_per_million});
  return schema;
}

}  // namespace

const Schema<models::LinkSpec>& link_schema() {
  using models::LinkSpec;
  static const Schema<LinkSpec> schema =
      Schema<LinkSpec>("link")
          .field("name", &LinkSpec::name,
                 {.help = "name of the part",
                  .fallback = "",
                  .example = "pcie4-x16",
                  .most = longest_name})
          .field("kind", &LinkSpec::kind,
                 {.help = "standard", .required = true, .example = "PCIe", .ruled_by = "bandwidth"})
          .field("generation", &LinkSpec::generation,
                 {.help = "of the standard",
                  .fallback = "0",
                  .example = "4",
                  .aliases = {"gen", "version"},
                  .most = figures::most_generation,
                  .usual = figures::usual_generation,
                  .ruled_by = "bandwidth"})
          .field("lanes", &LinkSpec::lanes,
                 {.help = "lanes of PCIe, links of NVLink",
                  .fallback = "0",
                  .example = "16",
                  .aliases = {"width", "links"},
                  .most = figures::most_lanes,
                  .usual = figures::usual_lanes})
          .field("bandwidth", &LinkSpec::bandwidth,
                 {.help = "nominal, per direction, after encoding",
                  .required = true,
                  .example = "31.5 GB/s",
                  .aliases = {"bw", "speed", "rate"},
                  .least = figures::least_bandwidth,
                  .most = figures::most_link,
                  .usual = figures::usual_link,
                  .follows = "lanes"})
          .table("achieved", [](LinkSpec& l) -> LinkSpec& { return l; }, achieved_schema(),
                 {.help = "shares of bandwidth that long transfers reach"})
          .field("duplex_total", &LinkSpec::duplex_total,
                 {.help = "achieved by both directions together, where they share",
                  .example = "50 GB/s",
                  .least = figures::least_bandwidth,
                  .most = 2 * figures::most_link,
                  .follows = "bandwidth"})
          .field("latency", &LinkSpec::latency,
                 {.help = "until the first byte arrives",
                  .fallback = "1 us",
                  .example = "1 us",
                  .most = figures::most_time,
                  .usual = figures::usual_link_latency})
          .field("overhead", &LinkSpec::overhead,
                 {.help = "host part of a copy's call, where it differs from a launch",
                  .example = "2.5 us",
                  .most = figures::most_time,
                  .usual = figures::usual_start})
          .list("efficiency", &LinkSpec::efficiency, point_schema(),
                {.help = "of shorter transfers, by ascending size", .most = 4096})
          .check(check_link_kind, {"kind"})
          .check(check_lanes, {"kind", "lanes"})
          .check(check_bandwidth, {"kind", "generation", "lanes", "bandwidth"})
          .check(check_duplex_total,
                 {"bandwidth", "duplex_total", "achieved.forward", "achieved.backward"})
          .check(check_efficiency, {"efficiency[*]"});
  return schema;
}

}  // namespace memsim::scenarios
