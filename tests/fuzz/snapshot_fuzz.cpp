// Snapshots of PyTorch's memory (pickles), replayed as they are read.
#include "scenarios/replay/replay.hpp"
#include "tests/fuzz/invariants.hpp"
#include "validate/import/torch_snapshot.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memsim;
  const auto trace = validate::Pickle::read(fuzz::text_of(data, size))
                         .and_then([](const validate::Pickle& pickle) {
                           return validate::read_torch_snapshot(pickle);
                         });
  if (!trace) {
    fuzz::require(!trace.error().message.empty(), "why a snapshot cannot be read");
    return 0;
  }
  const scenarios::ReplayRun run =
      scenarios::replay(*trace, {"torch", ""}, sim::Bytes(std::int64_t{1} << 36));
  fuzz::require(run.end.usage.allocated <= run.end.usage.reserved, "more allocated than reserved");
  return 0;
}
