#include "validate/probe/options.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "validate/probe/error.hpp"

namespace memsim::probe {
namespace {

// What is said of wrong arguments.
std::string problem_of(const std::vector<std::string>& arguments) {
  try {
    parse_options(arguments);
  } catch (const ProbeError& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  FAIL("accepted");
  return "";
}

TEST_CASE("without arguments a probe measures the first GPU for half a minute at most") {
  const Options options = parse_options({});
  CHECK(options.gpu == 0);
  CHECK(options.budget_s == 30.0);
}

TEST_CASE("values of a probe's options stand in the next argument or after an equals sign") {
  CHECK(parse_options({"--gpu", "3", "--budget", "0.5"}).gpu == 3);
  CHECK(parse_options({"--gpu", "3", "--budget", "0.5"}).budget_s == 0.5);
  CHECK(parse_options({"--budget=7", "--gpu=1"}).gpu == 1);
  CHECK(parse_options({"--budget=7", "--gpu=1"}).budget_s == 7);
}

TEST_CASE("all that is wrong with a probe's arguments is said at once") {
  const std::string problem = problem_of({"--gpus=1", "--gpu", "-1", "--budget"});
  CHECK_THAT(problem, Catch::Contains("unknown argument \"--gpus=1\": expected --gpu N"));
  CHECK_THAT(problem, Catch::Contains("--gpu \"-1\": expected the number of a GPU, from 0"));
  CHECK_THAT(problem, Catch::Contains("--budget needs a value"));
}

TEST_CASE("an option of a probe does not take the next option for its value") {
  CHECK(problem_of({"--gpu", "--budget", "5"}) == "--gpu needs a value");
}

TEST_CASE("numbers in a probe's arguments are whole and within their limits") {
  for (const char* text : {"", "1x", "0x1", " 1", "1.5", "99999999999"}) {
    CHECK_THAT(problem_of({"--gpu", text}), Catch::Contains("expected the number of a GPU"));
  }
  for (const char* text : {"", "0", "-1", "nan", "inf", "3601", "5s"}) {
    CHECK_THAT(problem_of({"--budget", text}), Catch::Contains("expected seconds, above 0"));
  }
  CHECK(parse_options({"--budget", "3600"}).budget_s == 3600);
}

TEST_CASE("a probe's help names every option") {
  CHECK(asks_for_help({"--gpu", "x", "--help"}));
  CHECK_FALSE(asks_for_help({"--gpu", "0"}));
  const std::string text = help_text("memsim-probe-device", "Measures.\n");
  for (const char* part : {"Usage: memsim-probe-device", "Measures.", "--gpu N", "--budget SECONDS",
                           "--help", "Exit codes"}) {
    CHECK_THAT(text, Catch::Contains(part));
  }
}

}  // namespace
}  // namespace memsim::probe
