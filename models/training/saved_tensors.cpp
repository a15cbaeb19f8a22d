#include "models/training/saved_tensors.hpp"

#include <vector>

namespace memsim::models {

void for_each_saved_storage(Eager& eager, const Tensor& root,
                            const std::function<void(const Storage&)>& f) {
  if (!root || !root->grad_fn) return;
  const std::uint64_t pass = eager.next_pass();
  const std::uint32_t visit = eager.next_visit();
  std::vector<Node*> stack{root->grad_fn.get()};
  root->grad_fn->pass = pass;
  while (!stack.empty()) {
    const Node& node = *stack.back();
    stack.pop_back();
    for (const Tensor& tensor : node.saved) {
      if (!tensor || tensor->storage->visit == visit) continue;
      tensor->storage->visit = visit;
      f(*tensor->storage);
    }
    for (const Edge& edge : node.next) {
      if (!edge.node || edge.node->pass == pass) continue;
      edge.node->pass = pass;
      stack.push_back(edge.node.get());
    }
  }
}

}  // namespace memsim::models
