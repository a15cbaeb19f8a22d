// What is wrong with an input, where, and what would be right. All diagnostics of one reading are
// collected and shown together, in the order of their places.
//
// Every code is described in docs/diagnostics.md (E...) or docs/warnings.md (W...) and keeps its
// meaning for ever.
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

// E152: without `option` ("--hw") the question cannot be asked.
Diagnostic missing_option(std::string_view option, std::string_view expected,
                          std::string_view help);

class Diagnostics {
 public:
  static constexpr std::size_t shown_at_most = 20;

  void add(Diagnostic diagnostic);

  [[nodiscard]] bool has_errors() const { return errors_added_ > 0; }
  // How many errors were added so far, the same one counted as often as it was.
  [[nodiscard]] std::size_t errors_added() const { return errors_added_; }
  // Distinct ones.
  [[nodiscard]] std::size_t errors() const;
  [[nodiscard]] std::size_t warnings() const;
  // By source, position and code; the same one at the same place only once.
  [[nodiscard]] std::vector<Diagnostic> sorted() const;

  // For people, 80 columns wide: at most shown_at_most, then how many there are; `consequence` ends
  // the last line ("nothing was simulated"). Empty without diagnostics.
  [[nodiscard]] std::string text(std::string_view consequence) const;
  // For programs, schema memsim.diagnostics/1: the same diagnostics and the verdict, "valid" unless
  // there are errors; one line, with a line end.
  [[nodiscard]] std::string json() const;

 private:
  std::vector<Diagnostic> all_;
  std::size_t errors_added_ = 0;
};

}  // namespace memsim::scenarios
