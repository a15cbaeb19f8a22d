#include "validate/probe/json_writer.hpp"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace memsim::probe {
namespace {

// A document whose only member, "value", is written by `write`.
template <typename Write>
nlohmann::json value_of(Write&& write) {
  JsonWriter json;
  {
    auto document = json.object();
    write(json);
  }
  return nlohmann::json::parse(json.text()).at("value");
}

template <typename Value>
nlohmann::json read_back(const Value& value) {
  return value_of([&](JsonWriter& json) { json.member("value", value); });
}

template <typename Value>
std::string text_of(const Value& value) {
  JsonWriter json;
  {
    auto document = json.object();
    json.member("value", value);
  }
  const std::string before = "{\n  \"value\": ";
  return json.text().substr(before.size(), json.text().size() - before.size() - 3);
}

TEST_CASE("a JSON document has one member a line, and samples of one series on one line") {
  JsonWriter json;
  {
    auto document = json.object();
    json.member("schema", "memsim.probe/1");
    {
      auto inner = json.object("device");
      json.member("gpu", 0);
    }
    auto list = json.array("sizes");
    {
      auto first = json.object();
      json.member("malloc_ns", std::vector<std::int64_t>{3, 1, 2});
    }
    auto second = json.object();
  }
  CHECK(json.text() ==
        "{\n"
        "  \"schema\": \"memsim.probe/1\",\n"
        "  \"device\": {\n"
        "    \"gpu\": 0\n"
        "  },\n"
        "  \"sizes\": [\n"
        "    {\n"
        "      \"malloc_ns\": [3, 1, 2]\n"
        "    },\n"
        "    {}\n"
        "  ]\n"
        "}\n");
}

TEST_CASE("a JSON document without members is two brackets") {
  JsonWriter json;
  {
    auto document = json.object();
  }
  CHECK(json.text() == "{}\n");
}

TEST_CASE("JSON integers keep all their digits") {
  CHECK(text_of(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(text_of(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  CHECK(text_of(std::int8_t{-1}) == "-1");
  CHECK(text_of(true) == "true");
}

TEST_CASE("JSON doubles read back as the same number in as few digits as that takes") {
  CHECK(text_of(0.1) == "0.1");
  CHECK(text_of(1e300) == "1e+300");
  CHECK(text_of(30.0) == "30");
  for (const double value : {1.0 / 3.0, 5e-324, 1.7976931348623157e308, -0.0}) {
    CHECK(read_back(value).get<double>() == value);
  }
}

TEST_CASE("what JSON has no number for is null") {
  CHECK(read_back(std::numeric_limits<double>::quiet_NaN()).is_null());
  CHECK(read_back(std::numeric_limits<double>::infinity()).is_null());
  CHECK(read_back(-std::numeric_limits<double>::infinity()).is_null());
  CHECK(read_back(std::optional<int>()).is_null());
  CHECK(read_back(nullptr).is_null());
  CHECK(read_back(std::optional<int>(7)) == 7);
}

TEST_CASE("JSON strings come back as they were, whatever they hold") {
  std::string all;
  for (char c = 0; c < 0x7F; ++c) all += c;
  CHECK(read_back(all) == all);
  CHECK(read_back("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80") == "é € 😀");
  CHECK(text_of("a\"b\\c\n") == R"("a\"b\\c\u000a")");
  CHECK(value_of([](JsonWriter& json) {
          json.member("value", 1);
          json.member("a\"\x01", 2);
        }) == 1);
}

TEST_CASE("bytes that are not UTF-8 become replacement characters in JSON") {
  const std::string replaced = "\xEF\xBF\xBD";
  CHECK(read_back("a\xFFz") == "a" + replaced + "z");
  CHECK(read_back("\xE2\x82") == replaced + replaced);  // cut off
  CHECK(read_back("\xC0\xAF") == replaced + replaced);  // "/", too long
  CHECK(read_back("\xE0\x80\xAF") == replaced + replaced + replaced);
  CHECK(read_back("\xED\xA0\x80") == replaced + replaced + replaced);  // a surrogate
  CHECK(read_back("\xF4\x90\x80\x80") == replaced + replaced + replaced + replaced);
}

TEST_CASE("a JSON document is whole when an exception ends its writing") {
  JsonWriter json;
  try {
    auto document = json.object();
    json.member("before", 1);
    auto list = json.array("list");
    auto entry = json.object();
    json.member("bytes", 2);
    throw std::runtime_error("lost");
  } catch (const std::runtime_error&) {
  }
  CHECK(nlohmann::json::parse(json.text()) ==
        nlohmann::json::parse(R"({"before": 1, "list": [{"bytes": 2}]})"));
}

}  // namespace
}  // namespace memsim::probe
