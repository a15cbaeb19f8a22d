#include "validate/import/link_measurements.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace memsim::validate {
namespace {

struct Parsed {
  std::vector<LinkMeasurement> rows;
  std::string errors;
};

Parsed parse(const std::string& lines) {
  const scenarios::SourceFile file("links.csv", std::string(link_header) + "\n" + lines,
                                   scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  Parsed parsed{parse_link_measurements(file, diagnostics), ""};
  for (const scenarios::Diagnostic& diagnostic : diagnostics.sorted())
    parsed.errors += diagnostic.sentence() + "\n";
  return parsed;
}

TEST_CASE("texts in quotes hold commas and quotes") {
  const Parsed parsed =
      parse("copy,\"8x T4, Gen3\",\"the \"\"H2D\"\" way\",12.3 / 12.9,GB/s,a blog\n\n");
  CHECK(parsed.errors.empty());
  REQUIRE(parsed.rows.size() == 1);
  CHECK(parsed.rows[0].line == 2);
  CHECK(parsed.rows[0].what == "copy");
  CHECK(parsed.rows[0].hardware == "8x T4, Gen3");
  CHECK(parsed.rows[0].parameter == "the \"H2D\" way");
  CHECK(parsed.rows[0].value == "12.3 / 12.9");
  CHECK(parsed.rows[0].source == "a blog");
}

TEST_CASE("lines that are no rows are told, the others read") {
  const Parsed parsed = parse("copy,T4,H2D,12.3,GB/s\ncopy,T4,\"H2D,12,GB/s,x\na,b,c,1,GB/s,d\n");
  CHECK(parsed.errors.find("links.csv:2:1: a row of 5 fields") != std::string::npos);
  CHECK(parsed.errors.find("links.csv:3:1: a quote that is not closed") != std::string::npos);
  CHECK(parsed.rows.size() == 1);
}

TEST_CASE("a header alone and a value that is no measurement are errors") {
  CHECK(parse("\n").errors.find("E114 links.csv:1:1: ") == 0);
  const scenarios::SourceFile file("links.csv", std::string(link_header) + "\n",
                                   scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  CHECK(check_value(file, {2, "", "", "", "12", "GB/s", ""}, diagnostics));
  CHECK_FALSE(diagnostics.has_errors());
  CHECK_FALSE(check_value(file, {1, "", "", "", "-12", "GB/s", ""}, diagnostics));
  CHECK(diagnostics.sorted().front().code == "E113");
}

TEST_CASE("another header is another kind of file") {
  const scenarios::SourceFile file("links.csv", "a,b\n1,2\n", scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  CHECK(parse_link_measurements(file, diagnostics).empty());
  CHECK(diagnostics.has_errors());
}

}  // namespace
}  // namespace memsim::validate
