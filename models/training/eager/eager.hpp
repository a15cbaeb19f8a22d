// PyTorch eager, without data: makes tensors and autograd nodes, keeps the modes of the running
// thread (grad mode, autocast), and tells the recorder what the device sees.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "models/training/eager/node.hpp"
#include "models/training/eager/recomputation.hpp"
#include "models/training/eager/tensor.hpp"
#include "models/training/eager/unfit.hpp"
#include "models/training/recorder.hpp"
#include "models/training/training_spec.hpp"

namespace memsim::models {

class Eager {
 public:
  Eager(Recorder& recorder, TorchRules rules, sim::Bytes gemm_workspace)
      : recorder_(&recorder), rules_(rules), gemm_workspace_(gemm_workspace) {}
  Eager(const Eager&) = delete;
  Eager& operator=(const Eager&) = delete;
  // Requires: no tensor is held outside.
  ~Eager() = default;

  // Tensors -------------------------------------------------------------------------------------

  // A new tensor that `op` computes.
  Tensor empty(const Dims& shape, DataType type, std::string_view op);
  Tensor empty(const Layout& layout, DataType type, std::string_view op);
  // A new tensor inside a kernel, dead when the caller drops it.
  Tensor scratch(const Layout& layout, DataType type, std::string_view op);
  // A tensor of the model or the script, kept until its last holder goes.
  Tensor persistent(const Dims& shape, DataType type, std::string_view owner, sim::Category of,
                    StorageKind kind);
  // Another view of the same storage, outside the graph.
  Tensor alias(const Tensor& tensor, const Layout& layout);
  Tensor alias(const Tensor& tensor) { return alias(tensor, tensor->layout); }
  // Makes a tensor a leaf whose gradient is wanted.
  void require_grad(const Tensor& leaf);

  // Graph ---------------------------------------------------------------------------------------

  // The node of an operator, or nullptr where none is made (grad mode off, no operand requires
  // grad). Undefined operands have no edge.
  Node* track(const NodeKind& kind, std::initializer_list<const Tensor*> operands,
              std::initializer_list<const Tensor*> outputs);
  Node* track(const NodeKind& kind, std::span<const Tensor* const> operands,
              std::span<const Tensor> outputs);
  // Keeps `tensor` for the node's formula. A node's tensors are dropped in the order of saving.
  void save(Node& node, const Tensor& tensor);
  // Drops what a node has saved.
  void release_saved(Node& node);

  // Kernels -------------------------------------------------------------------------------------

  // An elementwise or reducing kernel: bytes of `reads` and `writes` once each.
  void stream(std::string_view op, std::initializer_list<const Tensor*> reads,
              std::initializer_list<const Tensor*> writes, std::int64_t flops_per_element = 1);
  void launch(std::string_view op, const KernelWork& work);
  // Matrix products take cuBLAS's workspace when the thread's first one runs.
  void launch_gemm(std::string_view op, const KernelWork& work);

  // Modes ---------------------------------------------------------------------------------------

  bool grad_enabled = true;
  bool training = true;            // modules in training mode
  bool in_backward = false;        // on the autograd thread
  std::int32_t layer = any_layer;  // of the forward function, for nodes made now
  sim::Category category = sim::Category::activations;  // of tensors computed now
  Lifetime lifetime = Lifetime::passing;                // likewise
  Recomputation* packing = nullptr;                     // saved tensors are left to a second run
  Recomputation* filling = nullptr;                     // this is that second run

  // The type to which autocast lowers, if it is on and not already applied.
  [[nodiscard]] bool autocasting() const { return autocast_on_ && !below_autocast_; }
  [[nodiscard]] DataType autocast_type() const { return autocast_type_; }
  // `tensor` as autocast hands it to an operator that runs in `type`.
  Tensor autocast(const Tensor& tensor, DataType type);

  // How many gradients met another one at an edge and were added; how many of these in place.
  struct GradientSums {
    std::int64_t all = 0;
    std::int64_t in_place = 0;
  };
  GradientSums gradient_sums;

  [[nodiscard]] TorchRules rules() const { return rules_; }
  [[nodiscard]] Recorder& recorder() { return *recorder_; }
  std::uint64_t next_pass() { return ++passes_; }
  std::uint32_t next_visit() { return ++visits_; }

 private:
  friend class AutocastScope;
  friend class BelowAutocast;
  friend void expire(TensorData& tensor);
  friend void expire(Node& node);

  Tensor make(const Layout& layout, DataType type);
  Tensor allocate(const Layout& layout, DataType type, Label owner, sim::Category of,
                  Lifetime how_long);
  Label label(std::string_view op);
  Edge edge(const Tensor& tensor);
  Node* make_node(const NodeKind& kind, std::span<const Tensor* const> operands);
  static void attach(Node& node, TensorData& output);
  void bury(Node& node);

  Recorder* recorder_;
  TorchRules rules_;
  sim::Bytes gemm_workspace_;

  Pool<Storage> storages_;
  Pool<TensorData> tensors_;
  Pool<Node> nodes_;
  std::vector<Node*> dying_;  // nodes without holders, taken apart one by one
  bool burying_ = false;
  std::uint64_t sequence_ = 0;
  std::uint64_t passes_ = 0;
  std::uint32_t visits_ = 0;

  bool autocast_on_ = false;
  bool below_autocast_ = false;
  DataType autocast_type_ = DataType::bf16;
  // Holders of tensors stand behind the pools: they must go first.
  std::vector<Tensor> cached_casts_;  // parameters that have a low-precision copy, by age
  std::array<Tensor, 2> workspaces_;  // of the forward and the backward thread

  // Names of operators are literals: their addresses find their labels again.
  struct KnownLabel {
    const char* name = nullptr;
    std::size_t length = 0;
    Label label = 0;
  };
  std::array<KnownLabel, 1024> known_labels_{};
};

// torch.autocast as a context manager: on leaving the outermost one, the cache goes.
class AutocastScope {
 public:
  AutocastScope(Eager& eager, bool enabled, DataType type);
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;
  ~AutocastScope();

 private:
  Eager* eager_;
  bool was_on_;
  DataType old_type_;
};

// Operators that autocast has already dealt with call others without it.
class BelowAutocast {
 public:
  explicit BelowAutocast(Eager& eager) : eager_(&eager), was_below_(eager.below_autocast_) {
    eager.below_autocast_ = true;
  }
  BelowAutocast(const BelowAutocast&) = delete;
  BelowAutocast& operator=(const BelowAutocast&) = delete;
  ~BelowAutocast() { eager_->below_autocast_ = was_below_; }

 private:
  Eager* eager_;
  bool was_below_;
};

// Sets a mode and puts it back.
template <class T>
class Setting {
 public:
  Setting(T& mode, T value) : mode_(&mode), old_(mode) { mode = value; }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
  ~Setting() { *mode_ = old_; }

 private:
  T* mode_;
  T old_;
};

}  // namespace memsim::models
