// Non-reentrant checkpointing of one layer: the nodes of its forward pass save nothing; when the
// first of them runs backward, the layer is run again and hands its tensors to the nodes that are
// still waiting for them (torch.utils.checkpoint with use_reentrant=False: saved-tensor hooks).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/training/eager/node.hpp"

namespace memsim::models {

class Recomputation {
 public:
  std::uint32_t uses = 0;  // nodes that wait for it, and whoever builds it

  // `run` runs the layer again on `arguments`, which live until the last waiting node is gone.
  Recomputation(std::vector<Tensor> arguments, std::function<void(std::span<const Tensor>)> run)
      : arguments_(std::move(arguments)), run_(std::move(run)) {}

  // First pass: a place for the next saved tensor of `node`.
  void pack(Node& node);
  // Second pass: the tensor for the next place. Nodes that have been released get nothing.
  void fill(const Tensor& tensor);
  // `node` no longer waits.
  void forget(const Node& node);
  // Runs the layer again unless that has been done.
  void ensure(Eager& eager);

 private:
  struct Place {
    Node* node;
    std::size_t index;
  };
  std::vector<Tensor> arguments_;
  std::function<void(std::span<const Tensor>)> run_;
  std::vector<Place> places_;
  std::size_t filled_ = 0;
  bool done_ = false;
};

}  // namespace memsim::models
