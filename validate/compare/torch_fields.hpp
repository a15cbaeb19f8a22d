// Typed access to the fields of a JSON object, with the first problem kept.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>

namespace memsim::validate {

class TorchFields {
 public:
  // `name`: of the object, for messages. Requires: `object` is an object and outlives this.
  TorchFields(const nlohmann::json& object, std::string name);

  // The field, or `otherwise` if it is absent or null. A field of another type is a problem.
  std::int64_t integer(const char* key, std::optional<std::int64_t> otherwise);
  bool flag(const char* key, bool otherwise);
  std::string text(const char* key, const char* otherwise);
  // A number between 0 and 1, in millionths.
  std::int64_t rate(const char* key);
  // A field that the caller reads itself; nullptr if absent or null.
  const nlohmann::json* find(const char* key);

  void report(std::string problem);
  // The first problem; empty if there was none.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  // The first field that nobody asked for; empty if there is none.
  [[nodiscard]] std::string unknown() const;

 private:
  std::int64_t missing(const std::string& key);
  std::int64_t wrong(const std::string& key, const std::string& wanted);

  const nlohmann::json* object_;
  std::string name_;
  std::string problem_;
  std::set<std::string> known_;
};

}  // namespace memsim::validate
