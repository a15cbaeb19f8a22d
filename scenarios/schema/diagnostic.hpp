// What is wrong with an input, where, and what would be right. All diagnostics of one reading are
// collected and shown together, in the order of their places.
//
// Codes (a code keeps its meaning for ever):
//   E101 no such file or catalogue entry       E121 number without a unit
//   E102 not TOML                              E122 unknown unit, or not a quantity
//   E103 key given twice                       E123 unit of another dimension
//   E104 unknown key                           E124 value out of range
//   E105 missing key                           E133 above a physical limit
//   E106 wrong type                            E135 figures contradict each other
//   E107 unknown word                          E140 reference to an undefined node
//   E108 missing or wrong `schema`             E141 node that nothing reaches
//   E111 inheritance in a circle               E142 name given twice
//   E112 not JSON                              E143 reference that does not say which node
//   E113 line that cannot be read              E150 override that cannot be read
//   E114 data that lacks a part
//   W134 per-GPU value that looks like a node's sum
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

enum class Severity : std::uint8_t { error, warning };

struct Diagnostic {
  std::string code;
  Location location;
  std::string message;  // one line: what was found
  std::string label;    // beside the marked text: what was expected
  std::vector<std::string> notes;
  std::string help;        // one concrete way out
  std::string suggestion;  // what would replace the marked text; empty: nothing certain

  // "E106 truth.jsonl:3:17: `params` is a string; expected an integer": without the marked line.
  [[nodiscard]] std::string sentence() const;

  [[nodiscard]] Severity severity() const {
    return code.starts_with('W') ? Severity::warning : Severity::error;
  }
};

class Diagnostics {
 public:
  static constexpr std::size_t shown_at_most = 20;

  void add(Diagnostic diagnostic);

  [[nodiscard]] bool has_errors() const;
  [[nodiscard]] std::size_t errors() const;
  [[nodiscard]] std::size_t warnings() const;
  // By source, position and code; the same one at the same place only once.
  [[nodiscard]] std::vector<Diagnostic> sorted() const;

  // For people: at most shown_at_most, then how many there are; `consequence` ends the last line
  // ("nothing was simulated"). Empty without diagnostics.
  [[nodiscard]] std::string text(std::string_view consequence) const;
  // For programs, schema memsim.diagnostics/1: the same diagnostics, one line, with a line end.
  [[nodiscard]] std::string json() const;

 private:
  std::vector<Diagnostic> all_;
};

}  // namespace memsim::scenarios
