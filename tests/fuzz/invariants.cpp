#include "tests/fuzz/invariants.hpp"

#include <cstdio>
#include <cstdlib>

namespace memsim::fuzz {
namespace {

using scenarios::Diagnostic;
using scenarios::Location;

// Errors of the command line as a whole stand nowhere.
bool needs_a_place(const Diagnostic& diagnostic) { return diagnostic.code != "E152"; }

void check_place(const Location& at) {
  require(at.span.line >= 1 && at.span.line <= at.file->lines(), "a line of the source");
  // What is missing may be said of the place behind the last character.
  const std::uint32_t end = scenarios::character_count(at.file->line(at.span.line)) + 1;
  require(at.span.column >= 1 && at.span.column <= end, "a column of the line");
  require(at.span.end_column >= at.span.column && at.span.end_column <= end + 1,
          "an end within the line");
}

}  // namespace

void require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

void check_reading(const scenarios::Diagnostics& diagnostics, bool was_read) {
  require(was_read != diagnostics.has_errors(), "either read or refused with an error");
  const std::vector<Diagnostic> all = diagnostics.sorted();
  for (const Diagnostic& diagnostic : all) {
    require(diagnostic.code.size() == 4, "a code");
    require(!diagnostic.message.empty(), "a message");
    require(!diagnostic.sentence().empty(), "a sentence");
    if (diagnostic.location.file != nullptr) check_place(diagnostic.location);
    require(diagnostic.location.file != nullptr || !needs_a_place(diagnostic), "a place");
  }
  require(diagnostics.text("nothing was simulated").empty() == all.empty(), "diagnostics as text");
  require(diagnostics.json().ends_with("}\n"), "diagnostics as JSON");
}

std::string text_of(const std::uint8_t* data, std::size_t size) { return {data, data + size}; }

std::vector<std::string> parts_of(std::string_view text) {
  constexpr std::string_view separator = "\n---\n";
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

std::filesystem::path shipped_scenarios() {
  return std::filesystem::path(MEMSIM_SOURCE_DIR) / "scenarios";
}

}  // namespace memsim::fuzz
