// Typed access to the keys of a JSON object. What is wrong with a value goes to the diagnostics
// with its place; null means absent.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"

namespace memsim::validate {

// "the string \"x\"", "-1", "a list": a value in a message, at most some 40 characters.
std::string describe(const scenarios::Node& value);

// "params is the string \"x\"; expected an integer" (E106), at the value.
void report_type(const scenarios::Node& value, const std::string& path, std::string_view expected,
                 scenarios::Diagnostics& diagnostics);

class JsonFields {
 public:
  static constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

  // `path`: of the object, as "flows[3]" or empty. Requires: `object` is a table; it and the
  // diagnostics outlive this.
  JsonFields(const scenarios::Node& object, std::string path, scenarios::Diagnostics& diagnostics)
      : object_(&object), path_(std::move(path)), diagnostics_(&diagnostics) {}

  // The value of a key; null if it is absent.
  const scenarios::Node* find(std::string_view key);
  // The same, and E105 if it is absent.
  const scenarios::Node* require(std::string_view key);
  // A value of that type; null if it is absent or (E106) of another one.
  const scenarios::Node* table(std::string_view key);
  const scenarios::Node* list(std::string_view key);
  std::optional<std::string> text(std::string_view key);
  std::optional<bool> flag(std::string_view key);
  // E124 beyond the limits.
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t least,
                                      std::int64_t most = no_limit);
  // A share between 0 and 1, in millionths.
  std::optional<std::int64_t> millionths(std::string_view key);

  // Entries whose keys nobody has asked for, in the order of the file.
  [[nodiscard]] std::vector<const scenarios::Entry*> unknown() const;
  // E104 at a key; `meant` is the right one or empty.
  void report_unknown(const scenarios::Entry& entry, const std::string& meant);

  // "flows[3].links".
  [[nodiscard]] std::string path(std::string_view key) const;
  [[nodiscard]] const scenarios::Node& object() const { return *object_; }
  [[nodiscard]] scenarios::Diagnostics& diagnostics() const { return *diagnostics_; }

 private:
  const scenarios::Node* of_type(std::string_view key, scenarios::NodeType type,
                                 std::string_view expected);

  const scenarios::Node* object_;
  std::string path_;
  scenarios::Diagnostics* diagnostics_;
  std::set<std::string, std::less<>> known_;
};

// An integer within limits; empty after E106 or E124.
std::optional<std::int64_t> read_integer(const scenarios::Node& value, const std::string& path,
                                         std::int64_t least, std::int64_t most,
                                         scenarios::Diagnostics& diagnostics);

}  // namespace memsim::validate
