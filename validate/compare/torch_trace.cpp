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
    events.push_back({TorchEventKind::marker, 0, 0, std::string(marker), false});
    return true;
  }

  bool read_allocation(const std::vector<std::string_view>& words) {
    std::int64_t id = 0;
    TorchEvent event{TorchEventKind::allocate, 0, 0, {}, false};
    if (!read_number(words[1], id) || !read_number(words[2], event.bytes)) return false;
    if (words.size() > 4 && words[4].starts_with("<-") && rules_ == models::TorchRules::v2) {
      std::int64_t old = 0;
      if (!read_number(words[4].substr(2), old) || !ids_.contains(old)) return false;
      ids_[id] = ids_[old];
      merged_.insert(old);
      return true;
    }
    event.id = ids_[id] = ++allocations_;
    event.conversion = words[3] == torch_conversion;
    if (event.conversion) conversions_.insert(event.id);
    events.push_back(event);
    return true;
  }

  bool read_release(std::string_view word) {
    std::int64_t id = 0;
    if (!read_number(word, id) || !ids_.contains(id)) return false;
    if (!merged_.contains(id))
      events.push_back({TorchEventKind::release, ids_[id], 0, {}, conversions_.contains(ids_[id])});
    return true;
  }

  models::TorchRules rules_;
  std::int64_t allocations_ = 0;
  std::map<std::int64_t, std::int64_t> ids_;  // in the trace -> in the events
  std::set<std::int64_t> merged_;             // what later sums were added into
  std::set<std::int64_t> conversions_;        // ids in the events
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

void order_conversions(std::vector<TorchEvent>& events) {
  std::vector<std::size_t> places;  // of conversions in the run of releases under way
  std::vector<std::int64_t> ids;
  const auto end_run = [&] {
    std::sort(ids.begin(), ids.end());
    for (std::size_t i = 0; i < ids.size(); ++i) events[places[i]].id = ids[i];
    places.clear();
    ids.clear();
  };
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].kind != TorchEventKind::release) end_run();
    if (events[i].kind != TorchEventKind::release || !events[i].conversion) continue;
    places.push_back(i);
    ids.push_back(events[i].id);
  }
  end_run();
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
