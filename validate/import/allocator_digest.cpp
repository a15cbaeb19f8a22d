#include "validate/import/allocator_digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "sim/core/digest.hpp"
#include "validate/import/allocator_replay.hpp"
#include "validate/import/text_lines.hpp"

namespace memsim::validate {
namespace {

// Where the checksums of digest files start: not the offset of the textbook.
constexpr std::uint64_t digest_offset = 1469598103934665603ULL;

// The words of the first line that is no comment.
std::vector<std::string_view> first_words(std::string_view text) {
  while (!text.empty()) {
    const auto words = split_words(next_line(text));
    if (!words.empty() && !words.front().starts_with('#')) return words;
  }
  return {};
}

bool is_hash(std::string_view word) {
  return word.size() == 16 && word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

bool is_allocator_digest(std::string_view text) {
  const auto words = first_words(text);
  return words.size() == 3 && words[0] == "D" && is_hash(words[2]);
}

sim::Result<std::int64_t> digest_interval(std::string_view text) {
  const auto words = first_words(text);
  if (words.size() != 3 || words[0] != "D") return sim::fail("no checksum line 'D n hash'");
  std::int64_t count = 0;
  const auto [end, error] =
      std::from_chars(words[1].data(), words[1].data() + words[1].size(), count);
  if (error != std::errc() || end != words[1].data() + words[1].size() || count <= 0)
    return sim::fail(fmt::format("the checksum of '{}' operations", words[1]));
  return count;
}

sim::Result<AllocatorTrace> generator_header(const GeneratorSpec& spec) {
  AllocatorTraceReader reader;
  for (std::size_t i = 0; i < spec.header.size(); ++i) {
    if (const auto read = reader.read_line(spec.header[i]); !read)
      return sim::fail(
          fmt::format("header of the generator, operation {}: {}", i + 1, read.error().message));
  }
  return reader.take();
}

sim::Result<std::string> run_digest(const AllocatorTrace& header, const GeneratorSpec& spec,
                                    std::int64_t interval) {
  AllocatorReplay replay;
  TraceGenerator generator(spec);
  sim::Digest digest(digest_offset);
  std::string out;
  std::string lines;
  const auto add_checksum = [&] {
    fmt::format_to(std::back_inserter(out), "D {} {:016x}\n", replay.operations(), digest.value());
  };
  const auto run = [&](const TraceOp& op) {
    lines.clear();
    auto ran = replay.run(header, op, lines);
    digest.add(std::string_view(lines));
    if (replay.operations() % interval == 0) add_checksum();
    return ran;
  };
  for (const TraceOp& op : header.ops) {
    if (auto ran = run(op); !ran) return tl::unexpected(ran.error());
  }
  for (auto op = generator.next(); op; op = generator.next()) {
    if (auto ran = run(*op); !ran) return tl::unexpected(ran.error());
  }
  add_checksum();
  replay.finish(out);
  return out;
}

}  // namespace memsim::validate
