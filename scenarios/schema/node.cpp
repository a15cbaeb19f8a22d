#include "scenarios/schema/node.hpp"

#include <algorithm>
#include <charconv>
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

// The item of a list of `base` that a key such as "gpu[1]" names; null if there is none.
Node* find_item(Node& base, std::string_view key) {
  const std::optional<ItemKey> wanted = item_key(key);
  Node* list = wanted ? base.find(wanted->list) : nullptr;
  if (list == nullptr || list->type != NodeType::list) return nullptr;
  return wanted->index < list->items.size() ? &list->items[wanted->index] : nullptr;
}

std::uint32_t highest_layer(const Node& node) {
  std::uint32_t highest = node.layer;
  for (const Entry& entry : node.entries) highest = std::max(highest, highest_layer(entry.value));
  for (const Node& item : node.items) highest = std::max(highest, highest_layer(item));
  return highest;
}

void raise(Node& node, std::uint32_t layers) {
  node.layer += layers;
  if (node.replaced != nullptr) {
    Node below = *node.replaced;
    raise(below, layers);
    node.replaced = std::make_shared<const Node>(std::move(below));
  }
  for (Entry& entry : node.entries) raise(entry.value, layers);
  for (Node& item : node.items) raise(item, layers);
}

Node raised(Node node, std::uint32_t layers) {
  raise(node, layers);
  return node;
}

// `base` becomes the lowest of what `top` replaced.
void put_below(Node& top, Node base) {
  if (top.replaced != nullptr) {
    Node next = *top.replaced;
    put_below(next, std::move(base));
    base = std::move(next);
  }
  top.replaced = std::make_shared<const Node>(std::move(base));
}

Node lay(Node base, const Node& over, std::uint32_t layer);

void lay_entry(Node& base, const Entry& over, std::uint32_t layer) {
  if (Node* item = find_item(base, over.key); item != nullptr) {
    *item = lay(std::move(*item), over.value, layer);
    return;
  }
  Entry* below = find_entry(base.entries, over.key);
  if (below == nullptr) {
    base.entries.push_back({over.key, over.key_location, raised(over.value, layer)});
    return;
  }
  below->value = lay(std::move(below->value), over.value, layer);
  // A replaced value is the overlay's: its key is to be found there too.
  const bool replaced = below->value.location == over.value.location;
  if (replaced) below->key_location = over.key_location;
}

Node lay(Node base, const Node& over, std::uint32_t layer) {
  if (over.type == NodeType::table && is_list_of_tables(base)) {
    for (Node& item : base.items) item = lay(std::move(item), over, layer);
    return base;
  }
  if (base.type == NodeType::table && over.type == NodeType::table) {
    for (const Entry& entry : over.entries) lay_entry(base, entry, layer);
    base.incomplete = base.incomplete || over.incomplete;
    base.without_part = base.without_part || over.without_part;
    base.imaginary = base.imaginary || over.imaginary;
    return base;
  }
  Node top = raised(over, layer);
  if (base.is_scalar()) put_below(top, std::move(base));
  return top;
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

std::optional<ItemKey> item_key(std::string_view key) {
  const std::size_t open = key.find('[');
  if (open == std::string_view::npos || open == 0 || key.back() != ']') return std::nullopt;
  ItemKey result{key.substr(0, open), 0};
  const char* end = key.data() + key.size() - 1;
  const auto read = std::from_chars(key.data() + open + 1, end, result.index);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return result;
}

Node merge(Node base, const Node& over) { return merge(std::move(base), std::span(&over, 1)); }

Node merge(Node base, std::span<const Node> over) {
  const std::uint32_t layer = highest_layer(base) + 1;
  for (const Node& each : over) base = lay(std::move(base), each, layer);
  return base;
}

}  // namespace memsim::scenarios
