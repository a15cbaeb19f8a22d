#include "scenarios/schema/display.hpp"

#include "tests/support/catch.hpp"

namespace memsim::scenarios {

TEST_CASE("columns are those of a terminal") {
  CHECK(columns("abc") == 3);
  CHECK(columns("\t") == 4);
  CHECK(columns("\u00e9") == 1);
  CHECK(columns("\u65e5\u672c") == 4);
  CHECK(columns("e\u0301") == 1);
  CHECK(columns("\U0001F600") == 2);
  CHECK(columns("") == 0);
}

TEST_CASE("bytes that are not UTF-8, and characters that steer terminals, are replaced") {
  CHECK(printable("a\x1b[1m") == "a\uFFFD[1m");
  CHECK(printable("a\nb\x7f") == "a\uFFFDb\uFFFD");
  CHECK(printable("\xff\xfe") == "\uFFFD\uFFFD");
  CHECK(printable("\xc3") == "\uFFFD");          // cut
  CHECK(printable("\xc0\xaf") == "\uFFFD");      // longer than needed
  CHECK(printable("\xed\xa0\x80") == "\uFFFD");  // a surrogate
  CHECK(printable("a\u202eb") == "a\uFFFDb");    // right to left
  CHECK(printable("\u00e9\u65e5\U0001F600") == "\u00e9\u65e5\U0001F600");
}

TEST_CASE("words of input are cut to 60 columns") {
  CHECK(in_quotes("abc") == "`abc`");
  const std::string sixty(60, 'x');
  CHECK(shortened(sixty) == sixty);
  CHECK(shortened(sixty + "x") == std::string(57, 'x') + "...");
  std::string wide;
  for (int i = 0; i < 31; ++i) wide += "\u65e5";
  CHECK(columns(shortened(wide)) <= 60);
  CHECK(shortened(wide).ends_with("..."));
  CHECK(shortened(std::string(1'000'000, 'x')).size() == 60);
}

TEST_CASE("text is broken between words, never within") {
  CHECK(wrapped("a b", "> ", "  ") == "> a b\n");
  CHECK(wrapped("", "> ", "  ") == "> \n");
  const std::string word(40, 'w');
  CHECK(wrapped(word + " " + word, "", "  ") == word + "\n  " + word + "\n");
  const std::string fits(39, 'w');  // 39 + 1 + 40 = 80
  CHECK(wrapped(fits + " " + word, "", "  ") == fits + " " + word + "\n");
  const std::string path(100, 'p');
  CHECK(wrapped("no " + path + " here", "", "  ") == "no\n  " + path + "\n  here\n");
}

}  // namespace memsim::scenarios
