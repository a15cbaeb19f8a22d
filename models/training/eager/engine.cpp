#include "models/training/eager/engine.hpp"

#include <queue>
#include <utility>
#include <vector>

#include "models/training/operators/operators.hpp"
#include "sim/core/check.hpp"

namespace memsim::models {
namespace {

struct RunsLater {
  bool operator()(const Node* a, const Node* b) const { return a->sequence < b->sequence; }
};

class BackwardPass {
 public:
  explicit BackwardPass(Eager& eager) : eager_(&eager), id_(eager.next_pass()) {}
  BackwardPass(const BackwardPass&) = delete;
  BackwardPass& operator=(const BackwardPass&) = delete;

  // An outer pass finds the nodes that it shares with this one as it left them.
  ~BackwardPass() {
    for (Interrupted& outer : interrupted_) {
      outer.node->pass = outer.pass;
      outer.node->waits_for = outer.waits_for;
      outer.node->incoming = std::move(outer.incoming);
    }
  }

  void run(const Tensor& root, Tensor gradient) {
    Node& first = root->grad_fn ? *root->grad_fn : *root->accumulator;
    count_gradients(first);
    first.incoming[root->output] = std::move(gradient);
    ready_.push(&first);
    while (!ready_.empty()) {
      Node& node = *ready_.top();
      ready_.pop();
      evaluate(node);
    }
  }

 private:
  struct Interrupted {
    Node* node;
    std::uint64_t pass;
    std::uint32_t waits_for;
    std::vector<Tensor> incoming;
  };

  // Meets `node` for the first time in this pass.
  bool enter(Node& node) {
    if (node.pass == id_) return false;
    if (node.waits_for > 0)
      interrupted_.push_back({&node, node.pass, node.waits_for, std::exchange(node.incoming, {})});
    node.pass = id_;
    node.waits_for = 0;
    node.incoming.resize(node.outputs.size());
    return true;
  }

  void count_gradients(Node& first) {
    std::vector<Node*> stack{&first};
    enter(first);
    while (!stack.empty()) {
      Node& node = *stack.back();
      stack.pop_back();
      for (const Edge& edge : node.next) {
        if (!edge.node) continue;
        if (enter(*edge.node)) stack.push_back(edge.node.get());
        ++edge.node->waits_for;
      }
    }
  }

  void evaluate(Node& node) {
    if (node.layer != any_layer && node.layer != eager_->layer) {
      eager_->recorder().cut();
      eager_->layer = node.layer;
    }
    if (node.recomputation) node.recomputation->ensure(*eager_);
    std::vector<Tensor> gradients = std::move(node.incoming);
    std::vector<Tensor> results(node.next.size());
    node.kind->backward(*eager_, node, gradients, results);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (node.needs(i) && results[i]) results[i] = fit(std::move(results[i]), node.next[i]);
    gradients.clear();
    eager_->release_saved(node);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (node.needs(i)) hand_over(results[i], node.next[i]);
    for (Tensor& result : results) result.reset();
  }

  // Broadcast dimensions are summed, other types converted.
  Tensor fit(Tensor gradient, const Edge& edge) {
    const GradientType& wanted = edge.node->outputs[edge.input];
    if (gradient->shape() != wanted.shape) gradient = sum_to(*eager_, gradient, wanted.shape);
    if (gradient->type != wanted.type) gradient = to_type(*eager_, gradient, wanted.type);
    return gradient;
  }

  void hand_over(Tensor& result, const Edge& edge) {
    Node& next = *edge.node;
    if (result) {
      Tensor& waiting = next.incoming[edge.input];
      if (!waiting) {
        waiting = std::move(result);
      } else if (eager_->rules() == TorchRules::v2 && held_alone(*waiting)) {
        eager_->stream("add_", {&waiting, &result}, {&waiting});
      } else {
        waiting = add(*eager_, waiting, result);
      }
    }
    if (--next.waits_for == 0) ready_.push(&next);
  }

  static bool held_alone(const TensorData& tensor) {
    return tensor.uses == 1 && tensor.storage->uses == 1 && is_dense(tensor.layout);
  }

  Eager* eager_;
  std::uint64_t id_;
  // The order of equal nodes (accumulators) is that of the heap, in PyTorch as here.
  std::priority_queue<Node*, std::vector<Node*>, RunsLater> ready_;
  std::vector<Interrupted> interrupted_;
};

}  // namespace

void run_backward(Eager& eager, const Tensor& root, Tensor gradient) {
  MEMSIM_CHECK(!eager.grad_enabled, "backward with grad mode on");
  if (!root->requires_grad) throw UnfitOperand("the loss depends on no parameter");
  BackwardPass(eager).run(root, std::move(gradient));
}

}  // namespace memsim::models
