#include "scenarios/hardware/figures.hpp"
#include "scenarios/hardware/hardware_schema.hpp"

namespace memsim::scenarios {
namespace {

using models::DriveSpec;

const Schema<DriveSpec>& achieved_schema() {
  static const Schema<DriveSpec> schema =
      Schema<DriveSpec>("drive efficiency")
          .field("read", &DriveSpec::read_share,
                 share_rules("share of `read` of long transfers", "1"))
          .field("write", &DriveSpec::write_share,
                 share_rules("share of `write` of long transfers", "1"))
          .shorthand({"read", "write"});
  return schema;
}

FieldRules latency_rules(std::string_view help, std::string_view fallback) {
  return {.help = help,
          .fallback = fallback,
          .example = fallback,
          .most = figures::most_time,
          .usual = figures::usual_drive_latency};
}

const Schema<DriveSpec>& latency_schema() {
  static const Schema<DriveSpec> schema =
      Schema<DriveSpec>("drive latency")
          .field("read", &DriveSpec::read_latency, latency_rules("of one read", "90 us"))
          .field("write", &DriveSpec::write_latency, latency_rules("of one write", "20 us"))
          .shorthand({"read", "write"});
  return schema;
}

const Schema<DriveSpec>& queue_schema() {
  // Sequential figures of data sheets are those of 32 requests of 128 KiB.
  static const Schema<DriveSpec> schema =
      Schema<DriveSpec>("drive queue")
          .field("depth", &DriveSpec::queue_depth,
                 {.help = "requests that a copy keeps in flight",
                  .fallback = "32",
                  .example = "32",
                  .least = 1,
                  .most = figures::most_queue,
                  .usual = figures::usual_queue})
          .field("request", &DriveSpec::request,
                 {.help = "size of one request",
                  .fallback = "128 KiB",
                  .example = "128 KiB",
                  .least = 1,
                  .most = figures::gibibyte,
                  .usual = figures::usual_request});
  return schema;
}

FieldRules bandwidth_rules(std::string_view help, std::string_view example) {
  return {.help = help,
          .required = true,
          .example = example,
          .aliases = {"bandwidth", "bw"},
          .least = figures::least_bandwidth,
          .most = figures::most_link,
          .usual = figures::usual_drive_bandwidth,
          .each = "drive"};
}

}  // namespace

const Schema<DriveSpec>& drive_schema() {
  static const Schema<DriveSpec> schema =
      Schema<DriveSpec>("drive")
          .field("name", &DriveSpec::name,
                 {.help = "name of the part",
                  .fallback = "",
                  .example = "samsung-pm9a3",
                  .most = longest_name})
          .field("kind", &DriveSpec::kind,
                 {.help = "how it is spoken to", .required = true, .example = "NVMe"})
          .field("capacity", &DriveSpec::capacity,
                 {.help = "as sold",
                  .required = true,
                  .example = "3.84 TB",
                  .aliases = {"size", "total"},
                  .least = figures::least_memory,
                  .most = 1000 * figures::petabyte,
                  .usual = figures::usual_drive})
          .field("read", &DriveSpec::read, bandwidth_rules("nominal, sequential", "6.8 GB/s"))
          .field("write", &DriveSpec::write, bandwidth_rules("nominal, sequential", "3.5 GB/s"))
          .table("achieved", [](DriveSpec& d) -> DriveSpec& { return d; }, achieved_schema(),
                 {.help = "shares of `read` and `write` that are reached"})
          .table("latency", [](DriveSpec& d) -> DriveSpec& { return d; }, latency_schema(),
                 {.help = "of one request"})
          .table("queue", [](DriveSpec& d) -> DriveSpec& { return d; }, queue_schema(),
                 {.help = "how a copy asks for its bytes"})
          .field("gpudirect", &DriveSpec::gpudirect,
                 {.help = "GPU memory without the host's in between (GPUDirect Storage)",
                  .fallback = "false",
                  .example = "true"});
  return schema;
}

}  // namespace memsim::scenarios
