#include "scenarios/schema/faults.hpp"

#include <algorithm>
#include <utility>

namespace memsim::scenarios {
namespace {

constexpr std::string_view all_entries = "[*]";

// Whether `inner` is `outer` or lies below it.
bool is_within(std::string_view inner, std::string_view outer) {
  if (!inner.starts_with(outer)) return false;
  return outer.empty() || inner.size() == outer.size() || inner[outer.size()] == '.' ||
         inner[outer.size()] == '[';
}

}  // namespace

void Faults::add(std::string path) { paths_.push_back(std::move(path)); }

bool Faults::hide(std::string_view path) const {
  const bool entries = path.ends_with(all_entries);
  if (entries) path.remove_suffix(all_entries.size());
  return std::ranges::any_of(paths_, [&](const std::string& fault) {
    return is_within(path, fault) || (entries && is_within(fault, path));
  });
}

}  // namespace memsim::scenarios
