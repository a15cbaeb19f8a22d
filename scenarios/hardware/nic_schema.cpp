#include "scenarios/hardware/figures.hpp"
#include "scenarios/hardware/hardware_schema.hpp"
#include "scenarios/hardware/physical_limits.hpp"
#include "scenarios/hardware/technologies.hpp"

namespace memsim::scenarios {
namespace {

using models::NicSpec;

const Schema<NicSpec>& achieved_schema() {
  static const Schema<NicSpec> schema =
      Schema<NicSpec>("NIC efficiency")
          .field("send", &NicSpec::send_share,
                 share_rules("share of the rate of long messages out of the node", "1"))
          .field("receive", &NicSpec::receive_share,
                 share_rules("share of the rate of long messages into the node", "1"))
          .shorthand({"send", "receive"});
  return schema;
}

}  // namespace

const Schema<NicSpec>& nic_schema() {
  static const Schema<NicSpec> schema =
      Schema<NicSpec>("NIC")
          .field("name", &NicSpec::name,
                 {.help = "name of the part",
                  .fallback = "",
                  .example = "infiniband-hdr",
                  .most = longest_name})
          .field("kind", &NicSpec::kind,
                 {.help = "network", .required = true, .example = "InfiniBand"})
          .field("generation", &NicSpec::generation,
                 {.help = "of the network", .fallback = "", .example = "HDR", .ruled_by = "rate"})
          .field("rate", &NicSpec::rate,
                 {.help = "nominal, per direction",
                  .required = true,
                  .example = "200 Gb/s",
                  .aliases = {"bandwidth", "bw", "speed"},
                  .least = figures::least_bandwidth,
                  .most = figures::most_link,
                  .usual = figures::usual_nic,
                  .in_bits = true,
                  .each = "NIC"})
          .table("achieved", [](NicSpec& n) -> NicSpec& { return n; }, achieved_schema(),
                 {.help = "shares of the rate that long messages reach"})
          .field("latency", &NicSpec::latency,
                 {.help = "one way, of a small message",
                  .fallback = "2 us",
                  .example = "2 us",
                  .most = figures::most_time,
                  .usual = figures::usual_nic_latency})
          .field("gpudirect", &NicSpec::gpudirect,
                 {.help = "GPU memory without the host's in between (GPUDirect RDMA)",
                  .fallback = "true",
                  .example = "true"})
          .check(check_network, {"kind", "generation"})
          .check(check_rate, {"kind", "generation", "rate"});
  return schema;
}

}  // namespace memsim::scenarios
