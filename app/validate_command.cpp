// memsim validate: is it true? Runs measured and published data and prints how far off memsim is.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/command.hpp"
#include "app/console.hpp"
#include "validate/compare/data_files.hpp"
#include "validate/compare/json_report.hpp"
#include "validate/compare/summary.hpp"
#include "validate/compare/text_report.hpp"

namespace memsim::app {
namespace {

namespace fs = std::filesystem;

// The data that comes with memsim is named as it lies below `data`, wherever that is.
void shorten_names(const fs::path& data, validate::DataFiles& found) {
  const auto shorten = [&](std::string& name) {
    name = fs::path(name).lexically_relative(data).generic_string();
  };
  for (validate::DataFile& file : found.recognised) shorten(file.shown);
  for (validate::Row& row : found.others) shorten(row.file);
}

// Rows come one file at a time and are printed (JSON) or condensed (text), never all kept.
class Validation {
 public:
  explicit Validation(const Common& common) : common_(common) {}

  ExitCode run(const validate::DataFiles& found) {
    if (common_.json) print(json_.begin());
    for (const validate::Row& row : found.others) add(row);
    for (const validate::DataFile& file : found.recognised) {
      file.kind->run(file.path, common_.data, [&](validate::Row row) {
        row.file = file.shown;
        add(row);
      });
    }
    const auto files = static_cast<std::int64_t>(found.recognised.size());
    if (common_.json)
      print(json_.end(summary_.lines()));
    else if (common_.quiet)
      print(validate::outcome_line(summary_, files));
    else
      print(text_.render(summary_, files));
    return exit_code();
  }

 private:
  void add(const validate::Row& row) {
    summary_.add(row);
    if (!common_.json)
      text_.add(row);
    else if (!common_.quiet)
      print(json_.row(row));
  }

  // Data that cannot be read outweighs rows that are off: the comparison is not complete.
  [[nodiscard]] ExitCode exit_code() const {
    if (summary_.count(validate::Status::input_error) > 0) return ExitCode::input_error;
    return summary_.count(validate::Status::off) > 0 ? ExitCode::no_fit : ExitCode::fit;
  }

  const Common& common_;
  validate::JsonReport json_;
  validate::TextReport text_;
  validate::Summary summary_;
};

}  // namespace

void add_validate_command(CLI::App& root, Common& common, Action& action) {
  CLI::App* command =
      root.add_subcommand("validate", "Compares memsim with measured and published data");
  const auto paths = std::make_shared<std::vector<fs::path>>();
  command->add_option("PATH", *paths,
                      "Data files or folders, recognised by content\n"
                      "(default: the data that comes with memsim)");
  command->footer(
      "Exit codes: 0 all compared rows are within tolerance, 1 rows are off,\n"
      "            2 something could not be read. Rows that are not modelled do not\n"
      "            count.");
  add_common_options(*command, common);
  command->callback([&common, &action, paths] {
    action = [&common, paths] {
      if (!paths->empty()) return Validation(common).run(validate::find_data_files(*paths));
      const std::vector<fs::path> shipped{common.data / "validate" / "data"};
      validate::DataFiles found = validate::find_data_files(shipped);
      shorten_names(common.data, found);
      return Validation(common).run(found);
    };
  });
}

}  // namespace memsim::app
