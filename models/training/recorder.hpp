// Writes a Program of one host thread, one stream and one memory: takes allocations, releases and
// kernels one by one, cuts them into blocks, and writes equal blocks once.
//
// Slots. A storage that lives and dies between two cuts is local to its block. One that crosses a
// cut gets a program slot: the lowest that is free of those with the same lifetime, or a new one
// (so that what is kept does not move what comes and goes, and steps that do the same use the same
// slots). Within a block, slots are numbered by first appearance.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <queue>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/machine/kernel.hpp"
#include "sim/exec/program.hpp"

namespace memsim::models {

using Label = std::uint32_t;

// passing: comes and goes with the work. named: held by a name of the script, which takes the same
// slot again when it is bound again. kept: never released.
enum class Lifetime : std::uint8_t { passing, named, kept };

// A place between two instructions of the program.
using Mark = std::size_t;

class Recorder {
 public:
  using Id = std::uint32_t;
  static constexpr std::uint32_t no_slot = 0xFFFFFFFF;

  Label label(std::string_view name);

  // Requires: bytes > 0.
  Id allocate(std::int64_t bytes, sim::Category category, Label label, Lifetime lifetime);
  // Requires: `id` is allocated.
  void release(Id id);
  void relabel(Id id, sim::Category category);
  void launch(Label label, const KernelWork& work);
  void synchronize();

  // Ends the block under way; does nothing if it is empty.
  void cut();
  // What follows counts for the phase of that name.
  void phase(const std::string& name);

  // Cuts. What is recorded between two marks can be repeated.
  Mark mark();
  // Repeats the instructions in [begin, end) `count` more times. Phases whose name begins with
  // `from` become those that begin with `to`. Requires: the slots in use are the same at `begin`,
  // `end` and now.
  void repeat(Mark begin, Mark end, std::int64_t count, std::string_view from, std::string_view to);

  // The program slot of a storage, or no_slot. Requires: nothing recorded since the last cut.
  [[nodiscard]] std::uint32_t slot(Id id) const { return storages_[id].slot; }
  // Floating-point operations of all kernels so far.
  [[nodiscard]] std::int64_t flops() const { return flops_; }

  struct Recording {
    sim::Program program;
    std::vector<KernelWork> kernels;
  };
  Recording finish();

 private:
  using SlotQueue = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;

  struct StorageRecord {
    std::uint32_t slot = no_slot;
    std::uint32_t touch = 0;  // index into touched_, if block is the one under way
    std::uint64_t block = 0;  // last block that named it
    Lifetime lifetime = Lifetime::passing;
  };
  // A storage that the block under way names.
  struct Touch {
    Id id;
    bool born = false;  // in this block
    bool died = false;  // in this block
  };

  std::uint32_t touch(Id id);
  void add(sim::OpCode code, std::uint32_t target, Label label, sim::Category category,
           std::int64_t amount);
  SlotQueue& free_slots(Lifetime lifetime) {
    return free_slots_[static_cast<std::size_t>(lifetime)];
  }
  std::uint32_t take_slot(Lifetime lifetime);
  std::uint32_t number_slots();
  std::uint32_t intern(std::uint32_t bound);
  void bind_arguments(std::uint32_t bound);
  std::uint32_t phase_index(const std::string& name);

  sim::Program program_;
  std::vector<KernelWork> kernels_;
  std::vector<sim::Instruction> instructions_;
  std::vector<StorageRecord> storages_;
  std::vector<Id> free_ids_;
  std::array<SlotQueue, 3> free_slots_;  // by lifetime

  std::vector<sim::Op> ops_;  // of the block under way; targets are indices into touched_
  std::vector<Touch> touched_;
  std::vector<std::uint32_t> numbers_;  // by touched_: slots within the block
  std::vector<Id> died_;                // ids given back at the next cut
  std::uint64_t block_ = 1;

  std::map<std::string, Label, std::less<>> labels_;
  std::map<std::pair<Label, KernelWork>, std::uint32_t> works_;
  std::map<std::string, std::uint32_t> phases_;
  std::map<std::uint64_t, std::vector<std::uint32_t>> blocks_;  // by digest
  std::int64_t flops_ = 0;
};

}  // namespace memsim::models
