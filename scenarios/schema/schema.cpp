#include "scenarios/schema/schema.hpp"

#include <algorithm>

namespace memsim::scenarios {

FieldRules share_rules(std::string_view help, std::string_view fallback) {
  constexpr std::int64_t nothing = models::parts_per_million / 1000;
  constexpr std::int64_t hardly_anything = models::parts_per_million / 20;
  return {.help = help,
          .fallback = fallback,
          .example = fallback,
          .least = nothing,
          .most = models::parts_per_million,
          .usual = {hardly_anything, models::parts_per_million}};
}

const Field* TableSchema::find(std::string_view key) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const Field& field) { return field.key == key; });
  return found == fields_.end() ? nullptr : &*found;
}

bool TableSchema::needs_a_key() const {
  return std::any_of(fields_.begin(), fields_.end(), [](const Field& field) {
    return field.rules.required || (field.type == FieldType::table && field.schema->needs_a_key());
  });
}

void TableSchema::add(Field field) {
  MEMSIM_CHECK(find(field.key) == nullptr, "a key described twice: " + field.key);
  fields_.push_back(std::move(field));
}

}  // namespace memsim::scenarios
