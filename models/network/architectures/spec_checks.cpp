#include "models/network/architectures/spec_checks.hpp"

#include <string>

namespace memsim::models {

std::optional<sim::Error> heads_defect(std::int64_t hidden, std::int64_t heads) {
  if (hidden % heads == 0) return std::nullopt;
  return sim::Error{"heads: " + std::to_string(heads) + " do not divide hidden " +
                    std::to_string(hidden)};
}

std::optional<sim::Error> first_defect(std::initializer_list<BoundedField> fields,
                                       std::int64_t hidden, std::int64_t heads,
                                       std::int64_t dropout_millionths) {
  for (const BoundedField& field : fields) {
    if (field.value < field.least)
      return sim::Error{std::string(field.name) + ": " + std::to_string(field.value) +
                        " is less than " + std::to_string(field.least)};
    if (field.value > field.most)
      return sim::Error{std::string(field.name) + ": " + std::to_string(field.value) +
                        " is more than " + std::to_string(field.most)};
  }
  if (auto wrong = heads_defect(hidden, heads)) return wrong;
  if (dropout_millionths < 0 || dropout_millionths > 1'000'000)
    return sim::Error{"dropout: not between 0 and 1"};
  return std::nullopt;
}

}  // namespace memsim::models
