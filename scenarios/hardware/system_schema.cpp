#include "scenarios/hardware/figures.hpp"
#include "scenarios/hardware/hardware_schema.hpp"

namespace memsim::scenarios {
namespace {

const Schema<HostEntry>& host_entry_schema() {
  static const Schema<HostEntry> schema = Schema<HostEntry>("host")
                                              .field("part", &HostEntry::part,
                                                     {.help = "host of the catalogue, or a file",
                                                      .fallback = "",
                                                      .example = "epyc-7742-2s"})
                                              .include(&HostEntry::spec, host_schema())
                                              .shorthand({"part"});
  return schema;
}

// Several equal parts of a kind under one id.
template <class Entry, class Part>
Schema<Entry> placed(std::string title, std::string_view id, std::string_view example,
                     const Schema<Part>& part) {
  Schema<Entry> schema(std::move(title));
  schema
      .field("id", &Entry::id,
             {.help = "what links call it", .fallback = id, .example = id, .most = longest_name})
      .field("count", &Entry::count,
             {.help = "how many of them",
              .fallback = "1",
              .example = "8",
              .aliases = {"number", "num"},
              .least = 1,
              .most = figures::most_nodes,
              .usual = figures::usual_nodes})
      .field("part", &Entry::part,
             {.help = "entry of the catalogue, or a file", .fallback = "", .example = example})
      .include(&Entry::spec, part);
  return schema;
}

const Schema<GpuEntry>& gpu_entry_schema() {
  static const auto schema =
      placed<GpuEntry>("GPU", default_gpu_id, "a100-sxm4-40gb", gpu_schema());
  return schema;
}

const Schema<DriveEntry>& drive_entry_schema() {
  static const auto schema =
      placed<DriveEntry>("drive", default_drive_id, "samsung-pm9a3", drive_schema());
  return schema;
}

const Schema<NicEntry>& nic_entry_schema() {
  static const auto schema =
      placed<NicEntry>("NIC", default_nic_id, "infiniband-hdr", nic_schema());
  return schema;
}

const Schema<SwitchEntry>& switch_entry_schema() {
  static const Schema<SwitchEntry> schema = Schema<SwitchEntry>("switch")
                                                .field("id", &SwitchEntry::id,
                                                       {.help = "what links call it",
                                                        .required = true,
                                                        .example = "pcie",
                                                        .most = longest_name})
                                                .field("count", &SwitchEntry::count,
                                                       {.help = "how many of them",
                                                        .fallback = "1",
                                                        .example = "4",
                                                        .aliases = {"number", "num"},
                                                        .least = 1,
                                                        .most = figures::most_nodes,
                                                        .usual = figures::usual_nodes});
  return schema;
}

const Schema<LinkEntry>& link_entry_schema() {
  static const Schema<LinkEntry> schema =
      Schema<LinkEntry>("link")
          .field("from", &LinkEntry::from,
                 {.help = "node or range of nodes on the host's side",
                  .required = true,
                  .example = "socket0"})
          .field("to", &LinkEntry::to,
                 {.help = "node or range of nodes at the other end",
                  .required = true,
                  .example = "gpu[0..3]"})
          .field(
              "part", &LinkEntry::part,
              {.help = "link of the catalogue, or a file", .fallback = "", .example = "pcie4-x16"})
          .include(&LinkEntry::spec, link_schema());
  return schema;
}

const Schema<SystemFile>& tenants_schema() {
  static const Schema<SystemFile> schema = Schema<SystemFile>("other tenants")
                                               .field("memory", &SystemFile::tenant_memory,
                                                      {.help = "host memory that they hold",
                                                       .fallback = "0 B",
                                                       .example = "64 GB",
                                                       .most = figures::most_memory});
  return schema;
}

}  // namespace

const Schema<SystemFile>& system_schema() {
  static const Schema<SystemFile> schema =
      Schema<SystemFile>("system")
          .field("name", &SystemFile::name,
                 {.help = "name of the system",
                  .fallback = "",
                  .example = "dgx-a100-40",
                  .most = longest_name})
          .table("host", &SystemFile::host, host_entry_schema(), {.help = "the host, by `part`"})
          .list("gpu", &SystemFile::gpus, gpu_entry_schema(),
                {.help = "its GPUs", .required = true, .least = 1, .most = figures::most_nodes})
          .list("switch", &SystemFile::switches, switch_entry_schema(),
                {.help = "its switches", .most = figures::most_nodes})
          .list("drive", &SystemFile::drives, drive_entry_schema(),
                {.help = "its drives", .most = figures::most_nodes})
          .list("nic", &SystemFile::nics, nic_entry_schema(),
                {.help = "its network adapters", .most = figures::most_nodes})
          .list("link", &SystemFile::links, link_entry_schema(),
                {.help = "what joins its nodes", .required = true, .least = 1, .most = 65'536})
          .table("other_tenants", [](SystemFile& s) -> SystemFile& { return s; }, tenants_schema(),
                 {.help = "what else runs on the host"});
  return schema;
}

std::vector<std::string> system_keys() {
  std::vector<std::string> keys;
  for (const Field& field : system_schema().fields()) keys.push_back(field.key);
  return keys;
}

}  // namespace memsim::scenarios
