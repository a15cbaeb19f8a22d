#include "scenarios/schema/scalar.hpp"

#include "scenarios/schema/schema.hpp"
#include "sim/core/check.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

struct Record {
  sim::Bytes size;
  std::int64_t count = 0;
};

const Field& size_field() {
  static const Schema<Record> schema = Schema<Record>("record").field(
      "size", &Record::size, {.example = "1 GiB", .least = 1, .most = 1'000'000});
  return schema.fields().front();
}

Node text(std::string written) {
  Node node;
  node.type = NodeType::text;
  node.text = std::move(written);
  return node;
}

std::string code_of(const std::string& written) {
  Diagnostics diagnostics;
  CHECK_FALSE(read_scalar(size_field(), text(written), diagnostics).has_value());
  REQUIRE(diagnostics.errors() == 1);
  return diagnostics.sorted().front().code;
}

}  // namespace

TEST_CASE("one value is read as its field wants it") {
  Diagnostics diagnostics;
  const auto value = read_scalar(size_field(), text("3 KiB"), diagnostics);
  REQUIRE(value.has_value());
  CHECK(value->integer == 3072);
  CHECK_FALSE(diagnostics.has_errors());
  CHECK(code_of("3") == "E121");
  CHECK(code_of("3 parsec") == "E122");
  CHECK(code_of("3 GB/s") == "E123");
  CHECK(code_of("3 GB") == "E124");
}

TEST_CASE("digits beyond 64 bits are out of range, not of a wrong type") {
  const Schema<Record> schema =
      Schema<Record>("record").field("count", &Record::count, {.example = "1", .least = 1});
  const auto code = [&](const std::string& written) {
    Diagnostics diagnostics;
    CHECK_FALSE(read_scalar(schema.fields().front(), text(written), diagnostics).has_value());
    return diagnostics.sorted().front().code;
  };
  CHECK(code("99999999999999999999") == "E124");
  CHECK(code("9223372036854775807") == "E106");  // 2^63 - 1: only its quotes are too much
  CHECK(code("99999999999999999999x") == "E106");
}

TEST_CASE("a fallback that its own field refuses is a defect") {
  CHECK(read_fallback(size_field(), "2 kB").integer == 2000);
  CHECK_THROWS_AS(read_fallback(size_field(), "2 GB"), sim::InternalError);
}

}  // namespace memsim::scenarios
