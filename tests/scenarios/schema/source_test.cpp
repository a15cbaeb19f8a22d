#include "scenarios/schema/source.hpp"

#include "scenarios/schema/setting.hpp"
#include "tests/support/catch.hpp"

namespace memsim::scenarios {

TEST_CASE("lines are found by number, without their ends") {
  const SourceFile file("x.toml", "one\r\ntwo\n\nfour", SourceRole::given, 0);
  CHECK(file.line(1) == "one");
  CHECK(file.line(2) == "two");
  CHECK(file.line(3).empty());
  CHECK(file.line(4) == "four");
  CHECK(file.line(5).empty());
  CHECK(file.line(0).empty());
  CHECK(file.lines() == 4);
  CHECK(SourceFile("x", "one\n", SourceRole::given, 0).lines() == 2);
  CHECK(SourceFile("x", "", SourceRole::given, 0).lines() == 1);
}

TEST_CASE("columns count characters, not bytes") {
  const std::string line = "a = '\u00e9\u00b5' # x";
  CHECK(character_count(line) == 12);
  CHECK(slice(line, 5, 9) == "'\u00e9\u00b5'");
  CHECK(slice(line, 1, 2) == "a");
  CHECK(slice(line, 12, 13) == "x");
  CHECK(slice(line, 12, 99) == "x");
  CHECK(slice(line, 13, 14).empty());
  CHECK(slice("", 1, 2).empty());
}

TEST_CASE("a location names its file and line, and shows its text") {
  Sources sources;
  const SourceFile& file = sources.add("x.toml", "a = 1\nbc = 23\n", SourceRole::given);
  const Location at{&file, {2, 6, 8}};
  CHECK(at.file_and_line() == "x.toml:2");
  CHECK(at.text() == "x.toml:2:6");
  CHECK(Location{}.text().empty());
  CHECK(text_at(at) == "23");
  CHECK(Location{}.file_and_line().empty());
  CHECK(text_at({}).empty());
  CHECK(sources.add("y.toml", "", SourceRole::part).order() == 1);
}

TEST_CASE("the origin of a setting says how it came in") {
  Sources sources;
  const auto origin_from = [&](SourceRole role) {
    return origin({"key", "1", {&sources.add("x.toml", "a", role), {3, 1, 2}}, "", ""});
  };
  CHECK(origin_from(SourceRole::given) == "x.toml:3");
  CHECK(origin_from(SourceRole::part) == "x.toml:3");
  CHECK(origin_from(SourceRole::inherited) == "inherited from x.toml:3");
  CHECK(origin_from(SourceRole::command_line) == "--set");
  CHECK(origin({"key", "1", {}, "", ""}) == "default");
}

TEST_CASE("the comment of a line is what stands behind a # outside of strings") {
  CHECK(comment_of("a = 1 # source") == "source");
  CHECK(comment_of("a = 1 ##  source") == "source");
  CHECK(comment_of("a = \"x # y\" # z") == "z");
  CHECK(comment_of("a = '#' # z") == "z");
  CHECK(comment_of("a = \"\\\"#\" # z") == "z");
  CHECK(comment_of("a = 1").empty());
  CHECK(comment_of("a = 1 #").empty());
}

}  // namespace memsim::scenarios
