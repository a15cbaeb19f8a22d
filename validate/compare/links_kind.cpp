// Kind "links": measured links and memories against the catalogue's machines
// (validate/data/links/README.md). Every figure of a row is a comparison of its own. A figure that
// the catalogue cites as the source of one of its own is not compared: that would hold it against
// itself.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validate/compare/kind.hpp"
#include "validate/compare/link_answers.hpp"
#include "validate/compare/link_citations.hpp"
#include "validate/compare/link_machines.hpp"
#include "validate/compare/link_questions.hpp"
#include "validate/compare/tolerance.hpp"
#include "validate/import/link_figures.hpp"
#include "validate/import/link_measurements.hpp"
#include "validate/import/text_file.hpp"

namespace memsim::validate {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kind_name = "links";
// Hosts of one model differ in board, firmware and settings, and single ones by factors.
constexpr Tolerance tolerance{0.08, 0.25};

bool recognises(const fs::path&, std::string_view head) {
  return head.starts_with(link_header) &&
         (head.size() == link_header.size() || head[link_header.size()] == '\n' ||
          head[link_header.size()] == '\r');
}

// The highest rate that the parts' data sheets allow for a question about memory; 0: another one.
double peak_of(const LinkQuestion& question, const models::SystemSpec& spec) {
  double peak = 0;
  if (question.subject == Subject::device_memory && !spec.gpus.empty()) {
    peak = static_cast<double>(spec.gpus[0].part.memory.bandwidth.value());
    peak *= static_cast<double>(std::max<std::int64_t>(question.devices, 1));
    if (question.half_traffic) peak /= 2;
  } else if (question.subject == Subject::host_memory) {
    for (const models::SocketSpec& socket : spec.host.sockets)
      for (const models::NumaSpec& numa : socket.numa)
        peak += static_cast<double>(numa.memory.bandwidth().value());
  }
  return peak;
}

// The systems that a row names, one by figure: "A100 / H100 / GB200" may list them as the value
// does.
std::vector<std::string> hardware_of(const LinkMeasurement& row, std::size_t figures) {
  std::vector<std::string> parts;
  std::string rest = without_parentheses(row.hardware);
  for (std::size_t at = rest.find(" / "); at != std::string::npos; at = rest.find(" / ")) {
    parts.push_back(rest.substr(0, at));
    rest = rest.substr(at + 3);
  }
  parts.push_back(rest);
  const bool listed = figures > 1 && parts.size() == figures;
  return listed ? parts : std::vector<std::string>(figures, row.hardware);
}

// "dgx-a100-80 (8 a100-sxm4-80gb, epyc-7742-2s)".
std::string machine_words(const LinkMachine& machine) {
  const models::SystemSpec& spec = machine.spec;
  const std::string gpus =
      spec.gpus.empty() ? "" : fmt::format("{} {}, ", spec.gpus.size(), spec.gpus[0].part.name);
  const std::string linked = machine.linked.empty() ? "" : ", on " + machine.linked;
  return fmt::format("{} ({}{}{})", spec.name.empty() ? "host" : spec.name, gpus, spec.host.name,
                     linked);
}

class Comparison {
 public:
  Comparison(const fs::path& file, const fs::path& data)
      : file_(file.string()), machines_(data / "scenarios") {}

  void add(const LinkMeasurement& measured, const scenarios::SourceFile& source,
           scenarios::Diagnostics& diagnostics) {
    const std::vector<Figure> figures = read_value(measured.value, measured.unit);
    const auto questions = questions_of(measured, figures.size());
    if (!questions) return refuse(measured, questions.error().message);
    if (!check_value(source, measured, diagnostics)) return;
    if (figures.empty()) return refuse(measured, "the value has no number");
    const std::vector<std::string> hardware = hardware_of(measured, figures.size());
    for (std::size_t i = 0; i < figures.size(); ++i) {
      Row row = row_of(measured, figures.size() > 1 ? fmt::format(" figure {}", i + 1) : "");
      row.status = Status::not_modelled;
      const Asked asked{measured, hardware[i], figures[i],
                        most_of(*questions, figures, hardware, i)};
      if ((*questions)[i])
        compare(asked, *(*questions)[i], row);
      else
        row.reason = (*questions)[i].error().message;
      if (row.status != Status::not_modelled) compared_.push_back(rows_.size());
      rows_.push_back(std::move(row));
    }
  }

  std::vector<Row> finish() {
    hold(tolerance, compared_, rows_);
    return std::move(rows_);
  }

 private:
  [[nodiscard]] Row row_of(const LinkMeasurement& measured, const std::string& which) const {
    Row row;
    row.kind = kind_name;
    row.file = file_;
    row.id = fmt::format("line {}{}: {}, {}", measured.line, which, measured.hardware,
                         measured.parameter);
    row.quantity = measured.what;
    return row;
  }

  // A figure of a row. `most`: the highest rate of memory that the row has of the same hardware.
  struct Asked {
    const LinkMeasurement& row;
    const std::string& hardware;
    const Figure& figure;
    double most;
  };

  // Of one device, in bytes read and written.
  static double most_of(const std::vector<sim::Result<LinkQuestion>>& questions,
                        const std::vector<Figure>& figures,
                        const std::vector<std::string>& hardware, std::size_t which) {
    double most = 0;
    for (std::size_t i = 0; i < figures.size(); ++i) {
      if (!questions[i] || hardware[i] != hardware[which]) continue;
      const LinkQuestion& question = *questions[i];
      const bool memory =
          question.subject == Subject::device_memory || question.subject == Subject::host_memory;
      constexpr sim::Bytes beyond_caches{1 << 30};
      const bool cached = question.sized && question.size < beyond_caches;
      if (!memory || cached || figures[i].kind != FigureKind::rate || figures[i].is_limit) continue;
      const auto devices = static_cast<double>(std::max<std::int64_t>(question.devices, 1));
      most = std::max(most, figures[i].middle() * (question.half_traffic ? 2 : 1) / devices);
    }
    return most;
  }

  void refuse(const LinkMeasurement& measured, std::string reason) {
    Row row = row_of(measured, "");
    row.status = Status::not_modelled;
    row.reason = std::move(reason);
    rows_.push_back(std::move(row));
  }

  void compare(const Asked& asked, const LinkQuestion& question, Row& row) const {
    row.quantity = quantity_of(question);
    const Figure& figure = asked.figure;
    if (figure.is_limit || figure.kind == FigureKind::other) {
      row.reason = figure.is_limit ? "a limit is no measurement" : "no rate and no time";
      return;
    }
    const bool rate = figure.kind == FigureKind::rate;
    row.unit = rate ? "GB/s" : "us";
    row.measured = number_value(figure.middle() * (rate ? 1e-9 : 1e6));
    const auto machine = machines_.find(asked.hardware, question, asked.most);
    if (!machine) {
      row.reason = machine.error().message;
      return;
    }
    row.asked = fmt::format("{}: {}", machine_words(*machine), description_of(question));
    if (!machine->unread.empty()) {
      row.reason = "the words of its hardware are not understood: " + machine->unread;
      return;
    }
    const double peak = peak_of(question, machine->spec);
    const double devices = question.subject == Subject::device_memory
                               ? static_cast<double>(std::max<std::int64_t>(question.devices, 1))
                               : 1;
    if (rate && peak > 0 && asked.most * devices > peak * (question.half_traffic ? 2 : 1)) {
      row.reason = other_machine;
      return;
    }
    const auto answer = answer_to(question, machine->spec);
    if (!answer || (rate ? answer->rate : answer->time) == 0) {
      row.reason =
          answer ? "a time where a rate is asked, or a rate for a time" : answer.error().message;
      return;
    }
    row.predicted = number_value(rate ? answer->rate * 1e-9 : answer->time * 1e6);
    row.error = relative_error(row.measured, row.predicted);
    if (is_cited(asked.row, figure, question, rate ? answer->rate : answer->time,
                 machine->sources)) {
      row.reason = "the catalogue's own figure comes from it";
      return;
    }
    row.status = Status::ok;
  }

  std::string file_;
  LinkMachines machines_;
  std::vector<Row> rows_;
  std::vector<std::size_t> compared_;
};

void run(const fs::path& file, const fs::path& data, const RowSink& sink) {
  const auto text = read_text_file(file);
  if (!text) return sink(input_error_row(kind_name, file.string(), "", text.error().message));
  const scenarios::SourceFile source(file.filename().string(), *text, scenarios::SourceRole::given,
                                     0);
  scenarios::Diagnostics diagnostics;
  const std::vector<LinkMeasurement> rows = parse_link_measurements(source, diagnostics);
  Comparison comparison(file, data);
  for (const LinkMeasurement& row : rows) comparison.add(row, source, diagnostics);
  add_input_errors(diagnostics, kind_name, file.string(), "", sink);
  for (Row& row : comparison.finish()) sink(std::move(row));
}

// A file of measurements stands alone.
bool companion(const fs::path&, const fs::path&) { return false; }
std::string orphan(const fs::path&, std::string_view) { return ""; }

}  // namespace

const Kind links_kind{kind_name, recognises, run, companion, orphan, Holding::all};

}  // namespace memsim::validate
