// Whole text files, plain or gzip (told apart by content, not by name).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sim/core/result.hpp"

namespace memsim::validate {

// Larger texts are not read: no data of ours comes near, and a small gzip file can hold terabytes.
inline constexpr std::size_t largest_text = std::size_t{1} << 28;

// Errors: missing, no regular file, unreadable, damaged gzip, too large; the message names the
// path.
sim::Result<std::string> read_text_file(const std::filesystem::path& path);

// The first `limit` bytes of the (decompressed) text.
sim::Result<std::string> read_text_head(const std::filesystem::path& path, std::size_t limit);

// A path without ".gz".
std::filesystem::path without_gz(const std::filesystem::path& path);

// The file at `path`, plain or with ".gz" behind it. Errors: neither is there, or both.
sim::Result<std::filesystem::path> find_text_file(const std::filesystem::path& path);

}  // namespace memsim::validate
