#include "validate/probe/cuda/device_probe.hpp"

#include "validate/probe/cuda/allocation_probe.hpp"
#include "validate/probe/cuda/context_probe.hpp"
#include "validate/probe/cuda/cuda_resources.hpp"
#include "validate/probe/cuda/device.hpp"
#include "validate/probe/cuda/granularity_probe.hpp"
#include "validate/probe/cuda/launch_probe.hpp"
#include "validate/probe/cuda/mapping_probe.hpp"
#include "validate/probe/cuda/virtual_memory.hpp"

namespace memsim::probe {
namespace {

void measure(const Options& options, const Budget::Share& share, JsonWriter& json) {
  const Device device = open_device(options.gpu, json);
  if (share.lasts()) probe_context(device, share.part(5), json);
  if (!share.lasts()) return;
  const PrimaryContext context(device.gpu);
  const VirtualMemory virtual_memory(device.gpu);
  probe_granularity(virtual_memory, share.part(4), json);
  if (share.lasts()) probe_allocation(share.part(3), json);
  if (share.lasts()) probe_mapping(virtual_memory, share.part(2), json);
  if (share.lasts()) probe_launch(device, share, json);
}

}  // namespace

Program device_probe() {
  return {
      "memsim-probe-device", "device",
      "Measures what a GPU's context takes, the granularity and cost of allocations and\n"
      "mappings, and the cost of launches. Takes at most half of the free memory; keeps none.\n",
      measure};
}

}  // namespace memsim::probe
