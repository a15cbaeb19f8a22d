#include "models/training/saved_tensors.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "sim/core/units.hpp"

namespace memsim::models {
namespace {

constexpr std::int64_t rounding = 512;

std::vector<const Node*> nodes_by_age(Eager& eager, Node& root) {
  const std::uint64_t pass = eager.next_pass();
  std::vector<const Node*> nodes;
  std::vector<Node*> stack{&root};
  root.pass = pass;
  while (!stack.empty()) {
    const Node& node = *stack.back();
    stack.pop_back();
    nodes.push_back(&node);
    for (const Edge& edge : node.next) {
      if (!edge.node || edge.node->pass == pass) continue;
      edge.node->pass = pass;
      stack.push_back(edge.node.get());
    }
  }
  std::ranges::sort(nodes, {}, &Node::sequence);
  return nodes;
}

void add_storage(const Storage& storage, SavedTotals& totals) {
  const sim::Bytes bytes(storage.bytes);
  if (storage.kind == StorageKind::parameter || storage.bytes == 0) return;
  totals.bytes_with_inputs += bytes;
  if (!is_computed(storage.kind)) return;
  ++totals.storages;
  totals.bytes += bytes;
  totals.bytes_512 += sim::Bytes(sim::round_up(storage.bytes, rounding));
  if (storage.kind == StorageKind::parameter_cast) totals.parameter_cast_bytes += bytes;
}

}  // namespace

void for_each_saved_tensor(
    Eager& eager, const Tensor& root,
    const std::function<void(const Node&, const TensorData&, bool first)>& f) {
  if (!root || !root->grad_fn) return;
  const std::uint32_t visit = eager.next_visit();
  for (const Node* node : nodes_by_age(eager, *root->grad_fn)) {
    for (const Tensor& tensor : node->saved) {
      if (!tensor) continue;
      const bool first = tensor->storage->visit != visit;
      tensor->storage->visit = visit;
      f(*node, *tensor, first);
    }
  }
}

SavedTotals count_saved_tensors(Eager& eager, const Tensor& root) {
  SavedTotals totals;
  std::map<std::string_view, SavedByNode> by_node;
  for_each_saved_tensor(eager, root, [&](const Node& node, const TensorData& tensor, bool first) {
    const Storage& storage = *tensor.storage;
    if (first) add_storage(storage, totals);
    SavedByNode& kind = by_node[node.kind->name];
    ++kind.tensors;
    kind.bytes += sim::Bytes(tensor.bytes());
    if (storage.kind == StorageKind::parameter) ++kind.parameters;
    if (first && is_computed(storage.kind)) kind.new_bytes += sim::Bytes(storage.bytes);
    ++totals.tensors;
  });
  for (auto& [name, kind] : by_node) {
    kind.node = name;
    totals.by_node.push_back(kind);
  }
  return totals;
}

}  // namespace memsim::models
