#include "sim/core/check.hpp"

#include "sim/core/result.hpp"
#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

TEST_CASE("a failed check names the sentence, the expression, the file and the line") {
  std::string message;
  const int line = __LINE__ + 3;
  try {
    const int size = 3;
    MEMSIM_CHECK(size == 4, "the block has the wrong size");
  } catch (const InternalError& error) {
    message = error.what();
  }
  CHECK(message.find("check_test.cpp:" + std::to_string(line) +
                     ": the block has the wrong size (size == 4)") != std::string::npos);
}

TEST_CASE("a check that holds does not even build its message") {
  bool built = false;
  const auto sentence = [&] {
    built = true;
    return "never seen";
  };
  MEMSIM_CHECK(1 + 1 == 2, sentence());
  CHECK_FALSE(built);
}

TEST_CASE("a result is a value or the reason why there is none") {
  const Result<int> good = 5;
  const Result<int> bad = fail("no such file");
  REQUIRE(good.has_value());
  CHECK(*good == 5);
  REQUIRE_FALSE(bad.has_value());
  CHECK(bad.error().message == "no such file");
}

}  // namespace
}  // namespace memsim::sim
