#include "sim/memory/best_fit_heap.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "sim/core/check.hpp"
#include "sim/memory/option_list.hpp"
#include "sim/memory/segment_blocks.hpp"

namespace memsim::sim {
namespace {

constexpr std::int64_t mebibyte = 1 << 20;
constexpr std::int64_t unit = 512;
constexpr std::int64_t most_rounded = std::numeric_limits<std::int64_t>::max() / unit * unit;

class BestFitHeap final : public BlockHeap {
 public:
  BestFitHeap(const Driver& driver, const BestFitOptions& options)
      : driver_(driver), options_(options) {}

  [[nodiscard]] std::optional<HeapBlock> take(std::int64_t size) override {
    if (size > most_rounded) return std::nullopt;
    const std::int64_t rounded = round_up(size, unit);
    const auto found = free_.lower_bound({rounded, 0, 0});
    if (found == free_.end()) return std::nullopt;
    const BlockIndex block = found->block;
    free_.erase(found);
    if (blocks_[block].size > rounded) free_.insert(fit(blocks_.split(block, rounded)));
    blocks_[block].state = Use::taken;
    return HeapBlock{blocks_[block].address, rounded, block};
  }

  [[nodiscard]] std::optional<std::int64_t> segment_size(std::int64_t size) const override {
    if (size > most_rounded) return std::nullopt;
    return std::max(round_up(size, unit), options_.segment.value());
  }

  void add_segment(Driver::Region region) override {
    free_.insert(fit(blocks_.add_segment(driver_, region, Use::free)));
  }

  void give_back(const HeapBlock& given) override {
    BlockIndex block = given.place;
    MEMSIM_CHECK(blocks_[block].state == Use::taken, "a block given back that is not in use");
    blocks_[block].state = Use::free;
    if (is_free(blocks_[block].next)) {
      free_.erase(fit(blocks_[block].next));
      blocks_.absorb_next(block);
    }
    if (is_free(blocks_[block].previous)) {
      block = blocks_[block].previous;
      free_.erase(fit(block));
      blocks_.absorb_next(block);
    }
    free_.insert(fit(block));
  }

  [[nodiscard]] std::vector<Driver::Region> remove_unused() override {
    std::vector<Driver::Region> removed;
    for (auto at = free_.begin(); at != free_.end();) {
      if (!blocks_.is_whole(at->block)) {
        ++at;
        continue;
      }
      removed.push_back(blocks_.drop_segment(at->block));
      at = free_.erase(at);
    }
    return removed;
  }

  [[nodiscard]] std::vector<Driver::Region> segments() const override {
    std::vector<Driver::Region> regions;
    for (const BlockIndex block : blocks_.by_address()) {
      if (blocks_[block].previous == no_block) regions.push_back(blocks_[block].segment);
    }
    return regions;
  }
  [[nodiscard]] std::int64_t largest_free() const override {
    return free_.empty() ? 0 : free_.rbegin()->size;
  }

  void add_state(Digest& digest) const override {
    digest.add(options_.segment);
    for (const BlockIndex index : blocks_.by_address()) {
      const auto& block = blocks_[index];
      digest.add(block.address).add(block.size).add(static_cast<std::uint64_t>(block.state));
      digest.add(std::uint64_t{block.previous == no_block});
    }
  }

  void check_invariants(std::int64_t used) const override {
    blocks_.check_links();
    std::int64_t taken = 0;
    std::size_t free = 0;
    for (const BlockIndex index : blocks_.by_address()) {
      if (!is_free(index)) {
        taken += blocks_[index].size;
        continue;
      }
      ++free;
      MEMSIM_CHECK(!is_free(blocks_[index].next), "two free ranges touch");
      MEMSIM_CHECK(free_.contains(fit(index)), "a free range that is not in the set");
    }
    MEMSIM_CHECK(free == free_.size(), "the set holds what is not free");
    MEMSIM_CHECK(taken == used, "blocks in use do not add up to what was handed out");
  }

 private:
  enum class Use : std::uint8_t { free, taken };

  [[nodiscard]] Fit fit(BlockIndex block) const {
    return {blocks_[block].size, blocks_[block].address, block};
  }
  [[nodiscard]] bool is_free(BlockIndex block) const {
    return block != no_block && blocks_[block].state == Use::free;
  }

  const Driver& driver_;
  BestFitOptions options_;
  SegmentBlocks<Use> blocks_;
  std::set<Fit> free_;
};

}  // namespace

Result<BestFitOptions> read_best_fit_options(std::string_view text) {
  constexpr std::int64_t most = 1 << 20;  // 1 TiB
  std::int64_t segment = 0;
  const std::array<NumberOption, 1> known{
      {{.key = "segment_mb", .least = 0, .most = most, .value = &segment}}};
  return read_options("best_fit", text, known).map([&] {
    return BestFitOptions{.segment = Bytes(segment) * mebibyte};
  });
}

std::unique_ptr<BlockHeap> make_best_fit_heap(const Driver& driver, const BestFitOptions& options) {
  return std::make_unique<BestFitHeap>(driver, options);
}

}  // namespace memsim::sim
