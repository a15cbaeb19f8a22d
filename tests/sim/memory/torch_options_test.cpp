#include "sim/memory/torch_options.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

constexpr std::int64_t mib = 1 << 20;

std::string error_of(std::string_view text) {
  TorchOptions options;
  const auto applied = options.apply(text);
  return applied ? "" : applied.error().message;
}

TorchOptions options_of(std::string_view text) {
  TorchOptions options;
  INFO(text);
  REQUIRE(options.apply(text).has_value());
  return options;
}

}  // namespace

TEST_CASE("options are read as PyTorch reads them") {
  const TorchOptions options = options_of(
      "max_split_size_mb:128, max_non_split_rounding_mb : 32,garbage_collection_threshold:0.8,"
      "expandable_segments:True,release_lock_on_cudamalloc:True,pinned_num_register_threads:8,"
      "backend:native");
  CHECK(options.max_split == 128 * mib);
  CHECK(options.max_non_split_rounding == 32 * mib);
  CHECK(options.collection_threshold.of(1000) == 800);
  CHECK(options.expandable_segments);
  CHECK(options_of("") == TorchOptions{});
  CHECK(options_of("max_split_size_mb:100x").max_split == 100 * mib);  // std::stoi stops there
}

TEST_CASE("divisions are given for all sizes or by interval") {
  TorchDivisions expected;
  expected.fill(8);
  CHECK(options_of("roundup_power2_divisions:8").divisions == expected);
  // 256 MiB is the 9th interval; the first pair fills what is below it, `>` begins at the last
  // one's own interval, and what lies between pairs stays off.
  expected = {1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 8, 8, 8, 8, 8, 8};
  CHECK(options_of("roundup_power2_divisions:[256:1,512:2,1024:4,>:8]").divisions == expected);
  expected = {4, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  CHECK(options_of("roundup_power2_divisions:[1:4,8:8]").divisions == expected);
  expected = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
  CHECK(options_of("roundup_power2_divisions:[1048576:2]").divisions == expected);
}

TEST_CASE("limits of sizes begin anew with each string, switches stay") {
  TorchOptions options = options_of(
      "expandable_segments:True,max_split_size_mb:64,max_non_split_rounding_mb:40,"
      "roundup_power2_divisions:4,garbage_collection_threshold:0.5");
  REQUIRE(options.apply("").has_value());
  CHECK(options.max_split == torch_unlimited);
  CHECK(options.divisions == TorchDivisions{});
  CHECK(options.collection_threshold.is_zero());
  CHECK(options.max_non_split_rounding == 40 * mib);
  CHECK(options.expandable_segments);
  // What precedes an error stays.
  CHECK_FALSE(options.apply("max_split_size_mb:32,bogus:1").has_value());
  CHECK(options.max_split == 32 * mib);
}

TEST_CASE("errors are told in PyTorch's words") {
  CHECK(error_of("bogus:1") == "Unrecognized CachingAllocator option: bogus");
  CHECK(error_of("max_split_size_mb:20") ==
        "CachingAllocator option max_split_size_mb too small, must be > 20");
  CHECK(error_of("max_non_split_rounding_mb:3") ==
        "CachingAllocator option max_non_split_rounding_mb too small, must be > 20");
  CHECK(error_of("max_split_size_mb") == "Error parsing CachingAllocator settings, expected :");
  CHECK(error_of("max_split_size_mb:") == "Error, expecting max_split_size_mb value");
  CHECK(error_of("max_split_size_mb:many") == "stoi");
  CHECK(error_of("max_split_size_mb:99999999999") == "stoi");
  CHECK(error_of("max_split_size_mb:64 expandable_segments:True") ==
        "Error parsing CachingAllocator settings, expected ,");
  CHECK(error_of("garbage_collection_threshold:0") ==
        "garbage_collect_threshold too small, set it 0.0~1.0");
  CHECK(error_of("garbage_collection_threshold:-0.5") ==
        "garbage_collect_threshold too small, set it 0.0~1.0");
  CHECK(error_of("garbage_collection_threshold:1.5") ==
        "garbage_collect_threshold too big, set it 0.0~1.0");
  CHECK(error_of("roundup_power2_divisions:3") ==
        "For roundups, the divisons has to be power of 2 ");
  CHECK(error_of("roundup_power2_divisions:[2:3]") ==
        "For roundups, the divisons has to be power of 2 or 0 to disable roundup ");
  CHECK(error_of("roundup_power2_divisions:[3:2]") ==
        "For roundups, the intervals have to be power of 2 ");
  CHECK(error_of("roundup_power2_divisions:[1") ==
        "Error parsing CachingAllocator settings, expected :");
  CHECK(error_of("expandable_segments:true") ==
        "Expected a single True/False argument for expandable_segments");
  CHECK(error_of("backend:cudaMallocAsync") ==
        "Allocator backend parsed at runtime != allocator backend parsed at load time");
  CHECK(error_of("pinned_num_register_threads:3") ==
        "Number of register threads has to be power of 2 ");
  CHECK(error_of("pinned_num_register_threads:256") ==
        "Number of register threads should be less than or equal to 128");
}

}  // namespace memsim::sim
