// A file as a tree: TOML's or JSON's values with the place of every key and value.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

enum class NodeType : std::uint8_t { table, list, text, integer, real, flag, date, null };

std::string_view name(NodeType type);  // "table", "list", "string", "integer", "number", ...

struct Entry;

struct Node {
  NodeType type = NodeType::table;
  Location location;  // of the value; of a table's header or brace; the first line of a root
  std::string text;   // text: its content; other scalars: as written
  std::int64_t integer = 0;
  bool flag = false;
  bool incomplete = false;     // table: a part of it could not be read; absent keys are no fault
  bool without_part = false;   // table: nor those that the part that it names would have
  bool imaginary = false;      // table: of what does not exist; figures that nothing has are meant
  std::vector<Entry> entries;  // table: in the order of the file
  std::vector<Node> items;     // list
  // A value that `merge` laid on top of others: how many layers are below, and what it replaced.
  std::uint32_t layer = 0;
  std::shared_ptr<const Node> replaced;

  [[nodiscard]] bool is_scalar() const { return type != NodeType::table && type != NodeType::list; }
  // The value of a key of this table; null if there is none.
  [[nodiscard]] const Node* find(std::string_view key) const;
  [[nodiscard]] Node* find(std::string_view key);
  // Where the key stands; the table's own place if it has no such key.
  [[nodiscard]] Location key_location(std::string_view key) const;
  // Where the value stands; the table's own place if it has no such key.
  [[nodiscard]] Location value_location(std::string_view key) const;
  // Adds or replaces a value.
  void set(std::string_view key, Location key_location, Node value);
  void erase(std::string_view key);
};

struct Entry {
  std::string key;
  Location key_location;
  Node value;
};

// `over` laid on top of `base`: tables are merged key by key, anything else is replaced. A table
// over a list of tables is laid on top of each of them; one whose key is "gpu[1]" on top of the
// second of the list `gpu` alone, and stays a key of its own if there is none. What `base` has
// keeps its place.
Node merge(Node base, const Node& over);

// One after the other; all of them count as one layer.
Node merge(Node base, std::span<const Node> over);

// The list and the index that a key such as "gpu[1]" names; empty if it is another one.
struct ItemKey {
  std::string_view list;
  std::size_t index = 0;
};
std::optional<ItemKey> item_key(std::string_view key);

}  // namespace memsim::scenarios
