// One value of a reading, with the place it came from: `hw show` and the assumptions of an answer
// are lists of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/schema/source.hpp"

namespace memsim::scenarios {

struct Setting {
  std::string path;     // "gpu[0].memory.bandwidth"
  std::string value;    // as written: "1555 GB/s", 0.93, 8
  Location location;    // nowhere: a default
  std::string comment;  // behind the value on its line: catalogue files name their source there
  std::string help;     // what the key means
  std::string follows = {};  // the key with which this value changed; empty: it was stated itself
};

// "gpu/t4.toml:9", "inherited from gpu/v100.toml:4", "--set", "follows capacity (--set)",
// "default".
std::string origin(const Setting& setting);

// "gpu.memory.usable" for "gpu[0].memory.usable".
std::string without_indices(std::string_view path);

// What stands behind `#` on a line of TOML; empty without a comment.
std::string comment_of(std::string_view line);

using Settings = std::vector<Setting>;

}  // namespace memsim::scenarios
