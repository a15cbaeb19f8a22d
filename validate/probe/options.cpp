#include "validate/probe/options.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <system_error>

#include "validate/probe/error.hpp"

namespace memsim::probe {
namespace {

constexpr double longest_budget_s = 3600;

// The whole of `text` as a number.
template <typename Number>
std::optional<Number> read_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  Options parse() {
    while (next_ < arguments_.size()) parse_option(arguments_[next_++]);
    if (!problems_.empty()) throw ProbeError(ErrorKind::usage, problems_);
    return options_;
  }

 private:
  void parse_option(std::string_view argument) {
    const std::size_t equals = argument.find('=');
    const std::string_view option = argument.substr(0, equals);
    if (option == "--gpu") {
      set_gpu(value(option, argument, equals));
    } else if (option == "--budget") {
      set_budget(value(option, argument, equals));
    } else {
      problem("unknown argument " + quoted(argument) +
              ": expected --gpu N, --budget SECONDS or --help");
    }
  }

  // What stands after "=", else the next argument, unless that is an option.
  std::optional<std::string_view> value(std::string_view option, std::string_view argument,
                                        std::size_t equals) {
    if (equals != std::string_view::npos) return argument.substr(equals + 1);
    if (next_ < arguments_.size() && arguments_[next_].rfind("--", 0) != 0) {
      return arguments_[next_++];
    }
    problem(std::string(option) + " needs a value");
    return std::nullopt;
  }

  void set_gpu(std::optional<std::string_view> text) {
    if (!text) return;
    const std::optional<int> gpu = read_number<int>(*text);
    if (gpu && *gpu >= 0) {
      options_.gpu = *gpu;
    } else {
      problem("--gpu " + quoted(*text) + ": expected the number of a GPU, from 0");
    }
  }

  void set_budget(std::optional<std::string_view> text) {
    if (!text) return;
    const std::optional<double> seconds = read_number<double>(*text);
    if (seconds && *seconds > 0 && *seconds <= longest_budget_s) {
      options_.budget_s = *seconds;
    } else {
      problem("--budget " + quoted(*text) + ": expected seconds, above 0 and at most 3600");
    }
  }

  void problem(const std::string& text) {
    if (!problems_.empty()) problems_ += "; ";
    problems_ += text;
  }

  const std::vector<std::string>& arguments_;
  std::size_t next_ = 0;
  Options options_;
  std::string problems_;
};

}  // namespace

bool asks_for_help(const std::vector<std::string>& arguments) {
  return std::find(arguments.begin(), arguments.end(), "--help") != arguments.end();
}

std::string help_text(std::string_view program, std::string_view summary) {
  return "Usage: " + std::string(program) + " [--gpu N] [--budget SECONDS]\n\n" +
         std::string(summary) +
         "\n"
         "  --gpu N           which GPU, as CUDA numbers them (0)\n"
         "  --budget SECONDS  measure for no longer than this (30)\n"
         "  --help            this text\n"
         "\n"
         "Prints one JSON document (schema memsim.probe/1) with raw samples, also when it fails.\n"
         "Ctrl-C ends it with what was measured so far; a second one at once.\n"
         "\n"
         "Exit codes: 0 measured; 1 a call failed, memory ran out or the GPU was lost; 2 wrong\n"
         "arguments; 70 a defect of the probe; 77 no driver or no such GPU; 128 + N ended by\n"
         "signal N.\n";
}

Options parse_options(const std::vector<std::string>& arguments) {
  return Parser(arguments).parse();
}

}  // namespace memsim::probe
