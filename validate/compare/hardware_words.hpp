// Words in which people write of hardware, and what they match in names of the catalogue.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/machine/spec.hpp"

namespace memsim::validate {

// Lower-case words with single blanks between them and at both ends; "3:1", "x+y" and "0.5" stay
// whole.
std::string plain_words(std::string_view text);
// Whether the words of `phrase` stand in a row in `text`, which plain_words() made.
bool says(std::string_view text, std::string_view phrase);
bool says_any(std::string_view text, std::initializer_list<std::string_view> phrases);

// A word of letters and digits, in lower case.
struct Word {
  std::string text;
  bool hyphenated = false;  // directly behind a hyphen: "3e" in "H20-3e"
};
std::vector<Word> words_of(std::string_view text);

// What a GPU of the catalogue is called: its model, and the board and memory that tell its parts
// apart.
struct PartName {
  std::string model;                  // "a100", "rtx4070tisuper"
  std::vector<std::string> variants;  // "sxm4", "80gb"
};
PartName part_name(std::string_view name);
// Whether words in a row spell the model, and no other one that begins like it: "RTX 4090",
// "A100-80", not "H20-3e" or "RTX 4070 Ti".
bool spells(const std::vector<Word>& words, const std::string& model);
// The first word at which they do, if they do.
std::optional<std::size_t> place_of(const std::vector<Word>& words, const std::string& model);
// How well the variants fit what was written; of equal ones modules come before cards.
int fit_of(const PartName& part, const std::vector<Word>& words);

// "8x ...", "x8", "(8 GPU)", "dual"; 0: not said.
std::size_t count_of(std::string_view hardware);

// "Gen4 x8", "PCIe 4.0", "on x8 link"; 0: not said.
struct PcieWords {
  int generation = 0;
  int lanes = 0;
};
PcieWords pcie_of(std::string_view hardware);

// How likely a system is meant, by its name, the plain words of its description, and its parts:
// every word of the name that is written counts, and the number of GPUs; servers come before
// desktops, both before instances of clouds.
int system_score(const std::string& name, const std::string& about, const models::SystemSpec& spec,
                 std::string_view hardware);

// Whether words name a host: its model ("8180"), or the generation that its description names. Of
// its memory (`memory`) a generation says nothing: channels and the links between sockets differ by
// model.
bool names_host(const std::string& name, const std::string& about, std::string_view hardware,
                bool memory);

}  // namespace memsim::validate
