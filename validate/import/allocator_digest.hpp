// Digest files: what the real allocator answered to a generated trace, as checksums of the log,
// then the final statistics and segments in clear.
//
//   D n hash      FNV-1a of all log lines of the operations 1 .. n
//   END           and what follows it in a log
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/core/result.hpp"
#include "validate/import/allocator_generator.hpp"
#include "validate/import/allocator_trace.hpp"

namespace memsim::validate {

// Whether the text starts, after comments, with a line of the form `D n hash`.
bool is_allocator_digest(std::string_view text);

// The operations between two checksums of a digest file: the count of its first one.
// Errors: there is none, or its count is no number above 0.
sim::Result<std::int64_t> digest_interval(std::string_view text);

// The operations of the generator's header. Errors: the first that cannot be read.
sim::Result<AllocatorTrace> generator_header(const GeneratorSpec& spec);

// Runs the header and the generated operations on memsim's allocator and writes the digest, without
// comments. Errors: as AllocatorReplay::run. Requires: interval > 0.
sim::Result<std::string> run_digest(const AllocatorTrace& header, const GeneratorSpec& spec,
                                    std::int64_t interval);

}  // namespace memsim::validate
