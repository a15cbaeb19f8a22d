#include "scenarios/hardware/figures.hpp"
#include "scenarios/hardware/hardware_schema.hpp"
#include "scenarios/hardware/physical_limits.hpp"
#include "scenarios/hardware/technologies.hpp"

namespace memsim::scenarios {
namespace {

const Schema<models::AchievedBandwidth>& achieved_schema() {
  using models::AchievedBandwidth;
  // Defaults are those of an eight-channel DDR4 server: STREAM-like mixes lose more than reads.
  static const Schema<AchievedBandwidth> schema =
      Schema<AchievedBandwidth>("memory efficiency")
          .field("read", &AchievedBandwidth::read,
                 share_rules("share of bandwidth that pure reads reach", "0.80"))
          .field("write", &AchievedBandwidth::write,
                 share_rules("share of bandwidth that pure writes reach", "0.72"))
          .field("mixed", &AchievedBandwidth::mixed,
                 share_rules("share of bandwidth of reads and writes together", "0.72"))
          .shorthand({"read", "write", "mixed"});
  return schema;
}

const Schema<models::HostMemorySpec>& memory_schema() {
  using models::HostMemorySpec;
  static const Schema<HostMemorySpec> schema =
      Schema<HostMemorySpec>("host memory")
          .field("kind", &HostMemorySpec::kind,
                 {.help = "memory technology and grade",
                  .required = true,
                  .example = "DDR4-3200",
                  .ruled_by = "channel_bandwidth"})
          .field("channels", &HostMemorySpec::channels,
                 {.help = "populated channels",
                  .required = true,
                  .example = "8",
                  .least = 1,
                  .most = figures::most_channels,
                  .usual = figures::usual_channels})
          .field("channel_bandwidth", &HostMemorySpec::channel_bandwidth,
                 {.help = "nominal, of one channel",
                  .required = true,
                  .example = "25.6 GB/s",
                  .aliases = {"bandwidth", "bw"},
                  .least = figures::least_bandwidth,
                  .most = figures::most_channel_bandwidth,
                  .usual = figures::usual_channel_bandwidth,
                  .each = "channel"})
          .field("capacity", &HostMemorySpec::capacity,
                 {.help = "memory of this NUMA node",
                  .required = true,
                  .example = "512 GB",
                  .aliases = {"memory", "size", "ram", "total"},
                  .least = figures::least_memory,
                  .most = figures::most_memory,
                  .usual = figures::usual_host_memory,
                  .each = "NUMA node"})
          .field("usable", &HostMemorySpec::usable,
                 {.help = "what is left beside the operating system",
                  .same_as = "capacity",
                  .example = "500 GB",
                  .aliases = {"free", "available"},
                  .least = figures::least_memory,
                  .most = 2 * figures::most_memory,
                  .follows = "capacity"})
          .field("latency", &HostMemorySpec::latency,
                 {.help = "of one access, idle",
                  .fallback = "95 ns",
                  .example = "95 ns",
                  .most = figures::millisecond,
                  .usual = figures::usual_memory_latency})
          .table("achieved", &HostMemorySpec::achieved, achieved_schema(),
                 {.help = "shares of bandwidth that are reached"})
          .check(check_host_memory_kind, {"kind"})
          .check(check_host_usable, {"usable", "capacity"})
          .check(check_channel, {"kind", "channel_bandwidth"});
  return schema;
}

const Schema<models::MemoryLinkSpec>& memory_link_schema() {
  using models::MemoryLinkSpec;
  static const Schema<MemoryLinkSpec> schema =
      Schema<MemoryLinkSpec>("memory link")
          .field("bandwidth", &MemoryLinkSpec::bandwidth,
                 {.help = "achieved to a memory behind a link (CXL), per direction; 0: none",
                  .fallback = "0 B/s",
                  .example = "28 GB/s",
                  .most = figures::most_link,
                  .usual = figures::usual_link})
          .field("latency", &MemoryLinkSpec::latency,
                 {.help = "added to an access through the link",
                  .fallback = "0 ns",
                  .example = "150 ns",
                  .most = figures::millisecond,
                  .usual = figures::usual_link_latency})
          .check(check_memory_link, {"bandwidth"});
  return schema;
}

const Schema<models::RootComplexSpec>& root_complex_schema() {
  using models::RootComplexSpec;
  const auto rules = [](std::string_view help) {
    return FieldRules{.help = help,
                      .example = "50 GB/s",
                      .least = figures::least_bandwidth,
                      .most = 2 * figures::most_link,
                      .usual = figures::usual_root_complex};
  };
  static const Schema<RootComplexSpec> schema =
      Schema<RootComplexSpec>("root complex")
          .field("down", &RootComplexSpec::down, rules("achieved towards all devices of a socket"))
          .field("up", &RootComplexSpec::up, rules("achieved from all devices of a socket"))
          .field("total", &RootComplexSpec::total, rules("achieved by both directions together"))
          .field("port", &RootComplexSpec::port,
                 rules("achieved by both directions of one link together"))
          .field("peer", &RootComplexSpec::peer,
                 rules("achieved by one copy between two devices that passes it"));
  return schema;
}

const Schema<models::NumaSpec>& numa_schema() {
  using models::NumaSpec;
  static const Schema<NumaSpec> schema =
      Schema<NumaSpec>("NUMA node")
          .table("memory", &NumaSpec::memory, memory_schema(), {.help = "its DDR"})
          .field("memcpy", &NumaSpec::memcpy,
                 {.help = "bytes that one thread copies per second",
                  .fallback = "11 GB/s",
                  .example = "11 GB/s",
                  .least = figures::least_bandwidth,
                  .most = figures::most_bandwidth,
                  .usual = figures::usual_memcpy})
          .field("memcpy_up", &NumaSpec::memcpy_up,
                 {.help = "bytes per second out of the buffer of pageable copies",
                  .example = "11 GB/s",
                  .least = figures::least_bandwidth,
                  .most = figures::most_bandwidth,
                  .usual = figures::usual_memcpy,
                  .follows = "memcpy"})
          .table("link", &NumaSpec::link, memory_link_schema(),
                 {.help = "what it lies behind, if it is no memory of the socket's own"});
  return schema;
}

const Schema<models::SocketSpec>& socket_schema() {
  using models::SocketSpec;
  static const Schema<SocketSpec> schema =
      Schema<SocketSpec>("socket")
          .field("cores", &SocketSpec::cores,
                 {.help = "physical cores",
                  .required = true,
                  .example = "64",
                  .least = 1,
                  .most = figures::most_cores,
                  .usual = figures::usual_cores})
          .list(
              "numa", &SocketSpec::numa, numa_schema(),
              {.help = "its NUMA nodes", .required = true, .least = 1, .most = figures::most_nodes})
          .table("root_complex", &SocketSpec::root_complex, root_complex_schema(),
                 {.help = "what all its links share"})
          .field("lines", &SocketSpec::lines,
                 {.help = "cache lines of 64 B that one core "
                          "waits for at a time",
                  .fallback = "12",
                  .example = "12",
                  .least = 1,
                  .most = figures::most_lines,
                  .usual = figures::usual_lines});
  return schema;
}

FieldRules devices_rules(std::string_view help) {
  return {.help = help,
          .example = "40 GB/s",
          .least = figures::least_bandwidth,
          .most = figures::most_bandwidth,
          .usual = figures::usual_inter_socket};
}

const Schema<models::InterSocketSpec>& inter_socket_schema() {
  using models::InterSocketSpec;
  static const Schema<InterSocketSpec> schema =
      Schema<InterSocketSpec>("socket interconnect")
          .field("bandwidth", &InterSocketSpec::bandwidth,
                 {.help = "achieved between two sockets, per direction",
                  .fallback = "0 B/s",
                  .example = "60 GB/s",
                  .most = figures::most_bandwidth,
                  .usual = figures::usual_inter_socket})
          .field("latency", &InterSocketSpec::latency,
                 {.help = "added to an access to the other socket",
                  .fallback = "60 ns",
                  .example = "60 ns",
                  .most = figures::millisecond,
                  .usual = figures::usual_memory_latency})
          .field("down", &InterSocketSpec::down,
                 devices_rules("achieved by devices that read another socket's memory"))
          .field("up", &InterSocketSpec::up,
                 devices_rules("achieved by devices that write another socket's memory"))
          .check(check_inter_socket, {"bandwidth"});
  return schema;
}

const Schema<models::PinningSpec>& pinning_schema() {
  using models::PinningSpec;
  // Defaults are those of an 8x H100 server: 8 GiB take 2.8 s with one thread, 0.92 s with 32
  // (ai-dynamo/dynamo #13710); 0.1 s/GB without the touch.
  static const Schema<PinningSpec> schema =
      Schema<PinningSpec>("pinning")
          .field("start", &PinningSpec::start,
                 {.help = "of one allocation of pinned memory",
                  .fallback = "100 us",
                  .example = "100 us",
                  .most = figures::most_time,
                  .usual = figures::usual_driver_call})
          .field("touch", &PinningSpec::touch,
                 {.help = "first touch of pages by one thread",
                  .fallback = "4.1 GB/s",
                  .example = "4.1 GB/s",
                  .least = figures::least_bandwidth,
                  .most = figures::most_bandwidth,
                  .usual = figures::usual_memcpy})
          .field("lock", &PinningSpec::lock,
                 {.help = "page-locking of touched memory",
                  .fallback = "9.8 GB/s",
                  .example = "9.8 GB/s",
                  .least = figures::least_bandwidth,
                  .most = figures::most_bandwidth,
                  .usual = figures::usual_memcpy});
  return schema;
}

// Sockets are joined: without a bandwidth nothing could cross.
void check_sockets(const models::HostSpec& host, const Node& table, Diagnostics& diagnostics) {
  if (host.sockets.size() < 2 || host.inter_socket.bandwidth.value() > 0) return;
  const Node* between = table.find("inter_socket");
  diagnostics.add({.code = "E105",
                   .location = between == nullptr ? table.location : between->location,
                   .message = "`inter_socket.bandwidth` is missing",
                   .label = "",
                   .notes = {},
                   .help = "a host of several sockets says what crosses between two of them: "
                           "bandwidth = \"60 GB/s\"",
                   .suggestion = ""});
}

}  // namespace

const Schema<models::HostSpec>& host_schema() {
  using models::HostSpec;
  static const Schema<HostSpec> schema =
      Schema<HostSpec>("host")
          .field("name", &HostSpec::name,
                 {.help = "name of the part",
                  .fallback = "",
                  .example = "epyc-7742-2s",
                  .most = longest_name})
          .list("socket", &HostSpec::sockets, socket_schema(),
                {.help = "its CPUs", .required = true, .least = 1, .most = figures::most_sockets})
          .table("inter_socket", &HostSpec::inter_socket, inter_socket_schema(),
                 {.help = "between two sockets"})
          .table("pinning", &HostSpec::pinning, pinning_schema(),
                 {.help = "what pinned memory costs"})
          .choice(
              "staging", &HostSpec::staging,
              {{"overlapped", models::Staging::overlapped}, {"serial", models::Staging::serial}},
              {.help = "memcpy and DMA of a pageable copy's chunks",
               .fallback = "overlapped",
               .example = "serial"})
          .check(check_sockets, {"socket", "inter_socket.bandwidth"});
  return schema;
}

}  // namespace memsim::scenarios
