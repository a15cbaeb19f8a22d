#include "validate/compare/torch_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "validate/import/text_lines.hpp"

namespace memsim::validate {
namespace {

using scenarios::Diagnostics;
using scenarios::SourceFile;
using Words = std::vector<std::string_view>;

// Of a trace that is wrong from some line on, the beginning is told.
constexpr std::size_t most_faults = 20;

bool read_number(std::string_view word, std::int64_t& number) {
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc{} && stop == word.data() + word.size();
}

class TraceReader {
 public:
  TraceReader(const SourceFile& file, Diagnostics& diagnostics)
      : file_(&file), diagnostics_(&diagnostics) {}

  std::optional<std::vector<TorchEvent>> read() {
    for (line_ = 1; line_ <= file_->lines() && faults_ < most_faults; ++line_) {
      const Words words = split_words(file_->line(line_));
      if (!words.empty()) read_line(words);
    }
    if (events_.empty() && faults_ == 0) report("E114", "the trace has no events");
    if (faults_ > 0) return std::nullopt;
    return std::move(events_);
  }

 private:
  void read_line(const Words& words) {
    if (words[0] == "m" && words.size() == 2) return add_marker(words[1]);
    if (words[0] == "a" && (words.size() == 4 || words.size() == 5)) return add_allocation(words);
    if (words[0] == "f" && words.size() == 2) return add_release(words[1]);
    report("E113", fmt::format("'{:.60}' is no marker, allocation or release", file_->line(line_)));
  }

  void add_marker(std::string_view marker) {
    TorchEvent event;
    event.name = marker;
    add(std::move(event));
  }

  void add_allocation(const Words& words) {
    TorchEvent event{.kind = TorchEventKind::allocate, .name = std::string(words[3])};
    if (!read_number(words[1], event.id) || !read_number(words[2], event.bytes) || event.bytes < 1)
      return report("E113", fmt::format("'{:.60}': an id and a size above 0 are integers",
                                        file_->line(line_)));
    if (words.size() == 5 &&
        (!words[4].starts_with("<-") || !read_number(words[4].substr(2), event.sum_into)))
      return report("E113", fmt::format("'{:.40}' is not <-OLD", words[4]));
    if (faults_ > 0) return;  // ids have lost their meaning
    const auto next = static_cast<std::int64_t>(conversions_.size()) + 1;
    if (event.id != next)
      return report("E113", fmt::format("id {}; ids count from 1, and {} is next", event.id, next));
    if (words.size() == 5 && !is_live(event.sum_into))
      return report("E113", fmt::format("a sum with {}, which is not there", event.sum_into));
    event.conversion = event.name == torch_conversion;
    conversions_.push_back(event.conversion);
    live_.push_back(true);
    add(std::move(event));
  }

  void add_release(std::string_view word) {
    TorchEvent event{.kind = TorchEventKind::release};
    if (!read_number(word, event.id))
      return report("E113", fmt::format("'{:.40}' is not an id", word));
    if (faults_ > 0) return;
    if (!is_live(event.id))
      return report("E113", fmt::format("{} is released and is not there", event.id));
    const auto index = static_cast<std::size_t>(event.id) - 1;
    live_[index] = false;
    event.conversion = conversions_[index];
    add(std::move(event));
  }

  void add(TorchEvent event) {
    event.line = line_;
    events_.push_back(std::move(event));
  }

  [[nodiscard]] bool is_live(std::int64_t id) const {
    return id >= 1 && std::cmp_less_equal(id, live_.size()) &&
           live_[static_cast<std::size_t>(id) - 1];
  }

  void report(const char* code, std::string message) {
    ++faults_;
    diagnostics_->add({.code = code,
                       .location = {file_, {std::min(line_, file_->lines()), 1, 1}},
                       .message = std::move(message),
                       .label = "",
                       .notes = {},
                       .help = "",
                       .suggestion = ""});
  }

  const SourceFile* file_;
  Diagnostics* diagnostics_;
  std::vector<TorchEvent> events_;
  std::vector<bool> conversions_;  // by id - 1
  std::vector<bool> live_;         // likewise
  std::uint32_t line_ = 1;
  std::size_t faults_ = 0;
};

}  // namespace

std::optional<std::vector<TorchEvent>> parse_torch_trace(const SourceFile& file,
                                                         Diagnostics& diagnostics) {
  return TraceReader(file, diagnostics).read();
}

}  // namespace memsim::validate
