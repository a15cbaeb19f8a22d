#include "models/training/recorder.hpp"

#include <utility>

#include "sim/core/check.hpp"
#include "sim/core/digest.hpp"
#include "sim/core/units.hpp"
#include "sim/exec/program_walk.hpp"

namespace memsim::models {
namespace {

std::uint64_t fingerprint(const std::vector<sim::Op>& ops) {
  sim::Digest digest;
  for (const sim::Op& op : ops)
    digest
        .add((static_cast<std::uint64_t>(op.code) << 40) +
             (static_cast<std::uint64_t>(op.category) << 32) + op.target)
        .add((static_cast<std::uint64_t>(op.label) << 32) + op.stream)
        .add(op.amount);
  return digest.value();
}

}  // namespace

Label Recorder::label(std::string_view name) {
  const auto known = labels_.find(name);
  if (known != labels_.end()) return known->second;
  const auto index = static_cast<Label>(program_.labels.size());
  program_.labels.emplace_back(name);
  labels_.emplace(std::string(name), index);
  return index;
}

void Recorder::add(sim::OpCode code, std::uint32_t target, Label label, sim::Category category,
                   std::int64_t amount) {
  sim::Op op{};
  op.code = code;
  op.category = category;
  op.target = target;
  op.label = label;
  op.amount = amount;
  ops_.push_back(op);
}

std::uint32_t Recorder::touch(Id id) {
  StorageRecord& storage = storages_[id];
  if (storage.block != block_) {
    storage.block = block_;
    storage.touch = static_cast<std::uint32_t>(touched_.size());
    touched_.push_back({id, false, false});
  }
  return storage.touch;
}

Recorder::Id Recorder::allocate(std::int64_t bytes, sim::Category category, Label label,
                                Lifetime lifetime) {
  Id id = 0;
  if (free_ids_.empty()) {
    id = static_cast<Id>(storages_.size());
    storages_.emplace_back();
  } else {
    id = free_ids_.back();
    free_ids_.pop_back();
  }
  storages_[id] = {no_slot, 0, 0, lifetime};
  const std::uint32_t target = touch(id);
  touched_[target].born = true;
  add(sim::OpCode::allocate, target, label, category, bytes);
  return id;
}

void Recorder::release(Id id) {
  const std::uint32_t target = touch(id);
  touched_[target].died = true;
  add(sim::OpCode::release, target, 0, sim::Category::temporaries, 0);
  died_.push_back(id);
}

void Recorder::relabel(Id id, sim::Category category) {
  add(sim::OpCode::relabel, touch(id), 0, category, 0);
}

void Recorder::launch(Label label, const KernelWork& work) {
  const auto index = static_cast<std::uint32_t>(kernels_.size());
  const auto [entry, added] = works_.try_emplace({label, work}, index);
  if (added) {
    kernels_.push_back(work);
    sim::Work bare;
    bare.label = label;
    program_.works.push_back(bare);
  }
  flops_ = sim::checked_add(flops_, work.flops);
  add(sim::OpCode::launch, entry->second, label, sim::Category::temporaries, 0);
}

void Recorder::synchronize() {
  add(sim::OpCode::synchronize_stream, 0, 0, sim::Category::temporaries, 0);
}

std::uint32_t Recorder::take_slot(Lifetime lifetime) {
  SlotQueue& free = free_slots(lifetime);
  if (free.empty()) return program_.slots++;
  const std::uint32_t slot = free.top();
  free.pop();
  return slot;
}

// Numbers what crosses the block's borders first, then what lives inside. Returns how many cross.
std::uint32_t Recorder::number_slots() {
  numbers_.resize(touched_.size());
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < touched_.size(); ++i)
    if (!touched_[i].born || !touched_[i].died) numbers_[i] = next++;
  const std::uint32_t bound = next;
  for (std::size_t i = 0; i < touched_.size(); ++i)
    if (touched_[i].born && touched_[i].died) numbers_[i] = next++;
  return bound;
}

// The block under way, or an equal one that is there already.
std::uint32_t Recorder::intern(std::uint32_t bound) {
  const auto slots = static_cast<std::uint32_t>(numbers_.size());
  std::vector<std::uint32_t>& candidates = blocks_[fingerprint(ops_)];
  for (const std::uint32_t index : candidates) {
    const sim::Block& block = program_.blocks[index];
    if (block.bound == bound && block.slots == slots && block.ops == ops_) return index;
  }
  const auto index = static_cast<std::uint32_t>(program_.blocks.size());
  program_.blocks.push_back({ops_, bound, slots});
  candidates.push_back(index);
  return index;
}

// Arguments are numbered in the order of touched_, so they are written in that order. Slots of what
// dies are given back only after all have been bound: within a block they must not coincide.
void Recorder::bind_arguments(std::uint32_t bound) {
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    if (numbers_[i] >= bound) continue;
    StorageRecord& storage = storages_[touched_[i].id];
    if (touched_[i].born) storage.slot = take_slot(storage.lifetime);
    program_.bindings.push_back(storage.slot);
  }
  for (const Touch& touched : touched_)
    if (touched.died && !touched.born)
      free_slots(storages_[touched.id].lifetime).push(storages_[touched.id].slot);
}

void Recorder::cut() {
  if (ops_.empty()) return;
  const std::uint32_t bound = number_slots();
  for (sim::Op& op : ops_)
    if (sim::names_slot(op.code)) op.target = numbers_[op.target];
  sim::Instruction call{};
  call.step = sim::Step::call;
  call.first = static_cast<std::uint32_t>(program_.bindings.size());
  bind_arguments(bound);
  call.index = intern(bound);
  instructions_.push_back(call);

  free_ids_.insert(free_ids_.end(), died_.begin(), died_.end());
  died_.clear();
  ops_.clear();
  touched_.clear();
  ++block_;
}

std::uint32_t Recorder::phase_index(const std::string& name) {
  const auto next = static_cast<std::uint32_t>(program_.phases.size());
  const auto [entry, added] = phases_.try_emplace(name, next);
  if (added) program_.phases.push_back(name);
  return entry->second;
}

void Recorder::phase(const std::string& name) {
  cut();
  instructions_.push_back({sim::Step::phase, phase_index(name), 0});
}

Mark Recorder::mark() {
  cut();
  return instructions_.size();
}

void Recorder::repeat(Mark begin, Mark end, std::int64_t count, std::string_view from,
                      std::string_view to) {
  MEMSIM_CHECK(ops_.empty(), "a repetition inside a block");
  if (count < 1) return;
  instructions_.push_back({sim::Step::loop, static_cast<std::uint32_t>(count), 0});
  for (Mark i = begin; i < end; ++i) {
    sim::Instruction instruction = instructions_[i];
    if (instruction.step == sim::Step::phase) {
      const std::string& name = program_.phases[instruction.index];
      if (name.starts_with(from))
        instruction.index = phase_index(std::string(to) + name.substr(from.size()));
    }
    instructions_.push_back(instruction);
  }
  instructions_.push_back({sim::Step::end_loop, 0, 0});
}

Recorder::Recording Recorder::finish() {
  cut();
  program_.threads.push_back({std::move(instructions_)});
  return {std::move(program_), std::move(kernels_)};
}

}  // namespace memsim::models
