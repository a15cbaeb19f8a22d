#include "sim/memory/buddy_heap.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "sim/core/check.hpp"
#include "sim/memory/option_list.hpp"

namespace memsim::sim {
namespace {

constexpr std::int64_t mebibyte = 1 << 20;
constexpr std::size_t least_order = 9;  // 512 bytes
constexpr std::size_t order_count = 63;

constexpr std::int64_t bytes_of(std::size_t order) { return std::int64_t{1} << order; }

// Of the smallest block that holds `size` bytes. Requires: size > 0.
std::size_t order_for(std::int64_t size) {
  const auto width = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(size) - 1));
  return std::max(least_order, width);
}

class BuddyHeap final : public BlockHeap {
 public:
  BuddyHeap(const Driver& driver, const BuddyOptions& options)
      : driver_(driver), options_(options) {}

  [[nodiscard]] std::optional<HeapBlock> take(std::int64_t size) override {
    const std::size_t wanted = order_for(size);
    std::size_t order = wanted;
    while (order < order_count && free_[order].empty()) ++order;
    if (order >= order_count) return std::nullopt;
    const Free block = *free_[order].begin();
    free_[order].erase(free_[order].begin());
    while (order > wanted) {
      --order;
      free_[order].insert(
          {block.address + static_cast<std::uint64_t>(bytes_of(order)), block.segment});
    }
    return HeapBlock{block.address, bytes_of(wanted), block.segment};
  }

  [[nodiscard]] std::optional<std::int64_t> segment_size(std::int64_t size) const override {
    const std::size_t order = order_for(size);
    if (order >= order_count) return std::nullopt;
    return std::max(bytes_of(order), options_.segment.value());
  }

  // Of a region that the driver rounded up, the largest power of two serves.
  void add_segment(Driver::Region region) override {
    const auto size = static_cast<std::uint64_t>(driver_.size(region).value());
    const Segment segment{.region = region,
                          .address = driver_.address(region),
                          .order = static_cast<std::size_t>(std::bit_width(size)) - 1,
                          .in_use = true};
    std::uint32_t index = 0;
    if (unused_.empty()) {
      index = static_cast<std::uint32_t>(segments_.size());
      segments_.push_back(segment);
    } else {
      index = unused_.back();
      unused_.pop_back();
      segments_[index] = segment;
    }
    free_[segment.order].insert({segment.address, index});
  }

  void give_back(const HeapBlock& block) override {
    const Segment& segment = segments_[block.place];
    std::uint64_t offset = block.address - segment.address;
    std::size_t order = order_for(block.size);
    while (order < segment.order) {
      const std::uint64_t half = offset ^ static_cast<std::uint64_t>(bytes_of(order));
      if (free_[order].erase({segment.address + half, block.place}) == 0) break;
      offset = std::min(offset, half);
      ++order;
    }
    const bool added = free_[order].insert({segment.address + offset, block.place}).second;
    MEMSIM_CHECK(added, "a block given back that is not in use");
  }

  [[nodiscard]] std::vector<Driver::Region> remove_unused() override {
    std::vector<Driver::Region> removed;
    for (std::size_t order = least_order; order < order_count; ++order) {
      for (auto at = free_[order].begin(); at != free_[order].end();) {
        Segment& segment = segments_[at->segment];
        if (segment.order != order) {
          ++at;
          continue;
        }
        removed.push_back(segment.region);
        segment.in_use = false;
        unused_.push_back(at->segment);
        at = free_[order].erase(at);
      }
    }
    return removed;
  }

  [[nodiscard]] std::vector<Driver::Region> segments() const override {
    std::vector<Driver::Region> regions;
    for (const Segment& segment : segments_) {
      if (segment.in_use) regions.push_back(segment.region);
    }
    std::ranges::sort(regions, {}, [&](Driver::Region region) { return driver_.address(region); });
    return regions;
  }
  [[nodiscard]] std::int64_t largest_free() const override {
    for (std::size_t order = order_count; order-- > least_order;) {
      if (!free_[order].empty()) return bytes_of(order);
    }
    return 0;
  }

  void add_state(Digest& digest) const override {
    digest.add(options_.segment);
    for (const Driver::Region region : segments())
      digest.add(driver_.address(region)).add(driver_.size(region));
    for (const std::set<Free>& free : free_) {
      digest.add(std::uint64_t{free.size()});
      for (const Free& block : free) digest.add(block.address);
    }
  }

  void check_invariants(std::int64_t used) const override {
    std::int64_t all = 0;
    for (const Segment& segment : segments_) {
      if (segment.in_use) all += bytes_of(segment.order);
    }
    for (std::size_t order = 0; order < order_count; ++order) {
      for (const Free& block : free_[order]) {
        check_free(block, order);
        all -= bytes_of(order);
      }
    }
    MEMSIM_CHECK(all == used, "blocks in use do not add up to what was handed out");
  }

 private:
  struct Segment {
    Driver::Region region{};
    std::uint64_t address = 0;
    std::size_t order = 0;
    bool in_use = false;
  };
  struct Free {
    std::uint64_t address;
    std::uint32_t segment;
    friend auto operator<=>(const Free&, const Free&) = default;
  };

  // In its place within its segment, and its other half is not free.
  void check_free(const Free& block, std::size_t order) const {
    const Segment& segment = segments_[block.segment];
    MEMSIM_CHECK(segment.in_use && order >= least_order && order <= segment.order,
                 "a free block outside a segment");
    const std::uint64_t offset = block.address - segment.address;
    const auto size = static_cast<std::uint64_t>(bytes_of(order));
    MEMSIM_CHECK(
        offset % size == 0 && offset + size <= static_cast<std::uint64_t>(bytes_of(segment.order)),
        "a free block out of its place");
    MEMSIM_CHECK(order == segment.order ||
                     !free_[order].contains({segment.address + (offset ^ size), block.segment}),
                 "two halves are free and not merged");
  }

  const Driver& driver_;
  BuddyOptions options_;
  std::vector<Segment> segments_;
  std::vector<std::uint32_t> unused_;
  std::array<std::set<Free>, order_count> free_;
};

}  // namespace

Result<BuddyOptions> read_buddy_options(std::string_view text) {
  constexpr std::int64_t most = 1 << 20;  // 1 TiB
  std::int64_t segment = BuddyOptions().segment.value() / mebibyte;
  const std::array<NumberOption, 1> known{
      {{.key = "segment_mb", .least = 1, .most = most, .value = &segment, .power_of_two = true}}};
  return read_options("buddy", text, known).map([&] {
    return BuddyOptions{.segment = Bytes(segment) * mebibyte};
  });
}

std::unique_ptr<BlockHeap> make_buddy_heap(const Driver& driver, const BuddyOptions& options) {
  return std::make_unique<BuddyHeap>(driver, options);
}

}  // namespace memsim::sim
