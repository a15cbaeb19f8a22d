#include "sim/memory/option_list.hpp"

#include <array>
#include <string>

#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

struct Known {
  std::int64_t pages = 7;
  std::int64_t power = 4;

  // The error's message, or nothing.
  std::string read(std::string_view text) {
    const std::array<NumberOption, 2> options{
        {{.key = "pages", .least = 0, .most = 100, .value = &pages},
         {.key = "power", .least = 1, .most = 64, .value = &power, .power_of_two = true}}};
    const auto read = read_options("shelf", text, options);
    return read ? "" : read.error().message;
  }
};

}  // namespace

TEST_CASE(
    "options of allocators are keys with whole numbers; those not named keep their defaults") {
  Known known;
  CHECK(known.read("").empty());
  CHECK(known.read("  ").empty());
  CHECK(known.pages == 7);
  CHECK(known.read("power:32").empty());
  CHECK(known.pages == 7);
  CHECK(known.power == 32);
  CHECK(known.read(" pages : 0 , power:64").empty());
  CHECK(known.pages == 0);
  CHECK(known.power == 64);
}

TEST_CASE("a wrong option of an allocator is told with what is expected and what was found") {
  Known known;
  CHECK(known.read("page:3") == "shelf knows no option 'page'; it has pages, power");
  CHECK(known.read("pages:3,") == "shelf knows no option ''; it has pages, power");
  CHECK(known.read("pages:3,pages:4") == "option 'pages' of shelf comes twice");
  CHECK(known.read("pages") ==
        "option 'pages' of shelf: expected a whole number from 0 to 100, found no value (pages:N)");
  for (const char* word : {"", "101", "-1", "3.5", "3k", "99999999999999999999", "1:2"}) {
    INFO(word);
    CHECK(known.read("pages:" + std::string(word)) ==
          "option 'pages' of shelf: expected a whole number from 0 to 100, found '" +
              std::string(word) + "'");
  }
  CHECK(known.read("power:48") ==
        "option 'power' of shelf: expected a power of two from 1 to 64, found '48'");
  CHECK(read_options("driver", "x:1", {}).error().message ==
        "driver knows no option 'x'; it has none");
}

}  // namespace memsim::sim
