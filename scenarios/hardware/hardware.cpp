#include "scenarios/hardware/hardware.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "scenarios/hardware/hardware_schema.hpp"
#include "scenarios/hardware/system_builder.hpp"
#include "scenarios/hardware/tree_loader.hpp"
#include "scenarios/schema/layered.hpp"
#include "scenarios/schema/quantity.hpp"
#include "scenarios/schema/reader.hpp"

namespace memsim::scenarios {
namespace {

// Lays the keys of one placement on top of the part that it names.
void compose(TreeLoader& loader, HardwareKind kind, Node& placement) {
  const Node* part = placement.find("part");
  if (part == nullptr) return;
  if (part->type != NodeType::text) {
    placement.without_part = true;  // its type is reported when it is read
    return;
  }
  std::optional<HardwareTree> named = loader.load_named(kind, *part, SourceRole::part);
  if (!named) {
    placement.without_part = true;
    return;
  }
  if (named->tree.find("name") == nullptr) {
    Node name = *part;
    name.text = named->stem;
    named->tree.set("name", part->location, std::move(name));
  }
  // What the part lacks are keys of a part, not those of its placement.
  placement.without_part = std::exchange(named->tree.incomplete, false);
  placement = merge(std::move(named->tree), placement);
}

void compose_parts(TreeLoader& loader, Node& system) {
  if (Node* host = system.find("host"); host != nullptr && host->type == NodeType::table) {
    compose(loader, HardwareKind::host, *host);
  }
  for (const HardwareKind kind :
       {HardwareKind::gpu, HardwareKind::link, HardwareKind::drive, HardwareKind::nic}) {
    Node* list = system.find(name(kind));
    if (list == nullptr) continue;
    for (Node& item : list->items) {
      if (item.type == NodeType::table) compose(loader, kind, item);
    }
  }
}

// What has no name is called like its file.
void name_by_file(HardwareTree& file) {
  if (const Node* given = file.tree.find("name"); given != nullptr && !given->text.empty()) return;
  Node name;
  name.type = NodeType::text;
  name.text = file.stem;
  file.tree.set("name", {}, std::move(name));
}

const Field& gemm_share_field(models::DataType type) {
  const Field& efficiency = *gpu_schema().find("compute")->schema->find("efficiency");
  return *efficiency.schema->find("gemm")->schema->find(models::name(type));
}

// The share of peak that stood where the table was named; 0: the one that stands now. `compute`:
// what the spec was read from.
models::Fraction share_at_table(const Node& compute, models::DataType type) {
  const Node* efficiency = compute.find("efficiency");
  const Node* shares = efficiency == nullptr ? nullptr : efficiency->find("gemm");
  const Node* now = shares == nullptr ? nullptr : shares->find(models::name(type));
  const std::uint32_t layer = compute.find("gemm")->layer;
  if (now == nullptr || now->layer <= layer) return {};
  const Node* then = as_of(now, layer);
  const std::string_view written =
      then != nullptr ? std::string_view(then->text) : *gemm_share_field(type).rules.fallback;
  return models::Fraction(parse_fraction(written).value_or(0));
}

// Gives a GPU the table that it names, unless the name could not be read. `gpu`: what the spec was
// read from.
void attach_gemm_table(TreeLoader& loader, const Node& gpu, models::ComputeSpec& compute) {
  if (compute.gemm_table.empty()) return;
  const Node& tree = *gpu.find("compute");
  compute.gemm = loader.load_gemm_table(*tree.find("gemm"));
  if (compute.gemm == nullptr) return;
  for (const models::GemmGrid& grid : compute.gemm->grids)
    compute.table_efficiency[static_cast<std::size_t>(grid.type)] = share_at_table(tree, grid.type);
}

std::optional<models::SystemSpec> read_system(TreeLoader& loader, HardwareTree file,
                                              Diagnostics& diagnostics, Settings& settings) {
  name_by_file(file);
  compose_parts(loader, file.tree);
  const Node tree = expand(system_schema(), std::move(file.tree));
  PartlyRead<SystemFile> system = read_partly(system_schema(), tree, diagnostics, &settings);
  std::vector<GpuEntry>& gpus = system.record.gpus;
  for (std::size_t i = 0; i < gpus.size(); ++i)
    attach_gemm_table(loader, tree.find("gpu")->items.at(i), gpus[i].spec.compute);
  auto built = build_system(system.record, tree, system.faults, diagnostics);
  return system.good ? std::move(built) : std::nullopt;
}

template <class Spec>
std::optional<Spec> read_part(const Schema<Spec>& schema, HardwareTree file,
                              Diagnostics& diagnostics, Settings& settings) {
  name_by_file(file);
  return read(schema, file.tree, diagnostics, &settings);
}

std::optional<models::GpuSpec> read_gpu(TreeLoader& loader, HardwareTree file,
                                        Diagnostics& diagnostics, Settings& settings) {
  name_by_file(file);
  const Node tree = expand(gpu_schema(), std::move(file.tree));
  PartlyRead<models::GpuSpec> gpu = read_partly(gpu_schema(), tree, diagnostics, &settings);
  attach_gemm_table(loader, tree, gpu.record.compute);
  return gpu.good ? std::optional(std::move(gpu.record)) : std::nullopt;
}

void lay_on_top(HardwareTree& file, std::span<const Node> overrides) {
  std::vector<Node> written_out;
  for (const Node& over : overrides) written_out.push_back(expand(table_schema(file.kind), over));
  file.tree = merge(std::move(file.tree), written_out);
}

std::optional<LoadedHardware> read_hardware(TreeLoader& loader, HardwareTree file,
                                            Diagnostics& diagnostics) {
  LoadedHardware loaded;
  loaded.kind = file.kind;
  switch (file.kind) {
    case HardwareKind::system:
      loaded.system = read_system(loader, std::move(file), diagnostics, loaded.settings);
      if (loaded.system) loaded.name = loaded.system->name;
      break;
    case HardwareKind::gpu:
      loaded.gpu = read_gpu(loader, std::move(file), diagnostics, loaded.settings);
      if (loaded.gpu) loaded.name = loaded.gpu->name;
      break;
    case HardwareKind::host:
      loaded.host = read_part(host_schema(), std::move(file), diagnostics, loaded.settings);
      if (loaded.host) loaded.name = loaded.host->name;
      break;
    case HardwareKind::link:
      loaded.link = read_part(link_schema(), std::move(file), diagnostics, loaded.settings);
      if (loaded.link) loaded.name = loaded.link->name;
      break;
    case HardwareKind::drive:
      loaded.drive = read_part(drive_schema(), std::move(file), diagnostics, loaded.settings);
      if (loaded.drive) loaded.name = loaded.drive->name;
      break;
    case HardwareKind::nic:
      loaded.nic = read_part(nic_schema(), std::move(file), diagnostics, loaded.settings);
      if (loaded.nic) loaded.name = loaded.nic->name;
      break;
  }
  if (diagnostics.has_errors()) return std::nullopt;
  return loaded;
}

}  // namespace

std::optional<LoadedSystem> load_system(const Catalogue& catalogue, std::string_view wanted,
                                        std::span<const Node> overrides, Sources& sources,
                                        Diagnostics& diagnostics) {
  TreeLoader loader(catalogue, sources, diagnostics);
  std::optional<HardwareTree> file = loader.load_given(wanted);
  if (!file) return std::nullopt;
  if (file->kind != HardwareKind::system) {
    diagnostics.add({.code = "E108",
                     .location = file->tree.location,
                     .message = fmt::format("`{}` is a {}, not a system", wanted, name(file->kind)),
                     .label = "",
                     .notes = {},
                     .help = fmt::format("a system places it: {} = [{{ part = \"{}\" }}]",
                                         name(file->kind), wanted),
                     .suggestion = ""});
    return std::nullopt;
  }
  lay_on_top(*file, overrides);
  Settings settings;
  std::optional<models::SystemSpec> spec =
      read_system(loader, std::move(*file), diagnostics, settings);
  if (!spec) return std::nullopt;
  return LoadedSystem{std::move(*spec), std::move(settings)};
}

std::optional<LoadedHardware> load_hardware(const Catalogue& catalogue, std::string_view wanted,
                                            std::span<const Node> overrides, Sources& sources,
                                            Diagnostics& diagnostics) {
  TreeLoader loader(catalogue, sources, diagnostics);
  std::optional<HardwareTree> file = loader.load_given(wanted);
  if (!file) return std::nullopt;
  lay_on_top(*file, overrides);
  return read_hardware(loader, std::move(*file), diagnostics);
}

std::optional<LoadedHardware> load_entry(const Catalogue& catalogue, HardwareKind kind,
                                         std::string_view name, Sources& sources,
                                         Diagnostics& diagnostics) {
  TreeLoader loader(catalogue, sources, diagnostics);
  std::optional<HardwareTree> file = loader.load_entry(kind, name);
  if (!file) return std::nullopt;
  return read_hardware(loader, std::move(*file), diagnostics);
}

}  // namespace memsim::scenarios
