#include "validate/compare/link_citations.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "validate/compare/hardware_words.hpp"

namespace memsim::validate {
namespace {

// What the figure of the catalogue may have been made of it: values in the unit of their kind.
struct Origin {
  FigureKind kind;
  double value;
  double end;  // of the figure, in its own unit
};

std::vector<Origin> origins_of(const Figure& figure, const LinkQuestion& question) {
  std::vector<Origin> origins;
  for (const double end : {figure.low, figure.high}) {
    origins.push_back({figure.kind, end, end});
    const auto devices = static_cast<double>(question.devices);
    if (devices > 1) origins.push_back({figure.kind, end / devices, end});
    if (question.half_traffic) origins.push_back({figure.kind, end * 2, end});
    if (question.half_traffic && devices > 1)
      origins.push_back({figure.kind, end * 2 / devices, end});
    if (figure.kind == FigureKind::time && end > 0)
      origins.push_back({FigureKind::rate, static_cast<double>(question.size.value()) / end, end});
  }
  return origins;
}

// With as many digits as the comment has.
bool is_number(const Figure& cited, double value, double scale) {
  constexpr double three_digits = 100;
  const double step = cited.step * scale;
  const double room = (value >= three_digits * step ? step / 2 : 0) + 1e-9 * value;
  return std::abs(value - cited.low * scale) <= room ||
         std::abs(value - cited.high * scale) <= room;
}

// How likely it is that a comment speaks of this figure.
enum class Match : std::uint8_t { none, number, many_digits };

Match match_of(const std::string& source, const Origin& origin, double scale) {
  constexpr double three_digits = 100;
  constexpr double four_digits = 1000;
  Match match = Match::none;
  const auto note = [&](const Figure& cited) {
    const bool many = cited.low / cited.step >= four_digits;
    match = std::max(match, many ? Match::many_digits : Match::number);
  };
  for (const Figure& cited : read_sentence(source))
    if (cited.kind == origin.kind && is_number(cited, origin.value, 1)) note(cited);
  // "BabelStream 3728": in the unit of the row. Few digits say nothing without a unit.
  for (const Figure& cited : read_bare_numbers(source))
    if (cited.low / cited.step >= three_digits && is_number(cited, origin.value, scale))
      note(cited);
  return match;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Words with letters and digits name parts, numbers behind '#' threads: shared ones tell that the
// comment speaks of the row.
bool names_row(const std::string& source, const LinkMeasurement& row) {
  const std::string text = row.hardware + " " + row.source;
  const std::vector<Word> theirs = words_of(text);
  for (const Word& word : words_of(source)) {
    const bool mixed = std::ranges::any_of(word.text, is_digit) &&
                       !std::ranges::all_of(word.text, is_digit) && !is_digit(word.text[0]);
    if (mixed && std::ranges::find(theirs, word.text, &Word::text) != theirs.end()) return true;
  }
  for (std::size_t at = source.find('#'); at != std::string::npos; at = source.find('#', at + 1)) {
    const std::size_t end = std::min(source.find_first_not_of("0123456789", at + 1), source.size());
    const std::string thread = source.substr(at, end - at);
    const std::size_t found = thread.size() > 1 ? text.find(thread) : std::string::npos;
    if (found == std::string::npos) continue;
    if (found + thread.size() == text.size() || !is_digit(text[found + thread.size()])) return true;
  }
  return false;
}

// Of one unit of the row's last digit, to bytes per second or seconds.
double scale_of(const LinkMeasurement& row) {
  const std::vector<Figure> one = read_value("1", row.unit);
  return one.empty() ? 1 : one[0].high;
}

}  // namespace

bool is_cited(const LinkMeasurement& row, const Figure& figure, const LinkQuestion& question,
              double predicted, const std::vector<std::string>& sources) {
  constexpr double same = 0.01;
  constexpr double near = 0.10;
  std::vector<Origin> origins = origins_of(figure, question);
  std::erase_if(origins,
                [&](const Origin& origin) { return std::abs(predicted / origin.end - 1) > near; });
  const double scale = scale_of(row);
  return std::ranges::any_of(sources, [&](const std::string& source) {
    const bool named = names_row(source, row);
    return std::ranges::any_of(origins, [&](const Origin& origin) {
      const Match match = match_of(source, origin, scale);
      return match == Match::many_digits ||
             (match == Match::number && (named || std::abs(predicted / origin.end - 1) <= same));
    });
  });
}

}  // namespace memsim::validate
