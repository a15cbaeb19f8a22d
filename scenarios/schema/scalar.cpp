#include "scenarios/schema/scalar.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <system_error>

#include "scenarios/schema/display.hpp"
#include "scenarios/schema/plausibility.hpp"
#include "scenarios/schema/spelling.hpp"

namespace memsim::scenarios {
namespace {

std::string quoted(std::string_view text) { return fmt::format("\"{}\"", text); }

std::string_view noun(Dimension dimension) {
  constexpr std::array<std::string_view, 4> nouns{"size", "bandwidth", "time", "rate"};
  return nouns[static_cast<std::size_t>(dimension)];
}

class ScalarReader {
 public:
  ScalarReader(const Field& field, const Node& node, bool imaginary, Diagnostics& diagnostics)
      : field_(field), node_(node), imaginary_(imaginary), diagnostics_(diagnostics) {}

  std::optional<Scalar> read() {
    switch (field_.type) {
      case FieldType::text:
        return text();
      case FieldType::flag:
        if (node_.type == NodeType::flag) return Scalar{node_.flag ? 1 : 0, ""};
        return wrong_type("true or false", "remove the quotes");
      case FieldType::count:
        if (node_.type == NodeType::integer) return in_range(node_.integer);
        if (is_beyond_64_bits()) return out_of_range("beyond what 64 bits can count");
        return wrong_type("an integer", "remove the quotes");
      case FieldType::fraction:
        return fraction();
      case FieldType::quantity:
        return quantity();
      case FieldType::choice:
        return choice();
      case FieldType::table:
      case FieldType::list:
        break;
    }
    MEMSIM_CHECK(false, "a table read as a scalar: " + field_.key);
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::string assignment() const { return scenarios::assignment(field_, node_); }

  std::nullopt_t report(std::string_view code, std::string message, std::string label,
                        std::string suggestion = "", std::string help = "") {
    diagnostics_.add({.code = std::string(code),
                      .location = node_.location,
                      .message = std::move(message),
                      .label = std::move(label),
                      .notes = {},
                      .help = std::move(help),
                      .suggestion = std::move(suggestion)});
    return std::nullopt;
  }

  // `advice` is for a string that looks like what was expected, or a number that should be one.
  std::nullopt_t wrong_type(std::string_view expected, std::string_view advice) {
    std::string found = fmt::format("expected {}, found {}", expected, name(node_.type));
    if (node_.type == NodeType::text) found += fmt::format(" {}", quoted(shortened(node_.text)));
    const bool text_wanted = field_.type == FieldType::text || field_.type == FieldType::choice;
    const bool advised = node_.is_scalar() && (text_wanted || looks_like_a_value());
    if (advised) found += fmt::format(": {}", advice);
    return report("E106", fmt::format("`{}` has the wrong type", field_.key), found,
                  !advised      ? ""
                  : text_wanted ? quoted(node_.text)
                                : node_.text);
  }

  [[nodiscard]] bool looks_like_a_value() const {
    if (node_.type != NodeType::text) return false;
    if (field_.type == FieldType::flag) return node_.text == "true" || node_.text == "false";
    const bool digits =
        !node_.text.empty() && node_.text.find_first_not_of("0123456789.") == std::string::npos;
    return digits &&
           (field_.type == FieldType::fraction || node_.text.find('.') == std::string::npos);
  }

  // Digits that are no integer of TOML, as they come from a command line.
  [[nodiscard]] bool is_beyond_64_bits() const {
    std::int64_t value = 0;
    const char* const end = node_.text.data() + node_.text.size();
    const auto [stop, error] = std::from_chars(node_.text.data(), end, value);
    return node_.type == NodeType::text && error == std::errc::result_out_of_range && stop == end;
  }

  std::optional<Scalar> text() {
    if (node_.type != NodeType::text) return wrong_type("a string", "put it in quotes");
    if (printable(node_.text) != node_.text) {
      return report("E124", assignment() + " cannot be shown", "expected no control characters");
    }
    if (character_count(node_.text) > field_.rules.most) {
      return report("E124", assignment() + " is too long",
                    fmt::format("expected at most {} characters", field_.rules.most));
    }
    return Scalar{0, node_.text};
  }

  std::optional<Scalar> in_range(std::int64_t value) {
    const FieldRules& rules = field_.rules;
    if (value >= rules.least && value <= rules.most) {
      std::optional<Diagnostic> asked;
      if (!imaginary_) asked = doubt(field_, node_, value);
      const bool refused = asked && asked->severity() == Severity::error;
      if (asked) diagnostics_.add(*std::move(asked));
      return refused ? std::nullopt : std::optional(Scalar{value, ""});
    }
    const bool open = rules.most == std::numeric_limits<std::int64_t>::max();
    const std::string least = format_value(field_, rules.least);
    return out_of_range(
        open ? fmt::format("expected at least {}", least)
             : fmt::format("expected {} to {}", least, format_value(field_, rules.most)));
  }

  std::nullopt_t out_of_range(std::string label) {
    const std::string meant = probably_meant(field_, node_);
    return report("E124", assignment() + " is out of range", std::move(label), meant,
                  meant.empty() ? "" : fmt::format("did you mean {}?", meant));
  }

  std::optional<Scalar> fraction() {
    if (node_.type != NodeType::integer && node_.type != NodeType::real) {
      return wrong_type("a number", "remove the quotes");
    }
    const std::optional<std::int64_t> value = parse_fraction(node_.text);
    if (!value) return out_of_range("expected a plain decimal number");
    return in_range(*value);
  }

  std::optional<Scalar> quantity() {
    if (node_.type == NodeType::integer || node_.type == NodeType::real) return no_unit();
    if (node_.type != NodeType::text) {
      return wrong_type(fmt::format("a {} string", noun(field_.dimension)), "");
    }
    const auto value = parse_quantity(node_.text, field_.dimension);
    if (value) return in_range(*value);
    const QuantityError& error = value.error();
    const std::string examples =
        quantity_examples(number(), field_.dimension, field_.rules.in_bits);
    switch (error.fault) {
      case QuantityFault::no_unit:
        return no_unit();
      case QuantityFault::other_dimension:
        return report(
            "E123", fmt::format("{} is {}", assignment(), name(error.found)),
            fmt::format("expected a {} string such as {}", noun(field_.dimension), examples),
            with_unit(error.likely));
      case QuantityFault::unknown_unit:
        return report("E122", "unknown unit " + in_quotes(error.unit),
                      error.likely.empty() ? fmt::format("expected a {} string such as {}",
                                                         noun(field_.dimension), examples)
                                           : fmt::format("did you mean `{}`?", error.likely),
                      with_unit(error.likely));
      case QuantityFault::too_large:
        return out_of_range("beyond what 64 bits can count");
      case QuantityFault::not_a_quantity:
        break;
    }
    return report("E122", assignment() + " is not a quantity",
                  fmt::format("expected a {} string such as {}", noun(field_.dimension), examples));
  }

  std::nullopt_t no_unit() {
    return report("E121", assignment() + " has no unit",
                  fmt::format("expected a {} string such as {}", noun(field_.dimension),
                              quantity_examples(number(), field_.dimension, field_.rules.in_bits)));
  }

  // The number that was written, for examples; that of the field's own example if there is none
  // that anybody would read.
  [[nodiscard]] std::string number() const {
    constexpr std::size_t most_digits = 20;
    if (node_.type == NodeType::integer) return std::to_string(node_.integer);  // 0x10, 1_000
    const std::size_t end = node_.text.find_first_not_of("0123456789.");
    std::string written = node_.text.substr(0, end);
    if (!written.empty() && written.size() <= most_digits) return written;
    return std::string(field_.rules.example.substr(0, field_.rules.example.find(' ')));
  }

  [[nodiscard]] std::string with_unit(const std::string& unit) const {
    return unit.empty() ? "" : quoted(number() + " " + unit);
  }

  std::optional<Scalar> choice() {
    if (node_.type != NodeType::text) return wrong_type("a string", "put it in quotes");
    const auto found = std::find(field_.words.begin(), field_.words.end(), node_.text);
    if (found != field_.words.end()) return Scalar{found - field_.words.begin(), ""};
    const std::vector<std::string> words(field_.words.begin(), field_.words.end());
    const std::string meant = nearest(node_.text, words);
    std::string label = fmt::format("expected one of {}", fmt::join(words, ", "));
    if (!meant.empty()) label = fmt::format("did you mean \"{}\"? {}", meant, label);
    return report("E107", assignment() + " is not known", label,
                  meant.empty() ? "" : quoted(meant));
  }

  const Field& field_;
  const Node& node_;
  bool imaginary_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<Scalar> read_scalar(const Field& field, const Node& node, Diagnostics& diagnostics,
                                  bool imaginary) {
  return ScalarReader(field, node, imaginary, diagnostics).read();
}

Scalar read_fallback(const Field& field, std::string_view written) {
  Node node;
  node.text = written;
  switch (field.type) {
    case FieldType::count:
      node.type = NodeType::integer;
      node.integer = std::stoll(node.text);
      break;
    case FieldType::fraction:
      node.type = NodeType::real;
      break;
    case FieldType::flag:
      node.type = NodeType::flag;
      node.flag = written == "true";
      break;
    default:
      node.type = NodeType::text;
  }
  Diagnostics faults;
  const std::optional<Scalar> scalar = read_scalar(field, node, faults);
  MEMSIM_CHECK(scalar.has_value(), "a fallback that its own field refuses: " + field.key);
  return *scalar;
}

}  // namespace memsim::scenarios
