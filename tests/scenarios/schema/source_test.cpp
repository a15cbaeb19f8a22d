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
  const SourceFile file("x.toml", "plain\n" + line + "\n", SourceRole::given, 0);
  CHECK(file.slice({2, 5, 9}) == "'\u00e9\u00b5'");
  CHECK(file.slice({2, 1, 2}) == "a");
  CHECK(file.slice({2, 12, 13}) == "x");
  CHECK(file.slice({2, 12, 99}) == "x");
  CHECK(file.slice({2, 13, 14}).empty());
  CHECK(file.slice({1, 1, 3}) == "pl");
  CHECK(file.slice({1, 5, 9}) == "n");
  CHECK(file.slice({1, 6, 7}).empty());
  CHECK(file.slice({3, 1, 2}).empty());
  CHECK(file.slice({9, 1, 2}).empty());
  CHECK(file.slice({2, 3, 3}).empty());
}

TEST_CASE("characters far behind in a long line are found as well as near ones") {
  // 1000 characters of two bytes, the 501st and the last one of one byte.
  std::string line;
  for (int i = 1; i <= 1000; ++i) line += i == 501 ? "x" : i == 1000 ? "y" : "\u00e9";
  const SourceFile file("x.toml", "\u00e9\n" + line + "\r\n\u00b5\n", SourceRole::given, 0);
  CHECK(file.slice({2, 501, 502}) == "x");
  CHECK(file.slice({2, 500, 502}) == "\u00e9x");
  CHECK(file.slice({2, 1000, 1001}) == "y");
  CHECK(file.slice({2, 1, 1001}) == line);
  CHECK(file.slice({2, 1001, 1002}).empty());
  CHECK(file.slice({1, 65, 66}).empty());
  CHECK(file.slice({3, 1, 2}) == "\u00b5");
}

TEST_CASE("diagnostics call a file by what opens it, origins by its name") {
  Sources sources;
  const SourceFile& entry =
      sources.add("gpu/t4.toml", "a", SourceRole::given, "/usr/share/memsim/gpu/t4.toml");
  CHECK(entry.name() == "gpu/t4.toml");
  CHECK(entry.path() == "/usr/share/memsim/gpu/t4.toml");
  CHECK(sources.add("x.toml", "a", SourceRole::given).path() == "x.toml");
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

TEST_CASE("a path without its indices is that of all items") {
  CHECK(without_indices("gpu[0].memory.usable") == "gpu.memory.usable");
  CHECK(without_indices("host.socket[12].numa[3].memcpy") == "host.socket.numa.memcpy");
  CHECK(without_indices("model.layers") == "model.layers");
}

TEST_CASE("an origin tells what a value follows") {
  Sources sources;
  const SourceFile& file = sources.add("--set", "lanes=8", SourceRole::command_line);
  CHECK(origin({"bandwidth", "1 GB/s", {&file, {1, 7, 8}}, "", "", "lanes"}) ==
        "follows lanes (--set)");
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
