#include "validate/compare/torch_fields.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace memsim::validate {

TorchFields::TorchFields(const nlohmann::json& object, std::string name)
    : object_(&object), name_(std::move(name)) {}

std::int64_t TorchFields::integer(const char* key, std::optional<std::int64_t> otherwise) {
  const nlohmann::json* const field = find(key);
  if (field == nullptr) return otherwise ? *otherwise : missing(key);
  if (field->is_number_integer()) return field->get<std::int64_t>();
  return wrong(key, "an integer");
}

bool TorchFields::flag(const char* key, bool otherwise) {
  const nlohmann::json* const field = find(key);
  if (field == nullptr) return otherwise;
  if (field->is_boolean()) return field->get<bool>();
  return wrong(key, "true or false") != 0;
}

std::string TorchFields::text(const char* key, const char* otherwise) {
  const nlohmann::json* const field = find(key);
  if (field == nullptr) return otherwise;
  if (field->is_string()) return field->get<std::string>();
  wrong(key, "a text");
  return otherwise;
}

std::int64_t TorchFields::rate(const char* key) {
  const nlohmann::json* const field = find(key);
  if (field == nullptr) return 0;
  if (field->is_number() && field->get<double>() >= 0 && field->get<double>() <= 1)
    return std::llround(field->get<double>() * 1e6);
  return wrong(key, "a number between 0 and 1");
}

const nlohmann::json* TorchFields::find(const char* key) {
  known_.insert(key);
  const auto field = object_->find(key);
  return field == object_->end() || field->is_null() ? nullptr : &*field;
}

void TorchFields::report(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
}

std::string TorchFields::unknown() const {
  for (const auto& [key, value] : object_->items())
    if (!known_.contains(key)) return key;
  return {};
}

std::int64_t TorchFields::missing(const std::string& key) {
  report(name_ + key + ": missing");
  return 0;
}

std::int64_t TorchFields::wrong(const std::string& key, const std::string& wanted) {
  report(name_ + key + ": not " + wanted);
  return 0;
}

}  // namespace memsim::validate
