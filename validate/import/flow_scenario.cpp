#include "validate/import/flow_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <utility>

#include "scenarios/schema/json.hpp"
#include "validate/import/json_fields.hpp"

namespace memsim::validate {
namespace {

using scenarios::Diagnostics;
using scenarios::Entry;
using scenarios::Node;
using scenarios::NodeType;

constexpr std::int64_t picoseconds_per_nanosecond = 1000;
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t most_nanoseconds = most / picoseconds_per_nanosecond;

// A whole number, also when written as 5e9 or 5.0, that a 64-bit integer holds.
std::optional<std::int64_t> whole(const Node& value) {
  if (value.type == NodeType::integer) return value.integer;
  if (value.type != NodeType::real) return std::nullopt;
  double read = 0;
  std::from_chars(value.text.data(), value.text.data() + value.text.size(), read);
  constexpr double exact_below = 9007199254740992.0;  // 2^53
  if (!(read > -exact_below && read < exact_below)) return std::nullopt;
  const auto integer = static_cast<std::int64_t>(read);
  if (static_cast<double>(integer) != read) return std::nullopt;
  return integer;
}

// Turns the tree into a scenario and tells what is wrong with it.
class Reader {
 public:
  explicit Reader(Diagnostics& diagnostics) : diagnostics_(&diagnostics) {}

  FlowScenario read(const Node& root) {
    FlowScenario scenario;
    JsonFields fields(root, "", *diagnostics_);
    for_each(fields, "links", [&](const Node& value, const std::string& place) {
      scenario.links.push_back(read_link(value, place));
    });
    for_each(fields, "flows", [&](const Node& value, const std::string& place) {
      scenario.flows.push_back(
          read_flow(value, place, scenario.links.size(), scenario.flows.size()));
    });
    check_keys(fields);
    return scenario;
  }

 private:
  FlowScenario::Link read_link(const Node& value, const std::string& place) {
    if (!check_object(value, place)) return {};
    JsonFields fields(value, place, *diagnostics_);
    const std::int64_t bandwidth = number(fields, "bandwidth_Bps", 1, most);
    const std::int64_t latency = number(fields, "latency_ns", 0, most_nanoseconds);
    check_keys(fields);
    return {sim::Bandwidth(bandwidth), sim::Duration(latency * picoseconds_per_nanosecond)};
  }

  FlowScenario::Flow read_flow(const Node& value, const std::string& place, std::size_t links,
                               std::size_t earlier_flows) {
    FlowScenario::Flow flow;
    if (!check_object(value, place)) return flow;
    JsonFields fields(value, place, *diagnostics_);
    flow.start =
        sim::Time(number(fields, "start_ns", 0, most_nanoseconds) * picoseconds_per_nanosecond);
    flow.bytes = sim::Bytes(number(fields, "bytes", 0, most));
    const Node* const crossed = value.find("links");
    if (crossed != nullptr && crossed->type == NodeType::list && crossed->items.empty())
      report("E124", *crossed, place + ".links is empty", "a flow needs at least one link");
    flow.links = indexes(fields, "links", links, "links");
    if (fields.find("after") != nullptr)
      flow.after = indexes(fields, "after", earlier_flows, "earlier flows");
    check_keys(fields);
    return flow;
  }

  // Reads the list of indexes below `count` under `key`.
  std::vector<std::uint32_t> indexes(JsonFields& fields, const char* key, std::size_t count,
                                     const std::string& of) {
    std::vector<std::uint32_t> read;
    ++list_number_;
    if (listed_in_.size() < count) listed_in_.resize(count, 0);
    for_each(fields, key, [&](const Node& value, const std::string& at) {
      const std::optional<std::int64_t> index = whole(value);
      if (!index || *index < 0 || static_cast<std::uint64_t>(*index) >= count)
        return report("E140", value,
                      fmt::format("{}: {} is none of the {} {}", at, describe(value), count, of),
                      "");
      std::size_t& list = listed_in_[static_cast<std::size_t>(*index)];
      if (std::exchange(list, list_number_) == list_number_)
        return report("E142", value, fmt::format("{}: {} is listed twice", at, *index), "");
      read.push_back(static_cast<std::uint32_t>(*index));
    });
    return read;
  }

  std::int64_t number(JsonFields& fields, const char* key, std::int64_t least,
                      std::int64_t greatest) {
    const Node* const value = fields.require(key);
    if (value == nullptr) return least;
    const std::optional<std::int64_t> read = whole(*value);
    if (read && *read >= least && *read <= greatest) return *read;
    const bool numeric = value->type == NodeType::integer || value->type == NodeType::real;
    report(numeric ? "E124" : "E106", *value,
           fmt::format("{} is {}", fields.path(key), describe(*value)),
           fmt::format("expected a whole number from {} to {}", least, greatest));
    return least;
  }

  template <class Action>
  void for_each(JsonFields& fields, const char* key, Action action) {
    if (fields.require(key) == nullptr) return;
    const Node* const list = fields.list(key);
    if (list == nullptr) return;
    for (std::size_t i = 0; i < list->items.size(); ++i)
      action(list->items[i], fmt::format("{}[{}]", fields.path(key), i));
  }

  bool check_object(const Node& value, const std::string& place) {
    if (value.type != NodeType::table) report_type(value, place, "an object", *diagnostics_);
    return value.type == NodeType::table;
  }

  static void check_keys(JsonFields& fields) {
    for (const Entry* entry : fields.unknown())
      if (entry->value.type != NodeType::text) fields.report_unknown(*entry, "");
  }

  void report(const char* code, const Node& at, std::string message, std::string expected) {
    diagnostics_->add({.code = code,
                       .location = at.location,
                       .message = std::move(message),
                       .label = std::move(expected),
                       .notes = {},
                       .help = "",
                       .suggestion = ""});
  }

  Diagnostics* diagnostics_;
  std::vector<std::size_t> listed_in_;  // by index: the last list that named it
  std::size_t list_number_ = 0;
};

}  // namespace

std::optional<FlowScenario> parse_flow_scenario(const scenarios::SourceFile& file,
                                                Diagnostics& diagnostics) {
  const std::optional<Node> root = scenarios::parse_json(file, diagnostics);
  if (!root) return std::nullopt;
  if (root->type != NodeType::table) {
    report_type(*root, "the file", "an object with links and flows", diagnostics);
    return std::nullopt;
  }
  FlowScenario scenario = Reader(diagnostics).read(*root);
  if (diagnostics.has_errors()) return std::nullopt;
  return scenario;
}

}  // namespace memsim::validate
