#include "validate/import/allocator_trace.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "validate/import/text_lines.hpp"

namespace memsim::validate {
namespace {

struct Verb {
  std::string_view name;
  std::size_t arguments;
};

// In the order of TraceVerb.
constexpr std::array<Verb, 19> verbs{{
    {"capacity", 1},     {"external", 1},
    {"fraction", 1},     {"config", 1},
    {"events", 1},       {"nvml", 1},
    {"stale", 1},        {"alloc", 3},
    {"free", 1},         {"record", 2},
    {"complete", 1},     {"empty_cache", 0},
    {"reset_peak", 0},   {"reset_accumulated", 0},
    {"snapshot", 0},     {"stats", 0},
    {"pool_begin", 3},   {"pool_end", 2},
    {"pool_release", 2},
}};

std::optional<TraceVerb> find_verb(std::string_view word) {
  for (std::size_t at = 0; at < verbs.size(); ++at) {
    if (verbs[at].name == word) return static_cast<TraceVerb>(at);
  }
  return std::nullopt;
}

template <class Number>
sim::Result<void> read_number(std::string_view word, std::string_view what, Number& number) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::invalid_argument || end != word.data() + word.size())
    return sim::fail(fmt::format("{} '{}' is not a whole number", what, word));
  const auto largest = static_cast<std::uint64_t>(std::numeric_limits<Number>::max());
  if (error != std::errc() || value > largest)
    return sim::fail(fmt::format("{} {} is larger than {}", what, word, largest));
  number = static_cast<Number>(value);
  return {};
}

sim::Result<void> read_stream(std::string_view word, TraceOp& op) {
  std::uint32_t stream = 0;
  auto read = read_number(word, "stream", stream);
  op.stream = sim::StreamId{stream};
  return read;
}

sim::Result<void> read_choice(std::string_view word, std::string_view zero, std::string_view one,
                              TraceOp& op) {
  if (word != zero && word != one)
    return sim::fail(fmt::format("'{}' is neither '{}' nor '{}'", word, zero, one));
  op.amount = word == one ? 1 : 0;
  return {};
}

template <class Value>
std::int64_t keep(std::vector<Value>& values, Value value) {
  values.push_back(std::move(value));
  return static_cast<std::int64_t>(values.size()) - 1;
}

}  // namespace

std::string_view name(TraceVerb verb) { return verbs[static_cast<std::size_t>(verb)].name; }

bool starts_with_trace_verb(std::string_view line) {
  const auto words = split_words(line);
  return !words.empty() && find_verb(words.front()).has_value();
}

bool is_allocator_trace(std::string_view head) {
  while (!head.empty()) {
    const auto words = split_words(next_line(head));
    if (words.empty() || words.front().starts_with('#')) continue;
    return starts_with_trace_verb(words.front());
  }
  return false;
}

sim::Result<void> AllocatorTraceReader::read_line(std::string_view text) {
  ++line_;
  const Words words = split_words(text);
  if (words.empty() || words.front().starts_with('#')) return {};
  const std::optional<TraceVerb> verb = find_verb(words.front());
  TraceOp op{.verb = verb.value_or(TraceVerb::stats), .line = line_};
  auto read = verb ? read_arguments(words, op)
                   : sim::fail(fmt::format("unknown operation '{:.40}'", words.front()));
  faulty_ = faulty_ || !read;
  trace_.ops.push_back(op);
  return read;
}

sim::Result<void> AllocatorTraceReader::read_arguments(const Words& words, TraceOp& op) {
  const std::size_t wanted = verbs[static_cast<std::size_t>(op.verb)].arguments;
  if (words.size() != wanted + 1) {
    return sim::fail(fmt::format("'{}' takes {} argument{}, here are {}", words[0], wanted,
                                 wanted == 1 ? "" : "s", words.size() - 1));
  }
  switch (op.verb) {
    case TraceVerb::capacity:
    case TraceVerb::external:
      return read_number(words[1], "bytes", op.amount);
    case TraceVerb::events:
      return read_choice(words[1], "immediate", "manual", op);
    case TraceVerb::nvml:
    case TraceVerb::stale:
      return read_choice(words[1], "off", "on", op);
    case TraceVerb::fraction:
      return read_fraction(words[1], op);
    case TraceVerb::config:
      op.amount = keep(trace_.options, std::string(words[1] == "-" ? "" : words[1]));
      return {};
    case TraceVerb::alloc:
      return read_allocation(words[1], true, op)
          .and_then([&] { return read_number(words[2], "size", op.amount); })
          .and_then([&] { return read_stream(words[3], op); });
    case TraceVerb::free:
      return read_allocation(words[1], false, op);
    case TraceVerb::record:
      return read_allocation(words[1], false, op).and_then([&] {
        return read_stream(words[2], op);
      });
    case TraceVerb::complete:
      return read_stream(words[1], op);
    case TraceVerb::pool_begin:
      return read_pool(words[1], words[2], op).and_then([&] { return read_stream(words[3], op); });
    case TraceVerb::pool_end:
    case TraceVerb::pool_release:
      return read_pool(words[1], words[2], op);
    case TraceVerb::empty_cache:
    case TraceVerb::reset_peak:
    case TraceVerb::reset_accumulated:
    case TraceVerb::snapshot:
    case TraceVerb::stats:
      break;
  }
  return {};
}

sim::Result<void> AllocatorTraceReader::read_allocation(std::string_view word, bool creates,
                                                        TraceOp& op) {
  std::uint64_t id = 0;
  if (auto read = read_number(word, "id", id); !read) return read;
  const auto known = allocations_.find(id);
  if (known != allocations_.end()) {
    op.allocation = known->second;
  } else if (creates) {
    op.allocation = static_cast<std::uint32_t>(allocations_.size());
    allocations_.emplace(id, op.allocation);
  } else if (!faulty_) {  // it may have been in a line that could not be read
    return sim::fail(fmt::format("id {} was never allocated", id));
  }
  return {};
}

sim::Result<void> AllocatorTraceReader::read_fraction(std::string_view word, TraceOp& op) {
  const auto ratio = sim::TorchRatio::parse(word);
  if (!ratio) return sim::fail(fmt::format("fraction '{}' is no number from 0 to 1", word));
  op.amount = keep(trace_.fractions, *ratio);
  return {};
}

sim::Result<void> AllocatorTraceReader::read_pool(std::string_view first, std::string_view second,
                                                  TraceOp& op) {
  sim::TorchPoolId id;
  return read_number(first, "pool", id.first)
      .and_then([&] { return read_number(second, "pool", id.second); })
      .map([&] { op.amount = keep(trace_.pools, id); });
}

std::optional<AllocatorTrace> read_allocator_trace(const scenarios::SourceFile& file,
                                                   scenarios::Diagnostics& diagnostics) {
  AllocatorTraceReader reader;
  for (std::uint32_t number = 1; number <= file.lines(); ++number) {
    const auto read = reader.read_line(file.line(number));
    if (read) continue;
    diagnostics.add({.code = "E113",
                     .location = {&file, {number, 1, 1}},
                     .message = read.error().message,
                     .label = "",
                     .notes = {},
                     .help = "",
                     .suggestion = ""});
  }
  if (diagnostics.has_errors()) return std::nullopt;
  return reader.take();
}

}  // namespace memsim::validate
