#include "sim/memory/option_list.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

namespace memsim::sim {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string known_keys(std::span<const NumberOption> options) {
  if (options.empty()) return "it has none";
  std::string keys = "it has ";
  for (const NumberOption& option : options)
    keys.append(&option == options.data() ? "" : ", ").append(option.key);
  return keys;
}

std::string expectation(const NumberOption& option) {
  return (option.power_of_two ? "a power of two from " : "a whole number from ") +
         std::to_string(option.least) + " to " + std::to_string(option.most);
}

std::optional<std::int64_t> fitting_number(std::string_view word, const NumberOption& option) {
  std::int64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  if (number < option.least || number > option.most) return std::nullopt;
  if (option.power_of_two && !std::has_single_bit(static_cast<std::uint64_t>(number)))
    return std::nullopt;
  return number;
}

Result<void> read_option(std::string_view owner, const NumberOption& option,
                         std::optional<std::string_view> word) {
  const auto refuse = [&](const std::string& found) {
    return fail("option '" + std::string(option.key) + "' of " + std::string(owner) +
                ": expected " + expectation(option) + ", found " + found);
  };
  if (!word) return refuse("no value (" + std::string(option.key) + ":N)");
  const auto number = fitting_number(*word, option);
  if (!number) return refuse("'" + std::string(*word) + "'");
  *option.value = *number;
  return {};
}

}  // namespace

Result<void> read_options(std::string_view owner, std::string_view text,
                          std::span<const NumberOption> options) {
  if (trimmed(text).empty()) return {};
  std::vector<std::string_view> seen;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string_view part = text.substr(from, comma - from);
    from = comma + 1;
    const std::size_t colon = part.find(':');
    const std::string_view key = trimmed(part.substr(0, colon));
    const auto option = std::ranges::find(options, key, &NumberOption::key);
    if (option == options.end())
      return fail(std::string(owner) + " knows no option '" + std::string(key) + "'; " +
                  known_keys(options));
    if (std::ranges::find(seen, key) != seen.end())
      return fail("option '" + std::string(key) + "' of " + std::string(owner) + " comes twice");
    seen.push_back(key);
    std::optional<std::string_view> word;
    if (colon != std::string_view::npos) word = trimmed(part.substr(colon + 1));
    if (auto read = read_option(owner, *option, word); !read) return read;
  }
  return {};
}

}  // namespace memsim::sim
