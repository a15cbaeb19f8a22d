#include "scenarios/schema/diagnostic.hpp"

#include "tests/support/catch.hpp"

namespace memsim::scenarios {
namespace {

Diagnostic at(const SourceFile& file, std::uint32_t line, std::uint32_t column, std::string code,
              std::string message) {
  Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.location = {&file, {line, column, column + 2}};
  diagnostic.message = std::move(message);
  diagnostic.label = "here";
  return diagnostic;
}

}  // namespace

TEST_CASE("no diagnostics, no text") {
  const Diagnostics none;
  CHECK(none.text("nothing was simulated").empty());
  CHECK_FALSE(none.has_errors());
  CHECK(none.json() ==
        "{\"diagnostics\":[],\"errors\":0,\"schema\":\"memsim.diagnostics/1\","
        "\"verdict\":\"valid\",\"warnings\":0}\n");
}

TEST_CASE("a diagnostic shows its line with carets, notes and help") {
  Sources sources;
  const SourceFile& file =
      sources.add("x.toml", std::string(99, '\n') + "\tab = 1\n", SourceRole::given);
  Diagnostic diagnostic = at(file, 100, 2, "E104", "unknown key `ab`");
  diagnostic.notes = {"one", "two"};
  diagnostic.help = "remove it";
  Diagnostics diagnostics;
  diagnostics.add(diagnostic);
  CHECK(diagnostics.text("nothing was simulated") ==
        "error[E104]: unknown key `ab`\n"
        "  --> x.toml:100:2\n"
        "    |\n"
        "100 |     ab = 1\n"
        "    |     ^^ here\n"
        "    |\n"
        "note: one\n"
        "note: two\n"
        "help: remove it\n"
        "\n"
        "1 error; nothing was simulated\n");
}

TEST_CASE("a diagnostic fits in one sentence") {
  Sources sources;
  const SourceFile& file = sources.add("x.toml", "ab = 1\n", SourceRole::given);
  Diagnostic diagnostic = at(file, 1, 1, "E104", "unknown key `ab`");
  CHECK(diagnostic.sentence() == "E104 x.toml:1:1: unknown key `ab`; here");
  diagnostic.label = "";
  diagnostic.help = "remove it";
  CHECK(diagnostic.sentence() == "E104 x.toml:1:1: unknown key `ab`; remove it");
  diagnostic.location = {};
  CHECK(diagnostic.sentence() == "E104 unknown key `ab`; remove it");
}

TEST_CASE("diagnostics are sorted by source, line, column and code; the same one appears once") {
  Sources sources;
  const SourceFile& first = sources.add("a.toml", "aa bb\ncc\n", SourceRole::given);
  const SourceFile& second = sources.add("b.toml", "aa bb\ncc\n", SourceRole::given);
  Diagnostics diagnostics;
  diagnostics.add(at(second, 1, 1, "E104", "in the second file"));
  diagnostics.add(at(first, 2, 1, "E104", "second line"));
  diagnostics.add(at(first, 1, 4, "E104", "second column"));
  diagnostics.add(at(first, 1, 1, "E121", "second code"));
  diagnostics.add(at(first, 1, 1, "E104", "first"));
  diagnostics.add(at(first, 1, 1, "E104", "first"));
  diagnostics.add({"E101", {}, "nowhere", "", {}, "", ""});
  std::vector<std::string> messages;
  for (const Diagnostic& d : diagnostics.sorted()) messages.push_back(d.message);
  CHECK(messages == std::vector<std::string>{"nowhere", "first", "second code", "second column",
                                             "second line", "in the second file"});
  CHECK(diagnostics.errors() == 6);
}

TEST_CASE("warnings do not count as errors") {
  Sources sources;
  const SourceFile& file = sources.add("a.toml", "aa\n", SourceRole::given);
  Diagnostics diagnostics;
  diagnostics.add(at(file, 1, 1, "W134", "odd"));
  CHECK_FALSE(diagnostics.has_errors());
  CHECK(diagnostics.warnings() == 1);
  CHECK(diagnostics.text("nothing was simulated") ==
        "warning[W134]: odd\n"
        "  --> a.toml:1:1\n"
        "   |\n"
        " 1 | aa\n"
        "   | ^^ here\n"
        "\n"
        "1 warning\n");
  diagnostics.add(at(file, 1, 1, "E104", "wrong"));
  CHECK(diagnostics.text("nothing was simulated")
            .ends_with("1 error, 1 warning; nothing was simulated\n"));
}

// The excerpt of a diagnostic about one line, without its place.
std::string excerpt(const std::string& line, std::uint32_t column, std::uint32_t end_column,
                    const std::string& label = "") {
  Sources sources;
  Diagnostic diagnostic;
  diagnostic.code = "E104";
  diagnostic.location = {&sources.add("x", line, SourceRole::given), {1, column, end_column}};
  diagnostic.label = label;
  Diagnostics diagnostics;
  diagnostics.add(diagnostic);
  const std::string text = diagnostics.text("");
  const std::size_t begin = text.find(" 1 | ");
  return text.substr(begin, text.find("\n\n") + 1 - begin);
}

TEST_CASE("carets stand under what is marked: tabs, letters of several bytes, wide ones") {
  CHECK(excerpt("\ta\tb", 4, 5) ==
        " 1 |     a    b\n"
        "   |          ^\n");
  CHECK(excerpt("\u00e9\u00b5 = x", 6, 7) ==
        " 1 | \u00e9\u00b5 = x\n"
        "   |      ^\n");
  CHECK(excerpt("\u65e5\u672c = x", 1, 3) ==
        " 1 | \u65e5\u672c = x\n"
        "   | ^^^^\n");
  CHECK(excerpt("\u65e5\u672c = x", 6, 7) ==
        " 1 | \u65e5\u672c = x\n"
        "   |        ^\n");
  // An accent that is a character of its own takes no room.
  CHECK(excerpt("e\u0301 = x", 6, 7) ==
        " 1 | e\u0301 = x\n"
        "   |     ^\n");
}

TEST_CASE("nothing of a file reaches the terminal as a command") {
  CHECK(excerpt("a\x1b[31m\x07 \xff", 2, 3) ==
        " 1 | a\uFFFD[31m\uFFFD \uFFFD\n"
        "   |  ^\n");
}

TEST_CASE("of a long line the marked part is shown, within 80 columns") {
  // 75 columns are left beside the margin; an ellipsis takes three.
  const std::string start = excerpt("key" + std::string(200, 'x'), 1, 4);
  CHECK(start == " 1 | key" + std::string(69, 'x') + "...\n   | ^^^\n");
  // A third of the room is before the place: columns 176 to 200, the 25 before it.
  const std::string middle =
      excerpt(std::string(200, 'a') + "key" + std::string(200, 'b'), 201, 204);
  CHECK(middle == " 1 | ..." + std::string(25, 'a') + "key" + std::string(41, 'b') +
                      "...\n   |    " + std::string(25, ' ') + "^^^\n");
  const std::string end = excerpt(std::string(200, 'a') + "key", 201, 204);
  CHECK(end ==
        " 1 | ..." + std::string(25, 'a') + "key\n   |    " + std::string(25, ' ') + "^^^\n");
  // What does not fit is not marked either.
  const std::string all = excerpt(std::string(200, 'a'), 1, 201);
  CHECK(all == " 1 | " + std::string(72, 'a') + "...\n   | " + std::string(72, '^') + "\n");
}

TEST_CASE("a label without room beside the carets stands below them") {
  // 5 columns of margin, 41 of carets, a blank and 33 of label: 80.
  const std::string fits(33, 'l');
  CHECK(excerpt(std::string(41, 'a'), 1, 42, fits) ==
        " 1 | " + std::string(41, 'a') + "\n   | " + std::string(41, '^') + " " + fits + "\n");
  CHECK(excerpt(std::string(41, 'a'), 1, 42, fits + "l") == " 1 | " + std::string(41, 'a') +
                                                                "\n   | " + std::string(41, '^') +
                                                                "\n   | " + fits + "l\n");
}

TEST_CASE("messages, notes and help are broken between words at 80 columns") {
  Diagnostic diagnostic;
  diagnostic.code = "E101";
  const std::string words(17,
                          'w');  // "error[E101]: " takes 13: three words with their blanks make 66
  diagnostic.message = words + " " + words + " " + words + " " + words;
  diagnostic.help = diagnostic.message + " " + words;
  Diagnostics diagnostics;
  diagnostics.add(diagnostic);
  CHECK(diagnostics.text("") == "error[E101]: " + words + " " + words + " " + words + "\n  " +
                                    words + "\nhelp: " + words + " " + words + " " + words + " " +
                                    words + "\n      " + words + "\n\n1 error\n");
}

TEST_CASE("errors are shown before warnings crowd them out, in the order of the file") {
  Sources sources;
  const SourceFile& file = sources.add("a.toml", std::string(40, '\n'), SourceRole::given);
  Diagnostics diagnostics;
  for (std::uint32_t line = 1; line <= 25; ++line) diagnostics.add(at(file, line, 1, "W134", "w"));
  diagnostics.add(at(file, 30, 1, "E104", "e"));
  const std::string text = diagnostics.text("");
  CHECK(text.find("a.toml:19:1") != std::string::npos);
  CHECK(text.find("a.toml:20:1") == std::string::npos);
  CHECK(text.find("a.toml:30:1") != std::string::npos);
  CHECK(text.ends_with("1 error, 25 warnings (the first 20 are shown)\n"));
}

TEST_CASE("ten thousand diagnostics are no burden") {
  Sources sources;
  const SourceFile& file = sources.add("a.toml", std::string(20'000, '\n'), SourceRole::given);
  Diagnostics diagnostics;
  for (std::uint32_t line = 1; line <= 10'000; ++line) {
    diagnostics.add(at(file, line, 1, "E104", "x"));
    CHECK(diagnostics.errors_added() == line);
  }
  CHECK(diagnostics.errors() == 10'000);
}

TEST_CASE("at most twenty diagnostics are shown, and all are counted") {
  Sources sources;
  const SourceFile& file = sources.add("a.toml", std::string(30, '\n'), SourceRole::given);
  Diagnostics diagnostics;
  for (std::uint32_t line = 1; line <= 25; ++line) diagnostics.add(at(file, line, 1, "E104", "x"));
  const std::string text = diagnostics.text("nothing was simulated");
  CHECK(text.find("a.toml:20:1") != std::string::npos);
  CHECK(text.find("a.toml:21:1") == std::string::npos);
  CHECK(text.ends_with("25 errors (the first 20 are shown); nothing was simulated\n"));
  const std::string json = diagnostics.json();
  CHECK(json.find("\"line\":20") != std::string::npos);
  CHECK(json.find("\"line\":21") == std::string::npos);
  CHECK(json.find("\"errors\":25") != std::string::npos);
}

TEST_CASE("diagnostics as JSON carry the place, the code and a suggestion") {
  Sources sources;
  const SourceFile& file = sources.add("a.toml", "aa\n", SourceRole::given);
  Diagnostics diagnostics;
  Diagnostic diagnostic = at(file, 1, 1, "E104", "bytes that are not UTF-8: \xff");
  diagnostic.suggestion = "bb";
  diagnostics.add(diagnostic);
  CHECK(diagnostics.json() ==
        "{\"diagnostics\":[{\"code\":\"E104\",\"col\":1,\"end_col\":3,\"expected\":\"here\","
        "\"file\":\"a.toml\",\"help\":\"\",\"line\":1,"
        "\"message\":\"bytes that are not UTF-8: \uFFFD\",\"notes\":[],\"severity\":\"error\","
        "\"suggestion\":\"bb\"}],\"errors\":1,\"schema\":\"memsim.diagnostics/1\","
        "\"verdict\":\"invalid\",\"warnings\":0}\n");
}

TEST_CASE("a diagnostic without a place shows its label on a line of its own") {
  Diagnostics diagnostics;
  diagnostics.add({"E101", {}, "no gpu `x`", "did you mean `y`?", {}, "", ""});
  CHECK(diagnostics.text("") == "error[E101]: no gpu `x`\n  did you mean `y`?\n\n1 error\n");
}

}  // namespace memsim::scenarios
