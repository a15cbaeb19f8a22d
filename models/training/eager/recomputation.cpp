#include "models/training/eager/recomputation.hpp"

#include "models/training/eager/eager.hpp"
#include "sim/core/check.hpp"

namespace memsim::models {

void expire(Recomputation& recomputation) { delete &recomputation; }

void Recomputation::pack(Node& node) {
  if (!node.recomputation) {
    node.recomputation = Ref<Recomputation>(this);
    node.first_packed = static_cast<std::uint32_t>(places_.size());
  }
  places_.push_back({&node, node.saved.size()});
  node.saved.emplace_back();
}

void Recomputation::fill(const Tensor& tensor) {
  MEMSIM_CHECK(filled_ < places_.size(), "a recomputation saves more than the first run");
  const Place& place = places_[filled_++];
  if (place.node != nullptr) place.node->saved[place.index] = tensor;
}

void Recomputation::forget(const Node& node) {
  for (std::size_t i = node.first_packed; i < places_.size() && places_[i].node == &node; ++i)
    places_[i].node = nullptr;
}

void Recomputation::ensure(Eager& eager) {
  if (done_) return;
  done_ = true;
  const Setting<Recomputation*> refilling(eager.filling, this);
  run_(arguments_);
}

}  // namespace memsim::models
