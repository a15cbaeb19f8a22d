#include "scenarios/workload/model_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/network/network.hpp"
#include "sim/core/int128.hpp"

namespace memsim::scenarios {
namespace {

using sim::Int128;

// 9 PB. What a plan computes from bytes stays within 64 bits up to here.
constexpr Int128 most_bytes = Int128{1} << 53;

Int128 bytes_of(std::span<const std::int64_t> shape, models::DataType type) {
  Int128 bytes = models::size_of(type);
  for (const std::int64_t extent : shape) bytes *= extent;
  return bytes;
}

struct Size {
  Int128 total = 0;
  Int128 largest = 0;
  const std::string* name = nullptr;
  std::span<const std::int64_t> shape;  // of the largest tensor

  void add(const std::string& tensor, std::span<const std::int64_t> extents,
           models::DataType type) {
    const Int128 bytes = bytes_of(extents, type);
    total += bytes;
    if (bytes <= largest) return;
    largest = bytes;
    name = &tensor;
    shape = extents;
  }
};

Size size_of(const models::Network& network) {
  Size size;
  for (const models::Parameter& parameter : network.parameters)
    size.add(parameter.name, parameter.shape, models::DataType::fp32);
  for (const models::Buffer& buffer : network.buffers)
    size.add(buffer.name, buffer.shape, buffer.type);
  return size;
}

// The setting that an extent is a multiple of, the largest one; null if there is none.
const Setting* origin_of(std::int64_t extent, const Settings& settings) {
  const Setting* origin = nullptr;
  std::int64_t largest = 1;
  for (const Setting& setting : settings) {
    const char* end = setting.value.data() + setting.value.size();
    std::int64_t value = 0;
    const auto read = std::from_chars(setting.value.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end || value <= largest || extent % value != 0) {
      continue;
    }
    largest = value;
    origin = &setting;
  }
  return origin;
}

}  // namespace

bool check_size(const models::Network& network, const Settings& settings,
                Diagnostics& diagnostics) {
  const Size size = size_of(network);
  if (size.total <= most_bytes) return true;
  Diagnostic diagnostic;
  diagnostic.code = "E137";
  diagnostic.message = "the model has more than 2^53 bytes (9 PB) of parameters and buffers";
  std::string extents;
  for (const std::int64_t extent : size.shape) {
    const Setting* setting = origin_of(extent, settings);
    extents += fmt::format("{}{}", extents.empty() ? "" : " x ", extent);
    if (setting == nullptr) continue;
    extents += fmt::format(" ({} = {})", setting->path, setting->value);
    diagnostic.location = setting->location;
  }
  diagnostic.label = "one of the sizes that multiply to it";
  diagnostic.notes.push_back(fmt::format("the largest of {} tensors, {}, is {}",
                                         network.parameters.size() + network.buffers.size(),
                                         *size.name, extents));
  diagnostics.add(std::move(diagnostic));
  return false;
}

}  // namespace memsim::scenarios
