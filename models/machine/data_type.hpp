// Number formats of tensors and of arithmetic.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace memsim::models {

// tf32 is a way to compute, not to store: its tensors are fp32.
enum class DataType : std::uint8_t {
  fp32,
  tf32,
  fp16,
  bf16,
  fp8,
  int8,
  int32,
  int64,
  boolean,
  fp64
};

inline constexpr std::size_t data_type_count = 10;

constexpr std::array<std::string_view, data_type_count> data_type_names{
    "fp32", "tf32", "fp16", "bf16", "fp8", "int8", "int32", "int64", "bool", "fp64"};

constexpr std::string_view name(DataType type) {
  return data_type_names[static_cast<std::size_t>(type)];
}

// Bytes of one element in memory.
constexpr std::int64_t size_of(DataType type) {
  constexpr std::array<std::int64_t, data_type_count> sizes{4, 4, 2, 2, 1, 1, 4, 8, 1, 8};
  return sizes[static_cast<std::size_t>(type)];
}

}  // namespace memsim::models
