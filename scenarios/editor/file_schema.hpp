// The JSON Schema of each kind of file that people write.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memsim::scenarios {

// "hardware" (of any kind), "system", "gpu", ..., "model", "training".
std::vector<std::string> file_schema_names();

// Empty if there is none of that name.
std::optional<std::string> file_schema(std::string_view name);

}  // namespace memsim::scenarios
