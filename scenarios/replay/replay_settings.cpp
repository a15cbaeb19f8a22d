#include "scenarios/replay/replay_settings.hpp"

#include <utility>

#include "models/machine/machine.hpp"
#include "scenarios/hardware/allocator_choice.hpp"
#include "scenarios/hardware/catalogue.hpp"
#include "scenarios/hardware/hardware.hpp"
#include "scenarios/schema/scalar.hpp"
#include "scenarios/schema/schema.hpp"

namespace memsim::scenarios {
namespace {

struct Device {
  sim::Bytes capacity;
};

const Schema<Device>& device_schema() {
  static const Schema<Device> schema = Schema<Device>("device").field(
      "capacity", &Device::capacity,
      {.help = "of the device", .example = "40 GB", .most = std::int64_t{1} << 50});
  return schema;
}

std::optional<sim::Bytes> read_capacity(const std::string& text, Sources& sources,
                                        Diagnostics& diagnostics) {
  Node node;
  node.type = NodeType::text;
  node.text = text;
  node.location = whole(sources.add("--capacity", text, SourceRole::command_line));
  const auto value = read_scalar(*device_schema().find("capacity"), node, diagnostics);
  if (!value) return std::nullopt;
  return sim::Bytes(value->integer);
}

}  // namespace

std::optional<ReplaySettings> read_replay_settings(const std::filesystem::path& scenarios,
                                                   const ReplayWords& words,
                                                   const MemoryTrace& trace, Sources& sources,
                                                   Diagnostics& diagnostics) {
  ReplaySettings settings;
  settings.capacity = trace.capacity;
  for (const std::string& text : words.allocators)
    if (auto allocator = read_allocator(text, sources, diagnostics))
      settings.allocators.push_back(*std::move(allocator));
  if (words.allocators.empty()) {
    settings.allocators.push_back({"torch", trace.options});
    check_allocator(settings.allocators.back(), Node(), diagnostics);
  }
  if (!words.hardware.empty()) {
    const Catalogue catalogue(scenarios);
    auto system = load_system(catalogue, words.hardware, {}, sources, diagnostics);
    if (system) {
      const models::Machine machine(std::move(system->spec));
      const models::GpuSpec& gpu = machine.gpu(0);
      settings.capacity = gpu.memory.usable - gpu.driver.context;
      settings.costs = machine.placement(0).driver;
    }
  }
  if (words.capacity) settings.capacity = read_capacity(*words.capacity, sources, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return settings;
}

}  // namespace memsim::scenarios
