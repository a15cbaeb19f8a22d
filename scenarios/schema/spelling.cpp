#include "scenarios/schema/spelling.hpp"

#include <algorithm>
#include <vector>

namespace memsim::scenarios {
namespace {

constexpr std::size_t near_enough = 2;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::vector<std::string> words(std::string_view name) {
  std::vector<std::string> result;
  std::string word;
  for (const char c : lower(name) + "_") {
    if (c != '_' && c != '-' && c != '.' && c != ' ') {
      word += c;
    } else if (!word.empty()) {
      result.push_back(std::move(word));
      word.clear();
    }
  }
  return result;
}

bool share_a_word(std::string_view a, std::string_view b) {
  const std::vector<std::string> of_b = words(b);
  return std::ranges::any_of(words(a), [&](const std::string& word) {
    return std::ranges::find(of_b, word) != of_b.end();
  });
}

}  // namespace

bool equal_but_for_case(std::string_view a, std::string_view b) { return lower(a) == lower(b); }

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the table for the prefixes of `a` two before, one before, and now.
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string misspelt(std::string_view unknown, std::span<const std::string> candidates) {
  const std::string wanted = lower(unknown);
  std::string best;
  std::size_t least = near_enough + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(candidate.size(), unknown.size());
    if (longer > std::min(candidate.size(), unknown.size()) + near_enough) continue;
    const std::size_t distance = edit_distance(wanted, lower(candidate));
    if (distance >= least || 2 * distance >= longer) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

std::string nearest(std::string_view unknown, std::span<const std::string> candidates) {
  if (std::string near = misspelt(unknown, candidates); !near.empty()) return near;
  for (const std::string& candidate : candidates) {
    if (share_a_word(unknown, candidate)) return candidate;
  }
  return "";
}

}  // namespace memsim::scenarios
