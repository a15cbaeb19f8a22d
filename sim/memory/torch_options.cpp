#include "sim/memory/torch_options.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

namespace memsim::sim {
namespace {

constexpr std::int64_t mebibyte = 1 << 20;
constexpr std::int64_t most_register_threads = 128;

// Words and the signs , : [ ] between them; blanks do not count.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  bool in_word = false;
  for (const char c : text) {
    if (c == ' ') continue;
    const bool sign = c == ',' || c == ':' || c == '[' || c == ']';
    if (sign || !in_word) tokens.emplace_back();
    tokens.back() += c;
    in_word = !sign;
  }
  return tokens;
}

constexpr bool is_power_of_two(std::int64_t number) {
  return number > 0 && std::has_single_bit(static_cast<std::uint64_t>(number));
}

class OptionReader {
 public:
  OptionReader(TorchOptions& options, std::string_view text)
      : options_(options), tokens_(tokens_of(text)) {}

  Result<void> read() {
    while (at_ < tokens_.size()) {
      if (auto option = read_option(tokens_[at_++]); !option) return option;
      if (at_ == tokens_.size()) break;
      if (auto comma = expect(','); !comma) return comma;
    }
    return {};
  }

 private:
  [[nodiscard]] bool is_next(char sign) const {
    return at_ < tokens_.size() && tokens_[at_].size() == 1 && tokens_[at_].front() == sign;
  }
  Result<void> expect(char sign) {
    if (!is_next(sign))
      return fail(std::string("Error parsing CachingAllocator settings, expected ") + sign);
    ++at_;
    return {};
  }

  Result<void> read_option(const std::string& key) {
    if (key == "max_split_size_mb") return read_size(key, options_.max_split);
    if (key == "max_non_split_rounding_mb") return read_size(key, options_.max_non_split_rounding);
    if (key == "garbage_collection_threshold") return read_threshold();
    if (key == "roundup_power2_divisions") return read_divisions();
    if (key == "backend") return read_backend();
    if (key == "expandable_segments") return read_flag(key, options_.expandable_segments);
    bool no_effect = false;
    for (const std::string_view flag :
         {"release_lock_on_cudamalloc", "pinned_use_cuda_host_register",
          "pinned_use_background_threads"})
      if (key == flag) return read_flag(key, no_effect);
    if (key == "pinned_num_register_threads") return read_register_threads();
    return fail("Unrecognized CachingAllocator option: " + key);
  }

  // The word behind the colon. `missing` says what is not there.
  Result<std::string> value(std::string missing) {
    if (auto colon = expect(':'); !colon) return tl::unexpected(colon.error());
    if (at_ == tokens_.size()) return fail(std::move(missing));
    return tokens_[at_++];
  }

  // The number with which a word begins, as std::stoi reads it.
  static Result<std::int64_t> number(std::string_view word) {
    const bool plus = word.starts_with('+');
    std::int32_t read = 0;
    const auto [stop, error] =
        std::from_chars(word.data() + (plus ? 1 : 0), word.data() + word.size(), read);
    if (error != std::errc()) return fail("stoi");
    return read;
  }
  Result<std::int64_t> number_value(std::string missing) {
    return value(std::move(missing)).and_then([](const std::string& word) { return number(word); });
  }

  Result<void> read_size(const std::string& key, std::int64_t& size) {
    const auto mebibytes = number_value("Error, expecting " + key + " value");
    if (!mebibytes) return tl::unexpected(mebibytes.error());
    if (*mebibytes >= 0 && *mebibytes <= torch_large_segment / mebibyte)
      return fail("CachingAllocator option " + key + " too small, must be > " +
                  std::to_string(torch_large_segment / mebibyte));
    // A negative number is a huge one to PyTorch.
    size = *mebibytes < 0 ? torch_unlimited : *mebibytes * mebibyte;
    return {};
  }

  Result<void> read_threshold() {
    const auto word = value("Error, expecting garbage_collection_threshold value");
    if (!word) return tl::unexpected(word.error());
    const bool negative = word->starts_with('-');
    const auto ratio = TorchRatio::parse(std::string_view(*word).substr(negative ? 1 : 0));
    if (!ratio) return fail("stod");
    if (negative || ratio->is_zero())
      return fail("garbage_collect_threshold too small, set it 0.0~1.0");
    if (*ratio == TorchRatio::one())
      return fail("garbage_collect_threshold too big, set it 0.0~1.0");
    options_.collection_threshold = *ratio;
    return {};
  }

  Result<void> read_flag(const std::string& key, bool& flag) {
    const std::string wanted = "Expected a single True/False argument for " + key;
    const auto word = value(wanted);
    if (!word) return tl::unexpected(word.error());
    if (*word != "True" && *word != "False") return fail(wanted);
    flag = *word == "True";
    return {};
  }

  Result<void> read_backend() {
    const auto word = value("Error parsing backend value");
    if (!word) return tl::unexpected(word.error());
    if (*word == "native") return {};
    if (*word == "cudaMallocAsync")
      return fail("Allocator backend parsed at runtime != allocator backend parsed at load time");
    return fail("Unknown allocator backend, options are native and cudaMallocAsync");
  }

  Result<void> read_register_threads() {
    const auto threads = number_value("Error, expecting pinned_num_register_threads value");
    if (!threads) return tl::unexpected(threads.error());
    if (!is_power_of_two(*threads)) return fail("Number of register threads has to be power of 2 ");
    if (*threads > most_register_threads)
      return fail("Number of register threads should be less than or equal to " +
                  std::to_string(most_register_threads));
    return {};
  }

  // One number for all sizes, or [k:n,...,>:n] with sizes k in MiB.
  Result<void> read_divisions() {
    if (auto colon = expect(':'); !colon) return colon;
    if (at_ == tokens_.size()) return fail("Error, expecting roundup_power2_divisions value");
    if (is_next('[')) {
      ++at_;
      return read_division_list();
    }
    const auto divisions = number(tokens_[at_++]);
    if (!divisions) return tl::unexpected(divisions.error());
    if (!is_power_of_two(*divisions))
      return fail("For roundups, the divisons has to be power of 2 ");
    options_.divisions.fill(*divisions);
    return {};
  }

  Result<void> read_division_list() {
    std::optional<std::size_t> last;  // the interval that was set last
    while (at_ < tokens_.size() && !is_next(']')) {
      const std::string key = tokens_[at_++];
      const auto divisions = number_value("Error parsing roundup_power2_divisions value");
      if (!divisions) return tl::unexpected(divisions.error());
      if (*divisions != 0 && !is_power_of_two(*divisions))
        return fail("For roundups, the divisons has to be power of 2 or 0 to disable roundup ");
      if (auto set = set_divisions(key, *divisions, last); !set) return set;
      if (is_next(']')) break;
      if (auto comma = expect(','); !comma) return comma;
    }
    if (at_ < tokens_.size()) ++at_;
    return {};
  }

  Result<void> set_divisions(const std::string& key, std::int64_t divisions,
                             std::optional<std::size_t>& last) {
    TorchDivisions& all = options_.divisions;
    const auto place = [&](std::size_t at) {
      return all.begin() + static_cast<std::ptrdiff_t>(at);
    };
    if (key == ">") {
      std::fill(place(last.value_or(0)), all.end(), divisions);
      return {};
    }
    const auto mebibytes = number(key);
    if (!mebibytes) return fail("stoul");
    if (!is_power_of_two(*mebibytes))
      return fail("For roundups, the intervals have to be power of 2 ");
    const auto power =
        static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(*mebibytes)));
    const std::size_t at = std::min(power, all.size() - 1);
    if (!last) std::fill(all.begin(), place(at), divisions);
    all[at] = divisions;
    last = at;
    return {};
  }

  TorchOptions& options_;
  std::vector<std::string> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

Result<void> TorchOptions::apply(std::string_view text) {
  const TorchOptions defaults;
  max_split = defaults.max_split;
  divisions = defaults.divisions;
  collection_threshold = defaults.collection_threshold;
  return OptionReader(*this, text).read();
}

}  // namespace memsim::sim
