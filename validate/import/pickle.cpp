#include "validate/import/pickle.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <utility>

#include "sim/core/check.hpp"

namespace memsim::validate {
namespace {

// pickletools of Python has the whole list; these build plain data.
enum Opcode : std::uint8_t {
  mark = '(',
  stop = '.',
  none = 'N',
  new_true = 0x88,
  new_false = 0x89,
  integer_4 = 'J',
  integer_1 = 'K',
  integer_2 = 'M',
  long_1 = 0x8a,
  float_8 = 'G',
  text_4 = 'X',
  text_1 = 0x8c,
  empty_list = ']',
  append = 'a',
  appends = 'e',
  empty_tuple = ')',
  tuple = 't',
  tuple_1 = 0x85,
  tuple_2 = 0x86,
  tuple_3 = 0x87,
  empty_dict = '}',
  set_item = 's',
  set_items = 'u',
  put_1 = 'q',
  put_4 = 'r',
  get_1 = 'h',
  get_4 = 'j',
  memoize = 0x94,
  protocol = 0x80,
  frame = 0x95,
};

constexpr std::size_t most_values = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t integer_bytes = 8;

}  // namespace

// A stack of values, the marks in it, and the memo.
class PickleMachine {
 public:
  explicit PickleMachine(std::string bytes) { pickle_.bytes_ = std::move(bytes); }

  sim::Result<Pickle> run() {
    for (;;) {
      begin_ = at_;
      const auto opcode = number(1);
      if (!opcode) return tl::unexpected(opcode.error());
      if (*opcode == stop) break;
      if (const auto done = execute(static_cast<std::uint8_t>(*opcode)); !done)
        return tl::unexpected(done.error());
    }
    if (stack_.size() != 1 || !marks_.empty()) return wrong("ends with unfinished values");
    pickle_.root_ = stack_.front();
    return std::move(pickle_);
  }

 private:
  using Id = Pickle::Id;
  using Type = Pickle::Type;
  using Done = sim::Result<void>;

  [[nodiscard]] tl::unexpected<sim::Error> wrong(std::string_view what) const {
    return sim::fail(fmt::format("the pickle is damaged at byte {}: it {}", begin_, what));
  }

  Done execute(std::uint8_t opcode) {
    switch (opcode) {
      case protocol:
        return number(1).map([](std::uint64_t) {});
      case frame:
        return number(8).map([](std::uint64_t) {});
      case mark:
        marks_.push_back(stack_.size());
        return {};
      case none:
        return push(Type::none, 0);
      case new_true:
      case new_false:
        return push(Type::boolean, opcode == new_true ? 1 : 0);
      case empty_list:
        return push_container(Type::list);
      case empty_tuple:
        return push_container(Type::tuple);
      case empty_dict:
        return push_container(Type::dict);
      default:
        return execute_number_or_text(opcode);
    }
  }

  Done execute_number_or_text(std::uint8_t opcode) {
    switch (opcode) {
      case integer_1:
        return push_number(1);
      case integer_2:
        return push_number(2);
      case integer_4:
        return number(4).and_then([&](std::uint64_t bits) {
          return push(Type::integer,
                      static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(bits)}));
        });
      case long_1:
        return push_long();
      case float_8:
        return number(8).and_then([&](std::uint64_t bits) { return push(Type::real, bits); });
      case text_1:
        return push_text(1);
      case text_4:
        return push_text(4);
      default:
        return execute_on_stack(opcode);
    }
  }

  Done execute_on_stack(std::uint8_t opcode) {
    switch (opcode) {
      case append:
        return extend(Type::list, 1);
      case set_item:
        return extend(Type::dict, 2);
      case appends:
        return extend_to_mark(Type::list);
      case set_items:
        return extend_to_mark(Type::dict);
      case tuple:
        return make_tuple(since_mark());
      case tuple_1:
        return make_tuple(1);
      case tuple_2:
        return make_tuple(2);
      case tuple_3:
        return make_tuple(3);
      case put_1:
      case put_4:
        return number(opcode == put_1 ? 1 : 4).and_then([&](std::uint64_t key) {
          return remember(key);
        });
      case memoize:
        return remember(memo_.size());
      case get_1:
      case get_4:
        return number(opcode == get_1 ? 1 : 4).and_then([&](std::uint64_t key) {
          return recall(key);
        });
      default:
        return wrong(
            fmt::format("has the opcode 0x{:02x}, which plain data does not need; "
                        "nothing of it is run",
                        opcode));
    }
  }

  // Little-endian.
  sim::Result<std::uint64_t> number(std::size_t width) {
    if (pickle_.bytes_.size() - at_ < width) return wrong("ends early");
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i)
      value |= std::uint64_t{static_cast<std::uint8_t>(pickle_.bytes_[at_ + i])} << (8 * i);
    at_ += width;
    return value;
  }

  Done push_number(std::size_t width) {
    return number(width).and_then([&](std::uint64_t value) { return push(Type::integer, value); });
  }

  // Two's complement of a length of its own.
  Done push_long() {
    const auto width = number(1);
    if (!width) return tl::unexpected(width.error());
    if (*width > integer_bytes) return wrong("has an integer beyond 64 bits");
    const auto bits = number(*width);
    if (!bits) return tl::unexpected(bits.error());
    const std::size_t unused = 64 - 8 * *width;
    const std::int64_t value =
        *width == 0 ? 0 : static_cast<std::int64_t>(*bits << unused) >> unused;
    return push(Type::integer, static_cast<std::uint64_t>(value));
  }

  Done push_text(std::size_t width) {
    const auto length = number(width);
    if (!length) return tl::unexpected(length.error());
    if (pickle_.bytes_.size() - at_ < *length) return wrong("claims a text longer than the rest");
    const std::size_t offset = std::exchange(at_, at_ + *length);
    return push(Type::text, offset, static_cast<std::uint32_t>(*length));
  }

  Done push(Type type, std::uint64_t payload, std::uint32_t length = 0) {
    if (pickle_.values_.size() == most_values) return wrong("has too many values");
    stack_.push_back(Id{static_cast<std::uint32_t>(pickle_.values_.size())});
    pickle_.values_.push_back({payload, length, type});
    return {};
  }
  Done push_container(Type type) {
    const std::size_t index = pickle_.containers_.size();
    pickle_.containers_.emplace_back();
    return push(type, index);
  }

  // Values above the last mark, which goes; nothing if there is none.
  std::optional<std::size_t> since_mark() {
    if (marks_.empty()) return std::nullopt;
    const std::size_t count = stack_.size() - marks_.back();
    marks_.pop_back();
    return count;
  }
  // Whether so many values lie above the last mark.
  [[nodiscard]] bool has(std::size_t count) const {
    return stack_.size() - (marks_.empty() ? 0 : marks_.back()) >= count;
  }

  Done make_tuple(std::optional<std::size_t> count) {
    if (!count || !has(*count)) return wrong("takes more values than there are");
    std::vector<Id> items(stack_.end() - static_cast<std::ptrdiff_t>(*count), stack_.end());
    stack_.resize(stack_.size() - *count);
    return push_container(Type::tuple).map([&] { pickle_.containers_.back() = std::move(items); });
  }

  Done extend_to_mark(Type type) {
    const auto count = since_mark();
    if (!count) return wrong("takes values up to a mark that is not there");
    return extend(type, *count);
  }

  // Moves the uppermost values into the container below them.
  Done extend(Type type, std::size_t count) {
    if (!has(count + 1)) return wrong("takes more values than there are");
    if (type == Type::dict && count % 2 != 0) return wrong("has a key without a value");
    const auto first = stack_.end() - static_cast<std::ptrdiff_t>(count);
    const Pickle::Value& target = pickle_.at(*std::prev(first));
    if (target.type != type) return wrong("puts values into what holds none");
    std::vector<Id>& items = pickle_.containers_[target.payload];
    items.insert(items.end(), first, stack_.end());
    stack_.resize(stack_.size() - count);
    return {};
  }

  // Writers number from 0 on; other numbers are allowed.
  Done remember(std::uint64_t key) {
    if (!has(1)) return wrong("remembers a value that is not there");
    if (key == memo_.size())
      memo_.push_back(stack_.back());
    else if (key < memo_.size())
      memo_[key] = stack_.back();
    else
      far_memo_[key] = stack_.back();
    return {};
  }
  Done recall(std::uint64_t key) {
    const auto far = far_memo_.find(key);
    if (key >= memo_.size() && far == far_memo_.end())
      return wrong("recalls what it did not remember");
    stack_.push_back(key < memo_.size() ? memo_[key] : far->second);
    return {};
  }

  Pickle pickle_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;  // of the opcode at work
  std::vector<Id> stack_;
  std::vector<std::size_t> marks_;        // heights of the stack
  std::vector<Id> memo_;                  // by number
  std::map<std::uint64_t, Id> far_memo_;  // numbers beyond those
};

sim::Result<Pickle> Pickle::read(std::string bytes) {
  return PickleMachine(std::move(bytes)).run();
}

std::int64_t Pickle::integer(Id value) const {
  MEMSIM_CHECK(type(value) == Type::integer || type(value) == Type::boolean, "no integer");
  return static_cast<std::int64_t>(at(value).payload);
}

std::string_view Pickle::text(Id value) const {
  MEMSIM_CHECK(type(value) == Type::text, "no text");
  return std::string_view(bytes_).substr(at(value).payload, at(value).length);
}

const std::vector<Pickle::Id>& Pickle::items(Id value) const {
  MEMSIM_CHECK(type(value) >= Type::list, "no container");
  return containers_[at(value).payload];
}

std::optional<Pickle::Id> Pickle::find(Id dict, std::string_view key) const {
  if (type(dict) != Type::dict) return std::nullopt;
  const std::vector<Id>& all = items(dict);
  for (std::size_t place = all.size(); place >= 2; place -= 2) {
    const Id name = all[place - 2];
    if (type(name) == Type::text && text(name) == key) return all[place - 1];
  }
  return std::nullopt;
}

}  // namespace memsim::validate
