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
      const Node& node = *stack.back();
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
    // Both lists are used again for the next node, with their capacity.
    gradients_.swap(node.incoming);
    results_.resize(node.next.size());
    node.kind->backward(*eager_, node, gradients_, results_);
    for (std::size_t i = 0; i < results_.size(); ++i)
      if (node.needs(i) && results_[i]) results_[i] = fit(std::move(results_[i]), node.next[i]);
    gradients_.clear();
    eager_->release_saved(node);
    for (std::size_t i = 0; i < results_.size(); ++i)
      if (node.needs(i)) hand_over(results_[i], node.next[i]);
    results_.clear();
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
      } else {
        add_to(waiting, result);
      }
    }
    if (--next.waits_for == 0) ready_.push(&next);
  }

  void add_to(Tensor& waiting, const Tensor& result) {
    ++eager_->gradient_sums.all;
    if (eager_->rules() == TorchRules::v2 && held_alone(*waiting)) {
      ++eager_->gradient_sums.in_place;
      eager_->stream("add_", {&waiting, &result}, {&waiting});
    } else {
      waiting = add(*eager_, waiting, result);
    }
  }

  static bool held_alone(const TensorData& tensor) {
    return tensor.uses == 1 && tensor.storage->uses == 1 && is_dense(tensor.layout);
  }

  Eager* eager_;
  std::uint64_t id_;
  std::vector<Tensor> gradients_;  // of the node that runs
  std::vector<Tensor> results_;
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
