#include "tests/validate/probe/imaginary_gpu.hpp"

namespace memsim::probe {
namespace {

constexpr std::int64_t granularity = 2 * mib;

std::int64_t round_up(std::int64_t bytes) {
  return (bytes + granularity - 1) / granularity * granularity;
}

std::int64_t sum(const std::map<std::int64_t, std::int64_t>& values) {
  std::int64_t result = 0;
  for (const auto& [key, value] : values) result += value;
  return result;
}

}  // namespace

ImaginaryGpu& gpu() {
  static ImaginaryGpu instance;
  return instance;
}

std::int64_t ImaginaryGpu::taken() const {
  std::int64_t result = round_up(sum(small)) + sum(blocks);
  for (const auto& [address, bytes] : large) result += round_up(bytes);
  return result;
}

std::int64_t ImaginaryGpu::used() const {
  return others + (has_context ? context : 0) + (loaded ? kernels : 0) + taken();
}

bool ImaginaryGpu::holds() const {
  return taken() != 0 || !ranges.empty() || !mapped.empty() || !streams.empty() || !events.empty();
}

cudaError_t ImaginaryGpu::called(const char* function) {
  const int number = ++calls[function];
  return intercept ? intercept(function, number) : cudaSuccess;
}

bool ImaginaryGpu::take(std::int64_t bytes) {
  if (used() + bytes > total) return false;
  const std::int64_t free_without_us = total - used() + taken();
  took_more_than_half = took_more_than_half || 2 * (taken() + bytes) > free_without_us;
  return true;
}

}  // namespace memsim::probe
