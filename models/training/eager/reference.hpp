// Counted references to objects of a pool. Storages, tensors and autograd nodes die when their last
// holder goes: that instant is what the simulation is about.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace memsim::models {

// T has a member `uses` and a function `void expire(T&)` that is called when the last reference
// goes.
template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) : object_(object) {
    if (object_ != nullptr) ++object_->uses;
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  // The new object is held before the old one goes, as in Python and in C++'s intrusive pointers.
  Ref& operator=(const Ref& other) {
    if (this != &other) *this = Ref(other);
    return *this;
  }
  Ref& operator=(Ref&& other) noexcept {
    Ref moved(std::move(other));
    std::swap(object_, moved.object_);
    return *this;
  }
  ~Ref() { reset(); }

  void reset() {
    T* const object = std::exchange(object_, nullptr);
    if (object != nullptr && --object->uses == 0) expire(*object);
  }
  [[nodiscard]] T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

// Objects that are used again after they expired: their vectors keep their capacity.
template <class T>
class Pool {
 public:
  T& take() {
    if (free_.empty()) return objects_.emplace_back();
    T& object = *free_.back();
    free_.pop_back();
    return object;
  }
  // Requires: `object` came from take() and is as new.
  void give(T& object) { free_.push_back(&object); }

 private:
  std::deque<T> objects_;
  std::vector<T*> free_;
};

}  // namespace memsim::models
