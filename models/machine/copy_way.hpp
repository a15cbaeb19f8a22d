// The ways of copies between two memories, and who moves their bytes.
#pragma once

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

// Between two devices without access to each other: down from one into the host's memory, and from
// there up again, both at the same time.
sim::Route bounced_route(const MachineGraph& graph, NodeRef from, NodeRef host, NodeRef to);

// Within one memory, or by a CPU thread from one NUMA node to another.
sim::Route local_route(const MachineGraph& graph, NodeRef at);
sim::Route thread_route(const MachineGraph& graph, NodeRef from, NodeRef to);

}  // namespace memsim::models
