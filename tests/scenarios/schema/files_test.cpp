#include "scenarios/schema/files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

namespace memsim::scenarios {
namespace {

// What is read, or the message and the label of what is said.
std::string contents(const std::filesystem::path& path) {
  Sources sources;
  Diagnostics diagnostics;
  const SourceFile* file = read_source(path, "name", SourceRole::given, {}, sources, diagnostics);
  CHECK((file == nullptr) == diagnostics.has_errors());
  if (file != nullptr) {
    CHECK(file->name() == "name");
    CHECK(file->path() == path.string());
    return file->text();
  }
  const Diagnostic found = diagnostics.sorted().front();
  CHECK(found.code == "E101");
  return found.message + "| " + found.label;
}

}  // namespace

TEST_CASE("a file is read as it is, without a byte-order mark") {
  const test::TemporaryFolder folder;
  CHECK(contents(folder.write("a.toml", "x = 1\r\n")) == "x = 1\r\n");
  CHECK(contents(folder.write("b.toml", "\xEF\xBB\xBFx = 1\n")) == "x = 1\n");
  CHECK(contents(folder.write("c.toml", "")).empty());
}

TEST_CASE("what cannot be read is an error that says why (E101)") {
  const test::TemporaryFolder folder;
  const auto says = [](const std::string& text, std::string_view end) {
    INFO(text);
    CHECK(text.ends_with(end));
  };
  says(contents(folder.path()), " cannot be read| it is a folder");
  says(contents(folder.path() / "none"), " cannot be read| No such file or directory");
  says(contents("/dev/zero"), "`/dev/zero` cannot be read| it has more than 16 MiB");
  says(contents(folder.write("large", std::string((16 << 20) + 1, ' '))),
       "| it has more than 16 MiB");
  const std::filesystem::path closed = folder.write("closed", "x = 1\n");
  std::filesystem::permissions(closed, std::filesystem::perms::none);
  // Whoever may read everything reads it all the same.
  if (geteuid() != 0) says(contents(closed), " cannot be read| Permission denied");
}

TEST_CASE("pipes are files, folders are not") {
  const test::TemporaryFolder folder;
  const std::filesystem::path pipe = folder.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(is_file(pipe));
  CHECK(is_file(folder.write("x", "")));
  CHECK_FALSE(is_file(folder.path()));
  CHECK_FALSE(is_file(folder.path() / "none"));
  std::thread writer([&] { std::ofstream(pipe) << "a = 1\n"; });
  CHECK(contents(pipe) == "a = 1\n");
  writer.join();
}

TEST_CASE("a missing file is reported with the nearest entry, a folder as one (E101)") {
  const test::TemporaryFolder folder;
  Sources sources;
  const auto report = [&](std::string wanted, std::vector<std::string> known, SourceRole role) {
    Diagnostics diagnostics;
    const Location at = whole(sources.add("f", wanted, role));
    report_missing({"gpu", wanted, wanted, std::move(known), "help"}, at, diagnostics);
    const Diagnostic found = diagnostics.sorted().front();
    return found.message + "| " + found.label + "| " + found.suggestion;
  };
  CHECK(report("a10O", {"a100", "t4"}, SourceRole::command_line) ==
        "no gpu `a10O`: neither a file nor in the catalogue| did you mean `a100`?| a100");
  CHECK(report("a10O", {"a100", "t4"}, SourceRole::given).ends_with("| \"a100\""));
  CHECK(report("x.toml", {}, SourceRole::command_line) ==
        "no gpu `x.toml`: there is no such file| | ");
  CHECK(report(folder.path().string(), {"a100"}, SourceRole::command_line)
            .ends_with("` is a folder| expected a file| "));
}

}  // namespace memsim::scenarios
