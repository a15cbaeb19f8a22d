// The random allocator traces behind digest files: generator G1.
//
// A digest file holds only checksums of what the real allocator answered; the questions come from
// this generator (its rule is in validate/data/allocator/README.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/random.hpp"
#include "sim/core/result.hpp"
#include "validate/import/allocator_trace.hpp"

namespace memsim::validate {

struct GeneratorSpec {
  std::uint64_t seed = 0;
  std::int64_t operations = 0;  // after the header
  std::int64_t live = 0;        // from so many live allocations on, the next operation frees one
  std::uint32_t streams = 1;    // > 0
  bool record = false;          // whether record operations occur
  std::vector<std::string> header;  // operations that come first
};

// The parameters in one row of a README's table of generators, whose columns are called file, seed,
// N, L, S, REC, header. `file` is the digest's name without its ending. Errors: no such row, or a
// parameter that cannot be read.
sim::Result<GeneratorSpec> find_generator_in_table(std::string_view markdown,
                                                   std::string_view file);

// The parameters in a digest's own first lines: `# seed=101 N=200000 L=600 S=1 REC=0` and
// `# header=capacity 4294967296; config ...`. Nothing if it has no such lines.
std::optional<sim::Result<GeneratorSpec>> find_generator_in_digest(std::string_view digest);

// Gives the operations one by one, without the header.
class TraceGenerator {
 public:
  explicit TraceGenerator(const GeneratorSpec& spec) : spec_(spec), random_(spec.seed) {}

  // The next operation; nothing after the last.
  [[nodiscard]] std::optional<TraceOp> next();

 private:
  // A number below `bound`, drawn as the generator's rule says. Requires: bound > 0.
  std::uint64_t below(std::uint64_t bound) { return random_.next() % bound; }
  std::uint32_t draw_live() { return static_cast<std::uint32_t>(below(live_.size())); }
  sim::StreamId draw_stream() {
    return sim::StreamId{static_cast<std::uint32_t>(below(spec_.streams))};
  }
  std::int64_t draw_size();

  GeneratorSpec spec_;
  sim::SplitMix64 random_;
  std::int64_t done_ = 0;
  std::uint32_t allocations_ = 0;
  std::vector<std::uint32_t> live_;
};

}  // namespace memsim::validate
