#include <nlohmann/json.hpp>
#include <string>

#include "tests/app/command.hpp"
#include "tests/support/catch.hpp"

namespace memsim::app {

TEST_CASE("replay --log prints what the real allocator printed, byte for byte") {
  const CommandResult sums = run_command(
      "replay validate/data/allocator/15_private_pools.trace --log | sha256sum\n"
      "gzip -dc validate/data/allocator/15_private_pools.expected.gz | sha256sum");
  REQUIRE(sums.out.size() > 64);
  const std::size_t line = sums.out.find('\n') + 1;
  CHECK(sums.out.substr(0, line) == sums.out.substr(line));
}

TEST_CASE("replay compares allocators on one recording") {
  const std::string trace = "replay validate/data/allocator/04_train_varlen_fragmentation.trace ";
  const CommandResult text =
      run_command(trace + "--allocator torch --allocator torch:expandable_segments:True");
  CHECK(text.code == 0);
  CHECK_THAT(text.out, Catch::Contains("1,480") && Catch::Contains("pages mapped"));
  const CommandResult result = run_command(trace + "--allocator torch --allocator driver --json");
  const auto answer = nlohmann::json::parse(result.out);
  CHECK(answer["schema"] == "memsim.replay/1");
  REQUIRE(answer["runs"].size() == 2);
  // 04_train_varlen_fragmentation.expected: the peaks that the real allocator told.
  CHECK(answer["runs"][0]["peak"]["reserved"] == 3'145'728'000);
  CHECK(answer["runs"][0]["peak_allocated"] == 2'207'750'656);
  CHECK(answer["runs"][1]["peak_requested"] == answer["runs"][0]["peak_requested"]);
}

TEST_CASE("a replay that runs out of memory says where and why, with exit code 1") {
  const CommandResult result = run_command(
      "replay validate/data/allocator/02_random_mix.trace --capacity '100 MiB' --allocator torch");
  CHECK(result.code == 1);
  CHECK_THAT(result.out, Catch::Contains("first out-of-memory"));
  CHECK(run_command("replay nowhere.trace").code == 2);
  CHECK(run_command("replay README.md").code == 2);
}

}  // namespace memsim::app
