// The ways of copies between two memories, and who moves their bytes.
#pragma once

#include <functional>

#include "models/machine/interleave.hpp"
#include "models/machine/machine.hpp"
#include "models/machine/machine_graph.hpp"

namespace memsim::models {

// The way of Machine::route.
sim::Route dma_route(const MachineGraph& graph, NodeRef from, NodeRef to);

// A copy from or to pageable memory on `host`, one of the two ends. A staged byte crosses DDR three
// times (read and written by the copying thread, read or written by the DMA) and passes through one
// thread's memcpy. Overlapped, the slower of memcpy and DMA decides; serial, the copy alone takes
// the time of both.
sim::Route staged_route(const MachineGraph& graph, NodeRef from, NodeRef to, NodeRef host);

// Between two devices without access to each other: up from one into the host's memory and down
// from there, both at the same time.
sim::Route relayed_route(const MachineGraph& graph, NodeRef from, NodeRef host, NodeRef to);

// Such a copy between two GPUs. Each chunk takes its time at that rate and the wait until the next
// is handed over; a GPU is at one end of one chunk at a time, whatever its direction.
sim::Route bounced_route(const MachineGraph& graph, NodeRef from, NodeRef host, NodeRef to);

// Within one memory, or by a CPU thread from one NUMA node to another.
sim::Route local_route(const MachineGraph& graph, NodeRef at);
sim::Route thread_route(const MachineGraph& graph, NodeRef from, NodeRef to);

// Within the L2 of a GPU: a byte copied is read and written there.
sim::Route cached_route(const MachineGraph& graph, NodeRef gpu);
// Whether a copy's two buffers are in the L2 of the GPU, whose bandwidth is known.
bool fits_cache(const GpuSpec& gpu, sim::Bytes copied);

// A way whose ends may be interleaved: one unit of its amount is a stripe over all nodes, that
// takes what `leg(from, to)` takes for each of its bytes. Caps are those of one mover of bytes: it
// copies the bytes of a stripe one after another.
CopyWay striped(const Interleave& from, const Interleave& to,
                const std::function<sim::Route(NodeRef, NodeRef)>& leg);

}  // namespace memsim::models
