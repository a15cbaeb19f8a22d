#include "models/training/eager/eager.hpp"

#include <algorithm>
#include <utility>

#include "models/training/eager/accumulate_grad.hpp"
#include "models/training/operators/operators.hpp"
#include "sim/core/check.hpp"

namespace memsim::models {
namespace {

bool is_floating(DataType type) {
  return type == DataType::fp32 || type == DataType::fp16 || type == DataType::bf16;
}

}  // namespace

void expire(TensorData& tensor) {
  Eager& owner = *tensor.owner;
  // As a TensorImpl does it: the graph first, the bytes after.
  tensor.accumulator.reset();
  tensor.grad_fn.reset();
  tensor.grad.reset();
  tensor.low_precision.reset();
  Storage& storage = *std::exchange(tensor.storage, nullptr);
  if (--storage.uses == 0) {
    if (storage.bytes > 0) owner.recorder_->release(storage.record);
    storage = {};
    owner.storages_.give(storage);
  }
  tensor.requires_grad = false;
  tensor.output = 0;
  owner.tensors_.give(tensor);
}

void expire(Node& node) { node.owner->bury(node); }

// A chain of nodes may be long: they are taken apart in a loop, not by recursion.
void Eager::bury(Node& node) {
  dying_.push_back(&node);
  if (burying_) return;
  burying_ = true;
  while (!dying_.empty()) {
    Node& dead = *dying_.back();
    dying_.pop_back();
    release_saved(dead);
    dead.next.clear();
    dead.outputs.clear();
    dead.incoming.clear();
    dead.runner = nullptr;
    dead.variable = nullptr;
    dead.pass = 0;
    dead.waits_for = 0;
    nodes_.give(dead);
  }
  burying_ = false;
}

Label Eager::label(std::string_view op) {
  const auto address = reinterpret_cast<std::uintptr_t>(op.data());
  KnownLabel& known = known_labels_[(address ^ (address >> 10)) % known_labels_.size()];
  if (known.name != op.data() || known.length != op.size())
    known = {op.data(), op.size(), recorder_->label(op)};
  return known.label;
}

Tensor Eager::make(const Layout& layout, DataType type) {
  TensorData& data = tensors_.take();
  data.owner = this;
  data.layout = layout;
  data.type = type;
  return Tensor(&data);
}

Tensor Eager::allocate(const Layout& layout, DataType type, Label owner, sim::Category of,
                       Lifetime how_long) {
  const std::int64_t bytes = sim::checked_mul(element_count(layout.shape), size_of(type));
  if (bytes > largest_tensor) sim::fail_overflow("the size of a tensor");
  Tensor tensor = make(layout, type);
  Storage& storage = storages_.take();
  storage.uses = 1;
  storage.bytes = bytes;
  tensor->storage = &storage;
  if (storage.bytes > 0) storage.record = recorder_->allocate(storage.bytes, of, owner, how_long);
  return tensor;
}

Tensor Eager::empty(const Dims& shape, DataType type, std::string_view op) {
  return empty(contiguous_layout(shape), type, op);
}

Tensor Eager::empty(const Layout& layout, DataType type, std::string_view op) {
  return allocate(layout, type, label(op), category, lifetime);
}

Tensor Eager::scratch(const Layout& layout, DataType type, std::string_view op) {
  return allocate(layout, type, label(op), sim::Category::temporaries, Lifetime::passing);
}

Tensor Eager::persistent(const Dims& shape, DataType type, std::string_view owner, sim::Category of,
                         StorageKind kind) {
  Tensor tensor =
      allocate(contiguous_layout(shape), type, recorder_->label(owner), of, Lifetime::kept);
  tensor->storage->kind = kind;
  return tensor;
}

Tensor Eager::alias(const Tensor& tensor, const Layout& layout) {
  Tensor view = make(layout, tensor->type);
  view->storage = tensor->storage;
  ++view->storage->uses;
  return view;
}

void Eager::require_grad(const Tensor& leaf) {
  leaf->requires_grad = true;
  Node& node = nodes_.take();
  node.owner = this;
  node.kind = &accumulate_grad;
  node.sequence = accumulator_sequence;
  node.layer = any_layer;
  node.outputs.push_back({leaf->shape(), leaf->type});
  node.variable = leaf.get();
  leaf->accumulator = Ref<Node>(&node);
}

Edge Eager::edge(const Tensor& tensor) {
  if (!tensor || !tensor->requires_grad) return {};
  if (tensor->grad_fn) return {tensor->grad_fn, tensor->output};
  return {tensor->accumulator, 0};
}

Node* Eager::make_node(const NodeKind& kind, std::span<const Tensor* const> operands) {
  if (!grad_enabled) return nullptr;
  const bool wanted = std::ranges::any_of(
      operands, [](const Tensor* operand) { return *operand && (*operand)->requires_grad; });
  if (!wanted) return nullptr;
  Node& node = nodes_.take();
  node.owner = this;
  node.kind = &kind;
  node.sequence = sequence_++;
  node.layer = layer;
  for (const Tensor* operand : operands) node.next.push_back(edge(*operand));
  return &node;
}

void Eager::attach(Node& node, TensorData& output) {
  output.requires_grad = true;
  output.grad_fn = Ref<Node>(&node);
  output.output = static_cast<std::uint32_t>(node.outputs.size());
  node.outputs.push_back({output.shape(), output.type});
}

Node* Eager::track(const NodeKind& kind, std::initializer_list<const Tensor*> operands,
                   std::initializer_list<const Tensor*> outputs) {
  Node* const node = make_node(kind, {operands.begin(), operands.size()});
  if (node != nullptr)
    for (const Tensor* output : outputs) attach(*node, **output);
  return node;
}

Node* Eager::track(const NodeKind& kind, std::span<const Tensor* const> operands,
                   std::span<const Tensor> outputs) {
  Node* const node = make_node(kind, operands);
  if (node != nullptr)
    for (const Tensor& output : outputs) attach(*node, *output);
  return node;
}

void Eager::save(Node& node, const Tensor& tensor) {
  if (filling != nullptr) {
    filling->fill(alias(tensor));
    return;
  }
  if (packing != nullptr) {
    packing->pack(node);
    return;
  }
  node.saved.push_back(tensor);
}

void Eager::release_saved(Node& node) {
  for (Tensor& tensor : node.saved) tensor.reset();
  node.saved.clear();
  if (!node.recomputation) return;
  node.recomputation->forget(node);
  node.recomputation.reset();
}

void Eager::launch(std::string_view op, const KernelWork& work) {
  recorder_->launch(label(op), work);
}

void Eager::stream(std::string_view op, std::initializer_list<const Tensor*> reads,
                   std::initializer_list<const Tensor*> writes, std::int64_t flops_per_element) {
  KernelWork work;
  std::int64_t elements = 0;
  std::int64_t read = 0;
  std::int64_t written = 0;
  for (const Tensor* tensor : reads) {
    if (!*tensor) continue;
    read = sim::checked_add(read, (*tensor)->bytes());
    elements = std::max(elements, (*tensor)->elements());
  }
  for (const Tensor* tensor : writes) {
    written = sim::checked_add(written, (*tensor)->bytes());
    elements = std::max(elements, (*tensor)->elements());
  }
  work.flops = sim::checked_mul(elements, flops_per_element);
  work.read = sim::Bytes(read);
  work.written = sim::Bytes(written);
  launch(op, work);
}

void Eager::launch_gemm(std::string_view op, const KernelWork& work) {
  Tensor& workspace = workspaces_[in_backward ? 1 : 0];
  if (!workspace && gemm_workspace_ > sim::Bytes(0))
    workspace = persistent({gemm_workspace_.value()}, DataType::int8, "cublas_workspace",
                           sim::Category::buffers, StorageKind::buffer);
  launch(op, work);
}

Tensor Eager::autocast(const Tensor& tensor, DataType type) {
  if (!tensor || !is_floating(tensor->type) || tensor->type == type) return tensor;
  const bool cacheable = type == autocast_type_ && tensor->type == DataType::fp32 &&
                         tensor->requires_grad && !tensor->grad_fn;
  if (!cacheable) return to_type(*this, tensor, type);
  if (!tensor->low_precision) {
    tensor->low_precision = to_type(*this, tensor, type);
    tensor->low_precision->storage->kind = StorageKind::parameter_cast;
    cached_casts_.push_back(tensor);
  }
  return tensor->low_precision;
}

AutocastScope::AutocastScope(Eager& eager, bool enabled, DataType type)
    : eager_(&eager), was_on_(eager.autocast_on_), old_type_(eager.autocast_type_) {
  eager.autocast_on_ = was_on_ || enabled;
  if (enabled) eager.autocast_type_ = type;
}

// PyTorch's cache is a hash table by address; the newest copies go first where nothing collides.
AutocastScope::~AutocastScope() {
  eager_->autocast_on_ = was_on_;
  eager_->autocast_type_ = old_type_;
  if (was_on_) return;
  std::vector<Tensor>& cached = eager_->cached_casts_;
  for (; !cached.empty(); cached.pop_back()) cached.back()->low_precision.reset();
}

}  // namespace memsim::models
