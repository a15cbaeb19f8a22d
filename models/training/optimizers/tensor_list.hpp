// Lists of tensors over all parameters, and the multi-tensor operations on them.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "models/training/optimizers/optimizer.hpp"

namespace memsim::models {

using TensorList = std::vector<Tensor>;

class ListOperations {
 public:
  // `parameters`: those that take part; lists have one entry for each, in their order.
  ListOperations(Eager& eager, const std::vector<const TrainedParameter*>& parameters)
      : eager_(&eager), parameters_(&parameters) {}

  // A new list of tensors like the parameters, one per entry. Cut where the layer changes.
  TensorList make(std::string_view op);
  // Gives a list up: Python drops a list from its end.
  void drop(TensorList& list);
  // One multi-tensor kernel (in chunks) over lists that are read or written.
  void apply(std::string_view op, std::initializer_list<const TensorList*> reads,
             std::initializer_list<const TensorList*> writes, std::int64_t flops_per_element);

 private:
  void cut_at(std::size_t i, std::size_t neighbour);

  Eager* eager_;
  const std::vector<const TrainedParameter*>* parameters_;
};

}  // namespace memsim::models
