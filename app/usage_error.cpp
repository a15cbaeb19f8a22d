#include "app/usage_error.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/schema/display.hpp"
#include "scenarios/schema/spelling.hpp"

namespace memsim::app {
namespace {

using scenarios::in_quotes;

const CLI::App& chosen_command(const CLI::App& root) {
  const CLI::App* command = &root;
  for (std::vector<CLI::App*> next = root.get_subcommands(); !next.empty();
       next = command->get_subcommands())
    command = next.front();
  return *command;
}

// Everything that could have been meant where `command` met something unknown.
std::vector<std::string> known_words(const CLI::App& command, bool option) {
  std::vector<std::string> words;
  if (option) {
    for (const CLI::Option* known : command.get_options())
      for (const std::string& name : known->get_lnames()) words.push_back("--" + name);
  } else {
    for (const CLI::App* known : command.get_subcommands({})) words.push_back(known->get_name());
  }
  return words;
}

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

std::vector<std::string> in_typed_order(std::vector<std::string> words,
                                        std::span<const char* const> typed) {
  std::ranges::stable_sort(words, {}, [&](const std::string& word) {
    return std::ranges::find(typed, word) - typed.begin();
  });
  return words;
}

class UsageErrors {
 public:
  explicit UsageErrors(const CLI::App& command) : command_(command) {}

  void unknown(const std::string& word) {
    const bool option = word.starts_with('-');
    const std::string near =
        scenarios::nearest(word.substr(0, word.find('=')), known_words(command_, option));
    add("E151", fmt::format("unknown {} {}", option ? "option" : "argument", in_quotes(word)),
        near.empty() ? "" : fmt::format("did you mean `{}`? ", near), near);
  }

  // CLI11: "NAME is required", "A subcommand is required".
  void missing(std::string_view what) {
    const std::string_view name = what.substr(0, what.find(" is required"));
    if (name != "A subcommand") return add("E152", fmt::format("`{}` is missing", name), "", "");
    std::string words;
    for (const std::string& word : known_words(command_, false))
      words += (words.empty() ? "" : ", ") + word;
    add("E152", fmt::format("what `{}` is to do is missing", full_name(command_)),
        fmt::format("{}: ", words), "");
  }

  // CLI11: "--hw: 1 required TEXT missing", "--hw: At Most 1 required but received 2", "strict was
  // given a disallowed flag override"; expect_value: "--hw: missing".
  void mismatch(std::string_view what) {
    const auto says = [&](std::string_view part) {
      return what.find(part) != std::string_view::npos;
    };
    if (says("flag override")) {
      const std::string_view flag = what.substr(0, what.find(' '));
      return add("E153", fmt::format("`--{}` takes no value", flag), "", "");
    }
    add("E153",
        fmt::format("`{}` {}", what.substr(0, what.find(':')),
                    says("At Most") ? "is given more than once" : "lacks its value"),
        "", "");
  }

  void other(std::string_view what) { add("E153", std::string(what), "", ""); }

  scenarios::Diagnostics take() { return std::move(found_); }

 private:
  void add(std::string_view code, std::string message, std::string_view help,
           std::string suggestion) {
    found_.add({.code = std::string(code),
                .location = {},
                .message = std::move(message),
                .label = "",
                .notes = {},
                .help = fmt::format("{}see `{} --help`", help, full_name(command_)),
                .suggestion = std::move(suggestion)});
  }

  const CLI::App& command_;
  scenarios::Diagnostics found_;
};

}  // namespace

scenarios::Diagnostics usage_errors(const CLI::App& root, const CLI::ParseError& error,
                                    std::span<const char* const> typed) {
  const CLI::App& command = chosen_command(root);
  UsageErrors errors(command);
  const bool is_missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  const bool is_about_words =
      is_missing || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  std::vector<std::string> unknown;
  if (is_about_words) unknown = in_typed_order(root.remaining(true), typed);
  // What follows a subcommand that nobody knows is about that one.
  if (!known_words(command, false).empty() && unknown.size() > 1) unknown.resize(1);
  // Words that mean nothing are the cause, whatever is missing because of them.
  for (const std::string& word : unknown) errors.unknown(word);
  if (!unknown.empty()) return errors.take();
  if (is_missing) {
    errors.missing(error.what());
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr ||
             dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) {
    errors.mismatch(error.what());
  } else {
    errors.other(error.what());
  }
  return errors.take();
}

}  // namespace memsim::app
