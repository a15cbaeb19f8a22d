// Typed access to the fields of a JSON object, with the first problem kept. For .cpp files only.
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace memsim::validate {

class TorchFields {
 public:
  // `name`: of the object, for messages. Requires: `object` is an object and outlives this.
  TorchFields(const nlohmann::json& object, std::string name)
      : object_(&object), name_(std::move(name)) {}

  // The field, or `otherwise` if it is absent or null. A field of another type is a problem.
  std::int64_t integer(const char* key, std::optional<std::int64_t> otherwise) {
    const nlohmann::json* const field = find(key);
    if (field == nullptr) return otherwise ? *otherwise : missing(key);
    if (field->is_number_integer()) return field->get<std::int64_t>();
    return wrong(key, "an integer");
  }
  bool flag(const char* key, bool otherwise) {
    const nlohmann::json* const field = find(key);
    if (field == nullptr) return otherwise;
    if (field->is_boolean()) return field->get<bool>();
    return wrong(key, "true or false") != 0;
  }
  std::string text(const char* key, const char* otherwise) {
    const nlohmann::json* const field = find(key);
    if (field == nullptr) return otherwise;
    if (field->is_string()) return field->get<std::string>();
    wrong(key, "a text");
    return otherwise;
  }
  // A number between 0 and 1, in millionths.
  std::int64_t rate(const char* key) {
    const nlohmann::json* const field = find(key);
    if (field == nullptr) return 0;
    if (field->is_number() && field->get<double>() >= 0 && field->get<double>() <= 1)
      return std::llround(field->get<double>() * 1e6);
    return wrong(key, "a number between 0 and 1");
  }
  // A field that the caller reads itself; nullptr if absent or null.
  const nlohmann::json* find(const char* key) {
    known_.insert(key);
    const auto field = object_->find(key);
    return field == object_->end() || field->is_null() ? nullptr : &*field;
  }

  void report(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }
  // The first problem; empty if there was none.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  // The first field that nobody asked for; empty if there is none.
  [[nodiscard]] std::string unknown() const {
    for (const auto& [key, value] : object_->items())
      if (!known_.contains(key)) return key;
    return {};
  }

 private:
  std::int64_t missing(const std::string& key) {
    report(name_ + key + ": missing");
    return 0;
  }
  std::int64_t wrong(const std::string& key, const std::string& wanted) {
    report(name_ + key + ": not " + wanted);
    return 0;
  }

  const nlohmann::json* object_;
  std::string name_;
  std::string problem_;
  std::set<std::string> known_;
};

}  // namespace memsim::validate
