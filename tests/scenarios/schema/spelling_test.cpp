#include "scenarios/schema/spelling.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace memsim::scenarios {

TEST_CASE("the edit distance counts insertions, deletions, replacements and swaps") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "abc") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("abc", "abd") == 1);
  CHECK(edit_distance("abc", "ac") == 1);
  CHECK(edit_distance("abc", "acb") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest name is close in spelling, else shares a word, else there is none") {
  const std::vector<std::string> keys{"capacity", "bandwidth", "channel_bandwidth", "id", "to"};
  CHECK(nearest("capcity", keys) == "capacity");
  CHECK(nearest("bandwidht", keys) == "bandwidth");
  CHECK(nearest("Capacity", keys) == "capacity");
  CHECK(nearest("channel_speed", keys) == "channel_bandwidth");
  CHECK(nearest("link-bandwidth", keys) == "bandwidth");
  CHECK(nearest("xy", keys).empty());  // two edits are all of a short name
  CHECK(nearest("voltage", keys).empty());
  CHECK(nearest("", keys).empty());
  CHECK(nearest("capacity", {}).empty());
}

TEST_CASE("a misspelt name is close to the right one; a shared word is not enough") {
  const std::vector<std::string> keys{"capacity", "channel_bandwidth"};
  CHECK(misspelt("capcity", keys) == "capacity");
  CHECK(misspelt("channel_speed", keys).empty());
}

TEST_CASE("of equally near names the first is taken") {
  const std::vector<std::string> keys{"gpu_b", "gpu_c"};
  CHECK(nearest("gpu_a", keys) == "gpu_b");
}

}  // namespace memsim::scenarios
