#include "validate/import/flow_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace memsim::validate {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t picoseconds_per_nanosecond = 1000;
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t most_nanoseconds = most / picoseconds_per_nanosecond;

std::string element(const std::string& list, std::size_t index) {
  return fmt::format("{}[{}]", list, index);
}

// A value in a message. Lists and objects, which may be deep, are only named.
std::string show(const Json& value) {
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  constexpr std::size_t longest = 40;
  const std::string text = value.dump();
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

// "[json.exception...] parse error at line 1, column 5: what" -> where and what.
Problem describe(const Json::exception& error) {
  const std::string text = error.what();
  const std::string marker = "parse error at ";
  const std::size_t start = text.find(marker);
  const std::size_t colon = text.find(": ", start);
  if (start == std::string::npos || colon == std::string::npos) return {"", text};
  const std::size_t from = start + marker.size();
  return {text.substr(from, colon - from), "not JSON: " + text.substr(colon + 2)};
}

// Follows the parser and notes what the document would pass over in silence: a key that occurs
// twice in one object, where the document keeps the last.
class Grammar : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return scalar(); }
  bool boolean(bool) override { return scalar(); }
  bool number_integer(std::int64_t) override { return scalar(); }
  bool number_unsigned(std::uint64_t) override { return scalar(); }
  bool number_float(double, const std::string&) override { return scalar(); }
  bool string(std::string&) override { return scalar(); }
  bool binary(Json::binary_t&) override { return scalar(); }
  bool start_object(std::size_t) override { return open(true); }
  bool start_array(std::size_t) override { return open(false); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    Level& level = open_.back();
    if (std::find(level.keys.begin(), level.keys.end(), name) != level.keys.end())
      problems_.push_back({place_of(open_.size()) + name, "the key occurs twice in one object"});
    level.keys.push_back(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception& error) override {
    problems_.push_back(describe(error));
    return false;
  }
  [[nodiscard]] std::vector<Problem>& problems() { return problems_; }

 private:
  struct Level {
    bool object;
    std::vector<std::string> keys;  // of an object: so far
    std::size_t elements = 0;       // of a list: so far
  };

  bool scalar() {
    if (!open_.empty()) ++open_.back().elements;
    return true;
  }
  bool open(bool object) {
    open_.push_back({object, {}, 0});
    return true;
  }
  bool close() {
    open_.pop_back();
    return scalar();
  }
  // "flows[3]." for a key inside the fourth flow.
  [[nodiscard]] std::string place_of(std::size_t depth) const {
    std::string place;
    for (std::size_t i = 0; i + 1 < depth; ++i) {
      const Level& level = open_[i];
      if (!level.object)
        place += fmt::format("[{}]", level.elements);
      else
        place += (place.empty() ? "" : ".") + level.keys.back();
    }
    return place.empty() ? place : place + ".";
  }

  std::vector<Level> open_;
  std::vector<Problem> problems_;
};

// Turns the document into a scenario and collects what is wrong with it.
class Reader {
 public:
  tl::expected<FlowScenario, std::vector<Problem>> read(const Json& document) {
    FlowScenario scenario;
    if (!document.is_object()) {
      report("", "the file must hold an object with links and flows");
      return tl::unexpected(std::move(problems_));
    }
    check_keys(document, "", {"links", "flows"});
    for_each(document, "", "links", [&](const Json& value, const std::string& place) {
      scenario.links.push_back(read_link(value, place));
    });
    for_each(document, "", "flows", [&](const Json& value, const std::string& place) {
      scenario.flows.push_back(
          read_flow(value, place, scenario.links.size(), scenario.flows.size()));
    });
    if (!problems_.empty()) return tl::unexpected(std::move(problems_));
    return scenario;
  }

 private:
  FlowScenario::Link read_link(const Json& value, const std::string& place) {
    if (!check_object(value, place)) return {};
    check_keys(value, place, {"bandwidth_Bps", "latency_ns"});
    return {sim::Bandwidth(number(value, place, "bandwidth_Bps", 1, most)),
            sim::Duration(number(value, place, "latency_ns", 0, most_nanoseconds) *
                          picoseconds_per_nanosecond)};
  }

  FlowScenario::Flow read_flow(const Json& value, const std::string& place, std::size_t links,
                               std::size_t earlier_flows) {
    FlowScenario::Flow flow;
    if (!check_object(value, place)) return flow;
    check_keys(value, place, {"start_ns", "bytes", "links", "after"});
    flow.start = sim::Time(number(value, place, "start_ns", 0, most_nanoseconds) *
                           picoseconds_per_nanosecond);
    flow.bytes = sim::Bytes(number(value, place, "bytes", 0, most));
    flow.links = indexes(value, place, "links", links, "links");
    if (flow.links.empty() && value.contains("links"))
      report(place + ".links", "a flow needs at least one link");
    if (value.contains("after"))
      flow.after = indexes(value, place, "after", earlier_flows, "earlier flows");
    return flow;
  }

  // Reads the list of indexes below `count` under `key`.
  std::vector<std::uint32_t> indexes(const Json& object, const std::string& place, const char* key,
                                     std::size_t count, const std::string& of) {
    std::vector<std::uint32_t> read;
    ++list_number_;
    if (listed_in_.size() < count) listed_in_.resize(count, 0);
    for_each(object, place, key, [&](const Json& value, const std::string& at) {
      std::int64_t index = 0;
      if (!whole(value, index) || index < 0 || static_cast<std::uint64_t>(index) >= count)
        return report(at, fmt::format("{} is none of the {} {}", show(value), count, of));
      std::size_t& list = listed_in_[static_cast<std::size_t>(index)];
      if (std::exchange(list, list_number_) == list_number_)
        return report(at, show(value) + " is listed twice");
      read.push_back(static_cast<std::uint32_t>(index));
    });
    return read;
  }

  // A whole number, also when written as 5e9 or 5.0, that a 64-bit integer holds.
  static bool whole(const Json& value, std::int64_t& out) {
    if (value.is_number_unsigned()) {
      const auto read = value.get<std::uint64_t>();
      out = static_cast<std::int64_t>(read);
      return read <= static_cast<std::uint64_t>(most);
    }
    if (value.is_number_integer()) {
      out = value.get<std::int64_t>();
      return true;
    }
    if (!value.is_number_float()) return false;
    const auto read = value.get<double>();
    constexpr double exact_below = 9007199254740992.0;  // 2^53
    if (!(read > -exact_below && read < exact_below)) return false;
    out = static_cast<std::int64_t>(read);
    return static_cast<double>(out) == read;
  }

  std::int64_t number(const Json& object, const std::string& place, const char* key,
                      std::int64_t least, std::int64_t greatest) {
    const auto found = object.find(key);
    const std::string at = place + "." + key;
    if (found == object.end()) {
      report(at, "is missing");
      return least;
    }
    std::int64_t value = 0;
    if (!whole(*found, value) || value < least || value > greatest) {
      report(at,
             fmt::format("{} is not a whole number from {} to {}", show(*found), least, greatest));
      return least;
    }
    return value;
  }

  template <class Action>
  void for_each(const Json& object, const std::string& place, const char* key, Action action) {
    const std::string list = (place.empty() ? "" : place + ".") + key;
    const auto found = object.find(key);
    if (found == object.end()) return report(list, "is missing");
    if (!found->is_array()) return report(list, "must be a list");
    std::size_t index = 0;
    for (const Json& item : *found) action(item, element(list, index++));
  }

  bool check_object(const Json& value, const std::string& place) {
    if (!value.is_object()) report(place, "must be an object");
    return value.is_object();
  }

  void check_keys(const Json& object, const std::string& place,
                  std::initializer_list<std::string_view> known) {
    for (const auto& [key, value] : object.items())
      if (std::find(known.begin(), known.end(), key) == known.end() && !value.is_string())
        report((place.empty() ? "" : place + ".") + key, "unknown key");
  }

  void report(const std::string& place, const std::string& reason) {
    problems_.push_back({place, reason});
  }

  std::vector<Problem> problems_;
  std::vector<std::size_t> listed_in_;  // by index: the last list that named it
  std::size_t list_number_ = 0;
};

}  // namespace

tl::expected<FlowScenario, std::vector<Problem>> parse_flow_scenario(std::string_view text) {
  Grammar grammar;
  Json::sax_parse(text, &grammar);
  if (!grammar.problems().empty()) return tl::unexpected(std::move(grammar.problems()));
  return Reader().read(Json::parse(text));
}

}  // namespace memsim::validate
