#include "models/training/optimizers/tensor_list.hpp"

#include <algorithm>
#include <array>

#include "sim/core/units.hpp"

namespace memsim::models {
namespace {

// multi_tensor_apply: a launch takes up to so many tensors (by the number of lists), and up to 320
// blocks of 65,536 elements.
constexpr std::array<std::int64_t, 6> tensors_per_launch{110, 110, 64, 48, 36, 30};
constexpr std::int64_t blocks_per_launch = 320;
constexpr std::int64_t elements_per_block = 65'536;

std::int64_t count_launches(const TensorList& list, std::size_t lists) {
  const std::int64_t most_tensors = tensors_per_launch[std::min<std::size_t>(lists, 5)];
  std::int64_t launches = 0;
  std::int64_t tensors = 0;
  std::int64_t blocks = 0;
  for (const Tensor& tensor : list) {
    ++tensors;
    std::int64_t left = sim::ceil_div(tensor->elements(), elements_per_block);
    while (left > 0) {
      if (blocks == 0) {  // all launches but the last are full of this tensor
        const std::int64_t full = (left - 1) / blocks_per_launch;
        launches += full;
        left -= full * blocks_per_launch;
        if (full > 0) tensors = 1;
      }
      const std::int64_t taken = std::min(left, blocks_per_launch - blocks);
      left -= taken;
      blocks += taken;
      const bool full = blocks == blocks_per_launch || (left == 0 && tensors == most_tensors);
      if (!full) continue;
      ++launches;
      blocks = 0;
      tensors = left > 0 ? 1 : 0;  // a tensor that is not finished goes on in the next launch
    }
  }
  return launches + (blocks > 0 ? 1 : 0);
}

std::int64_t bytes_of(const TensorList& list) {
  std::int64_t bytes = 0;
  for (const Tensor& tensor : list) bytes = sim::checked_add(bytes, tensor->bytes());
  return bytes;
}

}  // namespace

void ListOperations::cut_at(std::size_t i, std::size_t neighbour) {
  if ((*parameters_)[i]->layer != (*parameters_)[neighbour]->layer) eager_->recorder().cut();
}

TensorList ListOperations::make(std::string_view op) {
  TensorList list;
  for (std::size_t i = 0; i < parameters_->size(); ++i) {
    if (i > 0) cut_at(i, i - 1);
    const Tensor& like = (*parameters_)[i]->tensor;
    list.push_back(eager_->empty(like->shape(), like->type, op));
  }
  return list;
}

void ListOperations::drop(TensorList& list) {
  while (!list.empty()) {
    list.pop_back();
    if (!list.empty()) cut_at(list.size(), list.size() - 1);
  }
}

void ListOperations::apply(std::string_view op, std::initializer_list<const TensorList*> reads,
                           std::initializer_list<const TensorList*> writes,
                           std::int64_t flops_per_element) {
  KernelWork work;
  std::int64_t read = 0;
  std::int64_t written = 0;
  std::int64_t elements = 0;
  const TensorList& first = **writes.begin();
  for (const Tensor& tensor : first) elements = sim::checked_add(elements, tensor->elements());
  for (const TensorList* list : reads) read = sim::checked_add(read, bytes_of(*list));
  for (const TensorList* list : writes) written = sim::checked_add(written, bytes_of(*list));
  work.read = sim::Bytes(read);
  work.written = sim::Bytes(written);
  work.flops = sim::checked_mul(elements, flops_per_element);
  work.launches = std::max<std::int64_t>(1, count_launches(first, reads.size()));
  eager_->recorder().cut();
  eager_->launch(op, work);
}

}  // namespace memsim::models
