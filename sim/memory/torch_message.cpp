#include "sim/memory/torch_message.hpp"

#include <array>
#include <string_view>

#include "sim/core/int128.hpp"

namespace memsim::sim {
namespace {

// amount / unit with two decimals, ties to even: what printf makes of the exact quotient.
std::string hundredths(std::int64_t amount, std::int64_t unit) {
  const Int128 scaled = static_cast<Int128>(amount) * 100;
  std::int64_t quotient = narrow(scaled / unit);
  const std::int64_t twice_rest = 2 * narrow(scaled % unit);
  if (twice_rest > unit || (twice_rest == unit && quotient % 2 != 0)) ++quotient;
  const std::string decimals = std::to_string(quotient % 100);
  return std::to_string(quotient / 100) + (decimals.size() < 2 ? ".0" : ".") + decimals;
}

}  // namespace

std::string torch_format_size(Bytes amount) {
  constexpr std::array<std::string_view, 3> units{" KiB", " MiB", " GiB"};
  if (amount.value() <= 1024) return std::to_string(amount.value()) + " bytes";
  std::int64_t unit = 1024;
  std::size_t at = 0;
  while (at + 1 < units.size() && amount.value() > unit * 1024) {
    unit *= 1024;
    ++at;
  }
  return hundredths(amount.value(), unit).append(units[at]);
}

std::string torch_oom_message(const TorchOomFacts& facts) {
  std::string text = "CUDA out of memory. Tried to allocate ";
  text += torch_format_size(facts.segment);
  text += ". GPU " + std::to_string(facts.device) + " has a total capacity of ";
  text += torch_format_size(facts.capacity) + " of which ";
  text += torch_format_size(facts.free) + " is free. ";
  if (facts.process_known) {
    text += "Including non-PyTorch memory, this process has ";
    text += torch_format_size(facts.process) + " memory in use. ";
  }
  if (facts.limit) text += torch_format_size(*facts.limit) + " allowed; ";
  const Bytes allocated = facts.allocated + facts.in_private_pools;
  text += "Of the allocated memory ";
  text += torch_format_size(allocated) + " is allocated by PyTorch, ";
  if (facts.in_private_pools > Bytes(0))
    text += "with " + torch_format_size(facts.in_private_pools) +
            " allocated in private pools (e.g., CUDA Graphs), ";
  text += "and " + torch_format_size(facts.reserved - allocated);
  text +=
      " is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try "
      "setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See "
      "documentation for Memory Management  "
      "(https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)";
  return text;
}

std::string torch_oversize_message() {
  return "CUDA out of memory. Tried to allocate more than 1EB memory.";
}

}  // namespace memsim::sim
