#include "validate/import/text_lines.hpp"

#include "tests/support/catch.hpp"

namespace memsim::validate {

TEST_CASE("a text is cut into lines, whatever ends them") {
  std::string_view text = "one\ntwo\r\n\nlast";
  CHECK(next_line(text) == "one");
  CHECK(next_line(text) == "two");
  CHECK(next_line(text).empty());
  CHECK(next_line(text) == "last");
  CHECK(text.empty());
}

TEST_CASE("a line is cut into words at blanks and tabs") {
  CHECK(split_words("  alloc\t1  512 0 ") ==
        std::vector<std::string_view>{"alloc", "1", "512", "0"});
  CHECK(split_words(" \t").empty());
  CHECK(split_words("").empty());
}

}  // namespace memsim::validate
