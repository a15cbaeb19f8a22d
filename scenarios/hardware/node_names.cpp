#include "scenarios/hardware/node_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace memsim::scenarios {
namespace {

constexpr std::string_view digits = "0123456789";

std::optional<std::uint32_t> to_index(std::string_view text) {
  std::uint32_t value = 0;
  const char* begin = text.data();
  const char* end = begin + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

struct Selection {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// "*", "3" or "0..3" among `count` nodes; empty if it is none of these.
std::optional<Selection> to_selection(std::string_view text, std::uint32_t count) {
  if (text == "*") return Selection{0, count - 1};
  const std::size_t dots = text.find("..");
  const bool range = dots != std::string_view::npos;
  const std::optional<std::uint32_t> first = to_index(text.substr(0, dots));
  const std::optional<std::uint32_t> last = range ? to_index(text.substr(dots + 2)) : first;
  if (!first || !last || *last < *first) return std::nullopt;
  return Selection{*first, *last};
}

}  // namespace

bool NodeGroup::brackets() const {
  return kind == models::NodeKind::fabric || digits.find(id.back()) != std::string_view::npos;
}

std::string NodeGroup::name(std::uint32_t index) const {
  if (!brackets()) return fmt::format("{}{}", id, index);
  return count == 1 ? id : fmt::format("{}[{}]", id, index);
}

std::string NodeGroup::range() const {
  if (count == 1) return name(0);
  return brackets() ? fmt::format("{}[0..{}]", id, count - 1)
                    : fmt::format("{}..{}", name(0), name(count - 1));
}

bool NodeNames::add(NodeGroup group_to_add) {
  if (group(group_to_add.id) != nullptr) return false;
  groups_.push_back(std::move(group_to_add));
  return true;
}

const NodeGroup* NodeNames::group(std::string_view id) const {
  const auto found =
      std::find_if(groups_.begin(), groups_.end(), [&](const NodeGroup& g) { return g.id == id; });
  return found == groups_.end() ? nullptr : &*found;
}

NamedNodes NodeNames::find(std::string_view pattern) const {
  const std::size_t open = pattern.find('[');
  const bool selects = open != std::string_view::npos;
  if (selects && pattern.back() != ']') return {NameFault::malformed, {}};
  const NodeGroup* named = group(pattern.substr(0, open));
  std::string_view selection =
      selects ? pattern.substr(open + 1, pattern.size() - open - 2) : std::string_view("*");
  if (!selects && named == nullptr) {
    // "gpu3": an id and an index behind it.
    const std::size_t last = pattern.find_last_not_of(digits);
    const std::size_t split = last == std::string_view::npos ? 0 : last + 1;
    named = group(pattern.substr(0, split));
    selection = pattern.substr(split);
    if (selection.empty()) named = nullptr;
  } else if (!selects && named->count > 1) {
    return {NameFault::which_one, {}};
  }
  if (named == nullptr) return {NameFault::undefined, {}};
  const std::optional<Selection> chosen = to_selection(selection, named->count);
  if (!chosen) return {NameFault::malformed, {}};
  if (chosen->last >= named->count) return {NameFault::undefined, {}};

  NamedNodes result;
  for (std::uint32_t i = chosen->first; i <= chosen->last; ++i) {
    result.nodes.push_back({named->kind, named->first + i});
  }
  return result;
}

std::string NodeNames::all() const {
  std::string text;
  for (const NodeGroup& group : groups_) text += (text.empty() ? "" : ", ") + group.range();
  return text;
}

}  // namespace memsim::scenarios
