// Allocator traces, run as they are read; digests and logs of the real allocator.
#include "tests/fuzz/invariants.hpp"
#include "validate/import/allocator_digest.hpp"
#include "validate/import/allocator_replay.hpp"
#include "validate/import/log_statistics.hpp"

namespace memsim::fuzz {
namespace {

using scenarios::Diagnostics;
using scenarios::SourceFile;

void read_trace(const SourceFile& file) {
  Diagnostics diagnostics;
  const auto trace = validate::read_allocator_trace(file, diagnostics);
  check_reading(diagnostics, trace.has_value());
  if (!trace) return;
  const auto log = validate::replay_trace(*trace);
  if (!log) return require(!log.error().message.empty(), "why a trace cannot be run");
  (void)validate::read_log_statistics(*log);
}

void read_digest(const std::string& text) {
  (void)validate::read_log_statistics(text);
  if (validate::is_allocator_digest(text)) (void)validate::digest_interval(text);
  if (const auto spec = validate::find_generator_in_digest(text); spec && *spec)
    (void)validate::generator_header(**spec);
  (void)validate::find_generator_in_table(text, "a");
}

}  // namespace
}  // namespace memsim::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memsim;
  const scenarios::SourceFile file("input", fuzz::text_of(data, size), scenarios::SourceRole::given,
                                   0);
  fuzz::read_trace(file);
  fuzz::read_digest(file.text());
  return 0;
}
