// The keys of a table whose values are not known: what was wrong with them is in the diagnostics.
// Checks that read none of them still look.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memsim::scenarios {

class Faults {
 public:
  // A path from the table that was read: "gpu[0].memory.capacity".
  void add(std::string path);

  [[nodiscard]] bool empty() const { return paths_.empty(); }
  // Whether the value at a path is not known, or no value of a table around it. A path that ends
  // with "[*]" is a list with all that is in it.
  [[nodiscard]] bool hide(std::string_view path) const;

 private:
  std::vector<std::string> paths_;
};

}  // namespace memsim::scenarios
