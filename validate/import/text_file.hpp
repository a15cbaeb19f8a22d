// Whole text files, plain or gzip (told apart by content, not by name).
#pragma once

#include <filesystem>
#include <string>

#include "sim/core/result.hpp"

namespace memsim::validate {

// Errors: missing, unreadable, damaged gzip; the message names the path.
sim::Result<std::string> read_text_file(const std::filesystem::path& path);

// The first `limit` bytes of the (decompressed) text.
sim::Result<std::string> read_text_head(const std::filesystem::path& path, std::size_t limit);

}  // namespace memsim::validate
