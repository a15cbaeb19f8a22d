#include "validate/compare/torch_trace.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "validate/import/text_lines.hpp"

namespace memsim::validate {
namespace {

bool read_number(std::string_view word, std::int64_t& number) {
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  return error == std::errc{} && stop == end;
}

class TraceReader {
 public:
  explicit TraceReader(models::TorchRules rules) : rules_(rules) {}

  // Whether the line could be read.
  bool read(const std::vector<std::string_view>& words) {
    if (words[0] == "m" && words.size() >= 2) return read_marker(words[1]);
    if (words[0] == "a" && words.size() >= 4) return read_allocation(words);
    if (words[0] == "f" && words.size() == 2) return read_release(words[1]);
    return false;
  }

  std::vector<TorchEvent> events;

 private:
  bool read_marker(std::string_view marker) {
    events.push_back({TorchEventKind::marker, 0, 0, std::string(marker)});
    return true;
  }

  bool read_allocation(const std::vector<std::string_view>& words) {
    std::int64_t id = 0;
    TorchEvent event{TorchEventKind::allocate, 0, 0, {}};
    if (!read_number(words[1], id) || !read_number(words[2], event.bytes)) return false;
    if (words.size() > 4 && words[4].starts_with("<-") && rules_ == models::TorchRules::v2) {
      std::int64_t old = 0;
      if (!read_number(words[4].substr(2), old) || !ids_.contains(old)) return false;
      ids_[id] = ids_[old];
      merged_.insert(old);
      return true;
    }
    event.id = ids_[id] = ++allocations_;
    events.push_back(event);
    return true;
  }

  bool read_release(std::string_view word) {
    std::int64_t id = 0;
    if (!read_number(word, id) || !ids_.contains(id)) return false;
    if (!merged_.contains(id)) events.push_back({TorchEventKind::release, ids_[id], 0, {}});
    return true;
  }

  models::TorchRules rules_;
  std::int64_t allocations_ = 0;
  std::map<std::int64_t, std::int64_t> ids_;  // in the trace -> in the events
  std::set<std::int64_t> merged_;             // what later sums were added into
};

}  // namespace

sim::Result<std::vector<TorchEvent>> parse_torch_trace(std::string_view text,
                                                       models::TorchRules rules) {
  TraceReader reader(rules);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::vector<std::string_view> words = split_words(next_line(text));
    if (!words.empty() && !reader.read(words))
      return sim::fail("line " + std::to_string(number) + ": not a marker, allocation or release");
  }
  return std::move(reader.events);
}

void order_releases(std::vector<TorchEvent>& events) {
  for (auto begin = events.begin(); begin != events.end();) {
    const auto end = std::find_if(begin, events.end(), [](const TorchEvent& event) {
      return event.kind != TorchEventKind::release;
    });
    std::sort(begin, end, [](const TorchEvent& a, const TorchEvent& b) { return a.id < b.id; });
    begin = end == events.end() ? end : end + 1;
  }
}

std::string describe(const TorchEvent& event) {
  switch (event.kind) {
    case TorchEventKind::marker:
      return "comes to " + event.marker;
    case TorchEventKind::allocate:
      return "allocates " + std::to_string(event.bytes) + " bytes as " + std::to_string(event.id);
    case TorchEventKind::release:
      break;
  }
  return "releases " + std::to_string(event.id);
}

}  // namespace memsim::validate
