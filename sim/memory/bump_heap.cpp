#include "sim/memory/bump_heap.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "sim/core/check.hpp"
#include "sim/memory/option_list.hpp"

namespace memsim::sim {
namespace {

constexpr std::int64_t mebibyte = 1 << 20;
constexpr std::int64_t unit = 512;
constexpr std::int64_t most_rounded = std::numeric_limits<std::int64_t>::max() / unit * unit;
constexpr std::uint32_t no_segment = 0xFFFFFFFF;

class BumpHeap final : public BlockHeap {
 public:
  BumpHeap(const Driver& driver, const BumpOptions& options) : driver_(driver), options_(options) {}

  [[nodiscard]] std::optional<HeapBlock> take(std::int64_t size) override {
    if (current_ == no_segment || size > most_rounded) return std::nullopt;
    Segment& segment = segments_[current_];
    const std::int64_t rounded = round_up(size, unit);
    if (rounded > segment.size - segment.top) return std::nullopt;
    const HeapBlock block{segment.address + static_cast<std::uint64_t>(segment.top), rounded,
                          current_};
    segment.top += rounded;
    segment.used += rounded;
    return block;
  }

  [[nodiscard]] std::optional<std::int64_t> segment_size(std::int64_t size) const override {
    if (size > most_rounded) return std::nullopt;
    return std::max(round_up(size, unit), options_.segment.value());
  }

  void add_segment(Driver::Region region) override {
    const Segment segment{.region = region,
                          .address = driver_.address(region),
                          .size = driver_.size(region).value(),
                          .in_use = true};
    if (unused_.empty()) {
      current_ = static_cast<std::uint32_t>(segments_.size());
      segments_.push_back(segment);
    } else {
      current_ = unused_.back();
      unused_.pop_back();
      segments_[current_] = segment;
    }
  }

  void give_back(const HeapBlock& block) override {
    Segment& segment = segments_[block.place];
    MEMSIM_CHECK(segment.in_use && segment.used >= block.size,
                 "a block given back that is not in use");
    segment.used -= block.size;
    if (segment.used > 0) return;
    segment.in_use = false;
    removable_.push_back(segment.region);
    unused_.push_back(block.place);
    if (block.place == current_) current_ = no_segment;
  }

  [[nodiscard]] std::vector<Driver::Region> remove_unused() override {
    return std::exchange(removable_, {});
  }
  [[nodiscard]] bool keeps_unused() const override { return false; }

  [[nodiscard]] std::vector<Driver::Region> segments() const override {
    std::vector<Driver::Region> regions;
    for (const Segment& segment : segments_) {
      if (segment.in_use) regions.push_back(segment.region);
    }
    std::ranges::sort(regions, {}, [&](Driver::Region region) { return driver_.address(region); });
    return regions;
  }
  [[nodiscard]] std::int64_t largest_free() const override {
    return current_ == no_segment ? 0 : segments_[current_].size - segments_[current_].top;
  }

  void add_state(Digest& digest) const override {
    digest.add(options_.segment);
    for (const Driver::Region region : segments())
      digest.add(driver_.address(region)).add(driver_.size(region));
    if (current_ == no_segment) return;
    digest.add(segments_[current_].address).add(segments_[current_].top);
  }

  void check_invariants(std::int64_t used) const override {
    MEMSIM_CHECK(removable_.empty(), "a segment without blocks was kept");
    MEMSIM_CHECK(current_ == no_segment || segments_[current_].in_use,
                 "the arena's pointer is in no segment");
    std::int64_t sum = 0;
    for (const Segment& segment : segments_) {
      if (!segment.in_use) continue;
      MEMSIM_CHECK(segment.used > 0 && segment.used <= segment.top && segment.top <= segment.size,
                   "a segment whose pointer is out of place");
      sum += segment.used;
    }
    MEMSIM_CHECK(sum == used, "blocks in use do not add up to what was handed out");
  }

 private:
  struct Segment {
    Driver::Region region{};
    std::uint64_t address = 0;
    std::int64_t size = 0;
    std::int64_t top = 0;   // where the next block begins
    std::int64_t used = 0;  // by blocks that are not free
    bool in_use = false;
  };

  const Driver& driver_;
  BumpOptions options_;
  std::vector<Segment> segments_;
  std::vector<std::uint32_t> unused_;
  std::vector<Driver::Region> removable_;
  std::uint32_t current_ = no_segment;
};

}  // namespace

Result<BumpOptions> read_bump_options(std::string_view text) {
  constexpr std::int64_t most = 1 << 20;  // 1 TiB
  std::int64_t segment = BumpOptions().segment.value() / mebibyte;
  const std::array<NumberOption, 1> known{
      {{.key = "segment_mb", .least = 1, .most = most, .value = &segment}}};
  return read_options("bump", text, known).map([&] {
    return BumpOptions{.segment = Bytes(segment) * mebibyte};
  });
}

std::unique_ptr<BlockHeap> make_bump_heap(const Driver& driver, const BumpOptions& options) {
  return std::make_unique<BumpHeap>(driver, options);
}

}  // namespace memsim::sim
