// Questions about transfers: the parts of the input are --from, --to, --size, --count, --numa and
// any number of --concurrent.
#include <algorithm>

#include "scenarios/transfer/question.hpp"
#include "tests/fuzz/invariants.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memsim;
  std::vector<std::string> words = fuzz::parts_of(fuzz::text_of(data, size));
  constexpr std::size_t fixed = 5;
  words.resize(std::max(words.size(), fixed));
  scenarios::TransferWords asked;
  asked.hardware = "4x4090";
  asked.from = words[0];
  asked.to = words[1];
  asked.size = words[2];
  asked.count = words[3];
  if (!words[4].empty()) asked.numa = words[4];
  asked.concurrent.assign(words.begin() + fixed, words.end());
  asked.pageable = words.size() % 2 == 0;
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;
  const auto question =
      scenarios::read_transfer(fuzz::shipped_scenarios(), asked, sources, diagnostics);
  fuzz::check_reading(diagnostics, question.has_value());
  if (!question) return 0;
  for (const scenarios::Transfer& transfer : question->transfers)
    fuzz::require(!question->machine.copy(transfer.copy).route.hops.empty(), "a way");
  return 0;
}
