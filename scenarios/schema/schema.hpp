// The description of a kind of settings table: each key once, with its type, unit, range, default
// and help. One description serves reading, diagnostics, `show` and editors' completion.
//
//   const Schema<LinkSpec>& link_schema() {
//     static const Schema<LinkSpec> schema =
//         Schema<LinkSpec>("link")
//             .field("bandwidth", &LinkSpec::bandwidth, {.help = "per direction", .required =
//             true}) .field("latency", &LinkSpec::latency, {.help = "...", .fallback = "1 us"});
//     return schema;
//   }
//
// The type of a member decides what its key accepts: sim::Bytes, sim::Bandwidth, sim::Duration and
// OperationRate take a string with a unit; Fraction a number; std::int64_t an integer; bool true or
// false; std::string a string. std::optional of these: the key may be absent. An access may also be
// a function from the record to the member.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/machine/units.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/quantity.hpp"
#include "sim/core/units.hpp"

namespace memsim::scenarios {

enum class FieldType : std::uint8_t {
  text,
  flag,
  count,
  fraction,
  quantity,
  choice,  // one of `words`
  table,
  list,  // of tables
};

// In the integer unit of a field's type.
struct Range {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();

  friend bool operator==(const Range&, const Range&) = default;
};

// What is allowed for one key beside its type.
struct FieldRules {
  std::string_view help = {};  // meaning, one sentence
  bool required = false;
  // Taken when the key is absent, as written in a file.
  std::optional<std::string_view> fallback = {};
  std::string_view same_as = {};               // or: another key of the same table
  std::string_view example = {};               // a typical value, as written in a file
  std::vector<std::string_view> aliases = {};  // words that people write instead
  // In the integer unit of the type; of a string its characters, of a list its entries.
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  // Values outside are possible, but a warning asks whether they are meant. A 0 that is allowed
  // says "none" and is never asked about.
  Range usual = {};
  bool in_bits = false;        // of a bandwidth: it is sold in bits per second
  std::string_view each = {};  // what there are several of in a node ("GPU"): the value is of one
  // Another key of the table that this value was stated for: where a layer above replaces that one
  // alone, this one changes with it, in proportion.
  std::string_view follows = {};
  // Another key of the table that rules where it is stated: replacing this one alone changes
  // nothing, and a warning says so.
  std::string_view ruled_by = {};
};

// Of what people call things.
inline constexpr std::int64_t longest_name = 64;

// Rules of a share of something: at least a thousandth, at most 1.
FieldRules share_rules(std::string_view help, std::string_view fallback);

class TableSchema;

// A value that was read, whatever its type.
struct Scalar {
  std::int64_t integer = 0;  // quantity, count, fraction (parts per million), flag, choice
  std::string text;          // text
};

struct Field {
  std::string key;
  FieldType type = FieldType::text;
  Dimension dimension = Dimension::bytes;  // quantity
  FieldRules rules;
  bool optional = false;                            // may be absent and then stays empty
  std::vector<std::string_view> words;              // choice
  const TableSchema* schema = nullptr;              // table, list; outlives the field
  bool of_part = false;                             // of an included kind: a part's file has it too
  std::function<void(void*, const Scalar&)> store;  // scalars: into the record
  std::function<void*(void*)> child;                // table: the nested record; list: a new one
};

// A table's description without the type of its record.
class TableSchema {
 public:
  // Compares values of a record; `table` tells their places. It looks whenever all the keys that it
  // reads were read, whatever else is wrong.
  struct Check {
    // Paths below the table: "memory.usable", "socket" (the list, not what is in it),
    // "efficiency[*]" (the list and all of its entries).
    std::vector<std::string> keys;
    std::function<void(const void*, const Node&, Diagnostics&)> look;
  };

  // `title` follows "not a key of": "a GPU", "a link".
  explicit TableSchema(std::string title) : title_(std::move(title)) {}

  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }
  [[nodiscard]] const std::vector<std::string>& shorthand() const { return shorthand_; }
  [[nodiscard]] const std::vector<Check>& checks() const { return checks_; }
  [[nodiscard]] const Field* find(std::string_view key) const;
  // A key without which no table of this kind can be read.
  [[nodiscard]] bool needs_a_key() const;

 protected:
  // Throws InternalError if the key is taken.
  void add(Field field);

  std::string title_;
  std::vector<Field> fields_;
  std::vector<std::string> shorthand_;
  std::vector<Check> checks_;
};

namespace schema_detail {

template <class T>
struct Unwrapped {
  using Type = T;
  static constexpr bool optional = false;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using Type = T;
  static constexpr bool optional = true;
};

template <class T>
constexpr bool is_quantity =
    std::is_same_v<T, sim::Bytes> || std::is_same_v<T, sim::Bandwidth> ||
    std::is_same_v<T, sim::Duration> || std::is_same_v<T, models::OperationRate>;

template <class T>
constexpr FieldType field_type() {
  if constexpr (std::is_same_v<T, std::string>) {
    return FieldType::text;
  } else if constexpr (std::is_same_v<T, bool>) {
    return FieldType::flag;
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return FieldType::count;
  } else if constexpr (std::is_same_v<T, models::Fraction>) {
    return FieldType::fraction;
  } else {
    static_assert(is_quantity<T>, "no settings type for this member");
    return FieldType::quantity;
  }
}

template <class T>
constexpr Dimension dimension() {
  if (std::is_same_v<T, sim::Bandwidth>) return Dimension::bandwidth;
  if (std::is_same_v<T, sim::Duration>) return Dimension::duration;
  if (std::is_same_v<T, models::OperationRate>) return Dimension::operation_rate;
  return Dimension::bytes;
}

template <class T>
T from_scalar(const Scalar& scalar) {
  if constexpr (std::is_same_v<T, std::string>) {
    return scalar.text;
  } else if constexpr (std::is_same_v<T, bool>) {
    return scalar.integer != 0;
  } else {
    return T(scalar.integer);
  }
}

}  // namespace schema_detail

template <class Record>
class Schema : public TableSchema {
 public:
  using TableSchema::TableSchema;

  template <class Access>
  Schema& field(std::string_view key, Access access, FieldRules rules) {
    using Member = std::remove_reference_t<std::invoke_result_t<Access, Record&>>;
    using Unwrapped = schema_detail::Unwrapped<Member>;
    using Value = typename Unwrapped::Type;
    Field field;
    field.key = key;
    field.type = schema_detail::field_type<Value>();
    field.dimension = schema_detail::dimension<Value>();
    field.rules = std::move(rules);
    field.optional = Unwrapped::optional;
    field.store = [access](void* record, const Scalar& scalar) {
      std::invoke(access, *static_cast<Record*>(record)) =
          schema_detail::from_scalar<Value>(scalar);
    };
    add(std::move(field));
    return *this;
  }

  // A word that stands for an enumerator; `words` in the order in which they are listed to people.
  template <class Access,
            class Enum = std::remove_reference_t<std::invoke_result_t<Access, Record&>>>
  Schema& choice(std::string_view key, Access access,
                 const std::vector<std::pair<std::string_view, std::type_identity_t<Enum>>>& words,
                 FieldRules rules) {
    Field field;
    field.key = key;
    field.type = FieldType::choice;
    field.rules = std::move(rules);
    for (const auto& [word, value] : words) field.words.push_back(word);
    field.store = [access, words](void* record, const Scalar& scalar) {
      std::invoke(access, *static_cast<Record*>(record)) =
          words[static_cast<std::size_t>(scalar.integer)].second;
    };
    add(std::move(field));
    return *this;
  }

  template <class Access, class Child>
  Schema& table(std::string_view key, Access access, const Schema<Child>& child, FieldRules rules) {
    Field field;
    field.key = key;
    field.type = FieldType::table;
    field.rules = std::move(rules);
    field.schema = &child;
    field.child = [access](void* record) -> void* {
      return &std::invoke(access, *static_cast<Record*>(record));
    };
    add(std::move(field));
    return *this;
  }

  // A list of tables; the member is a std::vector or std::deque of Child.
  template <class Access, class Child>
  Schema& list(std::string_view key, Access access, const Schema<Child>& child, FieldRules rules) {
    Field field;
    field.key = key;
    field.type = FieldType::list;
    field.rules = std::move(rules);
    field.schema = &child;
    field.child = [access](void* record) -> void* {
      return &std::invoke(access, *static_cast<Record*>(record)).emplace_back();
    };
    add(std::move(field));
    return *this;
  }

  // All keys and checks of another kind are keys and checks of this one too.
  template <class Access, class Part>
  Schema& include(Access access, const Schema<Part>& part) {
    const auto inner = [access](void* record) -> void* {
      return &std::invoke(access, *static_cast<Record*>(record));
    };
    for (Field field : part.fields()) {
      if (field.store) {
        field.store = [inner, store = field.store](void* record, const Scalar& scalar) {
          store(inner(record), scalar);
        };
      }
      if (field.child) {
        field.child = [inner, child = field.child](void* record) { return child(inner(record)); };
      }
      field.of_part = true;
      add(std::move(field));
    }
    for (const Check& check : part.checks()) {
      checks_.push_back(
          {check.keys, [access, look = check.look](const void* record, const Node& table,
                                                   Diagnostics& diagnostics) {
             look(&std::invoke(access, *static_cast<const Record*>(record)), table, diagnostics);
           }});
    }
    return *this;
  }

  // A scalar in place of the table sets these keys: `achieved = 0.8`.
  Schema& shorthand(std::vector<std::string> keys) {
    shorthand_ = std::move(keys);
    return *this;
  }

  // `keys` are those that `look` reads, as in TableSchema::Check.
  Schema& check(void (*look)(const Record&, const Node&, Diagnostics&),
                std::vector<std::string> keys) {
    checks_.push_back(
        {std::move(keys), [look](const void* record, const Node& table, Diagnostics& diagnostics) {
           look(*static_cast<const Record*>(record), table, diagnostics);
         }});
    return *this;
  }
};

}  // namespace memsim::scenarios
