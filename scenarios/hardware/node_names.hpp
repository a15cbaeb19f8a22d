// What links call the nodes of a system: "gpu[0..1]", "gpu[*]", "gpu3", "socket0", "nvswitch".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/machine/spec.hpp"

namespace memsim::scenarios {

// Nodes that share an id: all GPUs of an entry, all switches of an entry, the sockets.
struct NodeGroup {
  std::string id;
  models::NodeKind kind = models::NodeKind::gpu;
  std::uint32_t first = 0;  // index of the first among the nodes of its kind
  std::uint32_t count = 1;

  // The name of one of them: "gpu0", "pcie[0]", a single switch by its id. Requires: index < count.
  [[nodiscard]] std::string name(std::uint32_t index) const;
  // All of them: "gpu0..gpu7", "pcie[0..3]", "nvswitch".
  [[nodiscard]] std::string range() const;

 private:
  [[nodiscard]] bool brackets() const;
};

enum class NameFault : std::uint8_t {
  none,
  malformed,  // not NAME, NAME[i], NAME[a..b] or NAME[*]
  undefined,
  which_one,  // the id of several nodes, without a range
};

struct NamedNodes {
  NameFault fault = NameFault::none;
  std::vector<models::NodeRef> nodes;
};

class NodeNames {
 public:
  // False if the id is taken.
  bool add(NodeGroup group);

  [[nodiscard]] const std::vector<NodeGroup>& groups() const { return groups_; }
  // The nodes that a pattern names, in order.
  [[nodiscard]] NamedNodes find(std::string_view pattern) const;
  // "socket0..socket1, pcie[0..3], gpu0..gpu7"
  [[nodiscard]] std::string all() const;

 private:
  [[nodiscard]] const NodeGroup* group(std::string_view id) const;

  std::vector<NodeGroup> groups_;
};

}  // namespace memsim::scenarios
