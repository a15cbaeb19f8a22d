#include "scenarios/schema/node.hpp"

#include <algorithm>
#include <utility>

namespace memsim::scenarios {
namespace {

// Null if there is none. Works on constant and on changing entries.
template <class Entries>
auto* find_entry(Entries& entries, std::string_view key) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

bool is_list_of_tables(const Node& node) {
  return node.type == NodeType::list &&
         std::all_of(node.items.begin(), node.items.end(),
                     [](const Node& item) { return item.type == NodeType::table; });
}

}  // namespace

std::string_view name(NodeType type) {
  switch (type) {
    case NodeType::table:
      return "table";
    case NodeType::list:
      return "list";
    case NodeType::text:
      return "string";
    case NodeType::integer:
      return "integer";
    case NodeType::real:
      return "number";
    case NodeType::flag:
      return "true or false";
    case NodeType::date:
      return "date";
    case NodeType::null:
      break;
  }
  return "null";
}

const Node* Node::find(std::string_view key) const {
  const Entry* entry = find_entry(entries, key);
  return entry == nullptr ? nullptr : &entry->value;
}

Node* Node::find(std::string_view key) {
  Entry* entry = find_entry(entries, key);
  return entry == nullptr ? nullptr : &entry->value;
}

Location Node::key_location(std::string_view key) const {
  const Entry* entry = find_entry(entries, key);
  return entry == nullptr ? location : entry->key_location;
}

Location Node::value_location(std::string_view key) const {
  const Entry* entry = find_entry(entries, key);
  return entry == nullptr ? location : entry->value.location;
}

void Node::set(std::string_view key, Location key_location, Node value) {
  erase(key);
  entries.push_back({std::string(key), key_location, std::move(value)});
}

void Node::erase(std::string_view key) {
  std::erase_if(entries, [&](const Entry& entry) { return entry.key == key; });
}

Node merge(Node base, const Node& over) {
  if (over.type == NodeType::table && is_list_of_tables(base)) {
    for (Node& item : base.items) item = merge(std::move(item), over);
    return base;
  }
  if (base.type != NodeType::table || over.type != NodeType::table) return over;
  for (const Entry& entry : over.entries) {
    Entry* below = find_entry(base.entries, entry.key);
    if (below == nullptr) {
      base.entries.push_back(entry);
      continue;
    }
    below->value = merge(std::move(below->value), entry.value);
    // A replaced value is the overlay's: its key is to be found there too.
    const bool replaced = below->value.location == entry.value.location;
    if (replaced) below->key_location = entry.key_location;
  }
  return base;
}

}  // namespace memsim::scenarios
