#include "validate/compare/link_vocabulary.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>

#include "validate/compare/hardware_words.hpp"

namespace memsim::validate {
namespace {

struct Expression {
  std::string_view words;
  Meaning meaning;
  Mix mix{};
  std::string_view reason{};
};

constexpr Mix only_reads{1, 0, false};
constexpr Mix only_writes{0, 1, false};
constexpr Mix copies{1, 1, false};
constexpr Mix stream{2, 1, true};

constexpr std::array directions{
    Expression{"h2d", Meaning::down},
    Expression{"htod", Meaning::down},
    Expression{"host to device", Meaning::down},
    Expression{"host to gpu", Meaning::down},
    Expression{"cpu to gpu", Meaning::down},
    Expression{"host to all", Meaning::down},
    Expression{"d2h", Meaning::up},
    Expression{"dtoh", Meaning::up},
    Expression{"device to host", Meaning::up},
    Expression{"gpu to host", Meaning::up},
    Expression{"gpu to cpu", Meaning::up},
    Expression{"all to host", Meaning::up},
    Expression{"uni", Meaning::one_way},
    Expression{"unidirectional", Meaning::one_way},
    Expression{"one direction", Meaning::one_way},
    Expression{"single direction", Meaning::one_way},
    Expression{"one way", Meaning::one_way},
    Expression{"alone", Meaning::one_way},
    Expression{"bidir", Meaning::both_ways},
    Expression{"bidirectional", Meaning::both_ways},
    Expression{"both directions", Meaning::both_ways},
    Expression{"both ways", Meaning::both_ways},
    Expression{"duplex", Meaning::both_ways},
    Expression{"full duplex", Meaning::both_ways},
    Expression{"while", Meaning::both_ways},
    Expression{"per direction", Meaning::each_way},
    Expression{"each direction", Meaning::each_way},
    Expression{"each way", Meaning::each_way},
    Expression{"total", Meaning::total},
    Expression{"in all", Meaning::total},
    Expression{"combined", Meaning::total},
    Expression{"aggregate", Meaning::total},
};

constexpr std::array several{
    Expression{"each", Meaning::each},
    Expression{"of each", Meaning::each},
    Expression{"per gpu", Meaning::each},
    Expression{"each gpu", Meaning::each},
    Expression{"per device", Meaning::each},
    Expression{"per card", Meaning::each},
    Expression{"sum", Meaning::sum},
    Expression{"summed", Meaning::sum},
    Expression{"added up", Meaning::sum},
    Expression{"at once", Meaning::together},
    Expression{"at the same time", Meaning::together},
    Expression{"in parallel", Meaning::together},
    Expression{"parallel", Meaning::together},
    Expression{"together", Meaning::together},
    Expression{"concurrent", Meaning::together},
    Expression{"concurrently", Meaning::together},
    Expression{"simultaneous", Meaning::together},
    Expression{"simultaneously", Meaning::together},
    Expression{"one at a time", Meaning::one_by_one},
    Expression{"one by one", Meaning::one_by_one},
    Expression{"one after another", Meaning::one_by_one},
    Expression{"in turn", Meaning::one_by_one},
    Expression{"sharing a pcie switch", Meaning::same_switch},
    Expression{"sharing one pcie switch", Meaning::same_switch},
    Expression{"sharing the same pcie switch", Meaning::same_switch},
    Expression{"sharing a switch", Meaning::same_switch},
    Expression{"sharing one switch", Meaning::same_switch},
    Expression{"same switch", Meaning::same_switch},
    Expression{"same pcie switch", Meaning::same_switch},
    Expression{"one switch", Meaning::same_switch},
    Expression{"one pcie switch", Meaning::same_switch},
    Expression{"a switch", Meaning::same_switch},
    Expression{"a pcie switch", Meaning::same_switch},
    Expression{"shared switch", Meaning::same_switch},
    Expression{"shared uplink", Meaning::same_switch},
    Expression{"sharing an uplink", Meaning::same_switch},
    Expression{"different", Meaning::other_switch},
    Expression{"different switches", Meaning::other_switch},
    Expression{"different pcie switches", Meaning::other_switch},
    Expression{"other", Meaning::other_switch},
    Expression{"other switch", Meaning::other_switch},
    Expression{"across switches", Meaning::other_switch},
    Expression{"cross", Meaning::other_switch},
    Expression{"cross switch", Meaning::other_switch},
    Expression{"all to one", Meaning::all_to_one},
    Expression{"one to all", Meaning::one_to_all},
};

constexpr std::array places{
    Expression{"pageable", Meaning::pageable},
    Expression{"unpinned", Meaning::pageable},
    Expression{"not pinned", Meaning::pageable},
    Expression{"pinned", Meaning::pinned},
    Expression{"page locked", Meaning::pinned},
    Expression{"remote", Meaning::remote},
    Expression{"remote numa", Meaning::remote},
    Expression{"remote node", Meaning::remote},
    Expression{"remote numa node", Meaning::remote},
    Expression{"remote socket", Meaning::remote},
    Expression{"remote numa socket", Meaning::remote},
    Expression{"cross numa", Meaning::remote},
    Expression{"cross socket", Meaning::remote},
    Expression{"other socket", Meaning::remote},
    Expression{"other numa node", Meaning::remote},
    Expression{"far socket", Meaning::remote},
    Expression{"over upi", Meaning::remote},
    Expression{"local", Meaning::local},
    Expression{"local numa", Meaning::local},
    Expression{"local node", Meaning::local},
    Expression{"local numa node", Meaning::local},
    Expression{"local socket", Meaning::local},
    Expression{"interleaved", Meaning::interleaved},
    Expression{"p2p on", Meaning::peer},
    Expression{"p2p enabled", Meaning::peer},
    Expression{"peer access", Meaning::peer},
    Expression{"p2p off", Meaning::no_peer},
    Expression{"p2p disabled", Meaning::no_peer},
    Expression{"no p2p", Meaning::no_peer},
    Expression{"without p2p", Meaning::no_peer},
    Expression{"no peer", Meaning::no_peer},
    Expression{"no peer path", Meaning::no_peer},
    Expression{"no peer access", Meaning::no_peer},
    Expression{"staged", Meaning::no_peer},
    Expression{"sm", Meaning::kernel},
    Expression{"kernel", Meaning::kernel},
    Expression{"sm kernel", Meaning::kernel},
    Expression{"sm copy", Meaning::kernel},
    Expression{"custom kernel", Meaning::kernel},
    Expression{"zero copy", Meaning::kernel},
    Expression{"ce", Meaning::engine},
    Expression{"engine", Meaning::engine},
    Expression{"copy engine", Meaning::engine},
    Expression{"copy engines", Meaning::engine},
    Expression{"dma", Meaning::engine},
    Expression{"idle", Meaning::idle},
    Expression{"latency", Meaning::latency},
};

constexpr std::array mixes{
    Expression{"read", Meaning::read, only_reads},
    Expression{"reads", Meaning::read, only_reads},
    Expression{"all reads", Meaning::mix, only_reads},
    Expression{"dot", Meaning::mix, only_reads},
    Expression{"write", Meaning::write, only_writes},
    Expression{"writes", Meaning::write, only_writes},
    Expression{"init", Meaning::mix, only_writes},
    Expression{"copy", Meaning::copy, copies},
    Expression{"local copy", Meaning::copy, copies},
    Expression{"device local copy", Meaning::copy, copies},
    Expression{"scale", Meaning::mix, copies},
    Expression{"mul", Meaning::mix, copies},
    Expression{"diagonal", Meaning::mix, copies},
    Expression{"d2d", Meaning::copy, copies},
    Expression{"read+write", Meaning::mix, copies},
    Expression{"1:1", Meaning::mix, copies},
    Expression{"2:1", Meaning::mix, {2, 1, false}},
    Expression{"3:1", Meaning::mix, {3, 1, false}},
    Expression{"triad", Meaning::mix, stream},
    Expression{"triad like", Meaning::mix, stream},
    Expression{"add", Meaning::mix, stream},
    Expression{"x+y y", Meaning::mix, stream},
    Expression{"x+y", Meaning::mix, stream},
};

constexpr std::string_view calls = "a call of the host alone is no transfer";
constexpr std::string_view single_loads = "single loads and stores are not modelled";
constexpr std::array refusals{
    Expression{"write combined", Meaning::refused, {}, "write-combined memory is not modelled"},
    Expression{"huge pages", Meaning::refused, {}, "huge pages are not modelled"},
    Expression{"hugepages", Meaning::refused, {}, "huge pages are not modelled"},
    Expression{"managed", Meaning::refused, {}, "unified memory is not modelled"},
    Expression{"stddev", Meaning::refused_here, {}, "a spread is no measurement"},
    Expression{"ping pong", Meaning::refused, {}, single_loads},
    Expression{"pointer chase", Meaning::refused, {}, single_loads},
    Expression{"bar mapping", Meaning::refused, {}, single_loads},
    Expression{"call", Meaning::refused, {}, calls},
    Expression{"overhead", Meaning::refused, {}, calls},
    Expression{
        "all to all", Meaning::refused, {}, "copies between all pairs at once are collectives"},
    Expression{
        "bad p2p on", Meaning::refused_here, {}, "a faulty way between GPUs is not modelled"},
    Expression{"free", Meaning::refused_here, {}, "freeing memory is not modelled"},
    Expression{"cudafree", Meaning::refused_here, {}, "freeing memory is not modelled"},
    Expression{"cudafreehost", Meaning::refused_here, {}, "freeing memory is not modelled"},
};

// They change nothing of what is asked.
constexpr auto neutral_words = std::to_array<std::string_view>({"nvbandwidth",
                                                                "bandwidthtest",
                                                                "p2pbandwidthlatencytest",
                                                                "cudamemcpy",
                                                                "cudamemcpyasync",
                                                                "memcpy",
                                                                "cudamemcpypeer",
                                                                "cudamemcpypeerasync",
                                                                "clpeak",
                                                                "opencl",
                                                                "babelstream",
                                                                "stream",
                                                                "gpu stream",
                                                                "gpu roofline",
                                                                "roofline",
                                                                "gdrcopy",
                                                                "mlc",
                                                                "nvmlc",
                                                                "rocm bandwidth test",
                                                                "transferbench",
                                                                "mean",
                                                                "median",
                                                                "min",
                                                                "minimum",
                                                                "max",
                                                                "maximum",
                                                                "average",
                                                                "avg",
                                                                "best",
                                                                "peak",
                                                                "typical",
                                                                "measured",
                                                                "reported",
                                                                "reported only",
                                                                "only h2d reported",
                                                                "only d2h reported",
                                                                "achieved",
                                                                "sustained",
                                                                "naive",
                                                                "program",
                                                                "single stream",
                                                                "or",
                                                                "+",
                                                                "runs",
                                                                "running",
                                                                "run",
                                                                "a",
                                                                "the",
                                                                "of",
                                                                "on",
                                                                "in",
                                                                "at",
                                                                "to",
                                                                "from",
                                                                "for",
                                                                "by",
                                                                "with",
                                                                "and",
                                                                "over",
                                                                "under",
                                                                "behind",
                                                                "bandwidth",
                                                                "rate",
                                                                "throughput",
                                                                "speed",
                                                                "gb s",
                                                                "mb s",
                                                                "gib s",
                                                                "gpu",
                                                                "gpus",
                                                                "device",
                                                                "devices",
                                                                "host",
                                                                "cpu",
                                                                "node",
                                                                "numa",
                                                                "memory",
                                                                "dram",
                                                                "hbm",
                                                                "global",
                                                                "pcie",
                                                                "link",
                                                                "nvlink",
                                                                "c2c",
                                                                "xgmi",
                                                                "p2p",
                                                                "peer to peer",
                                                                "matrix",
                                                                "per node",
                                                                "parts",
                                                                "pair",
                                                                "one pair",
                                                                "all pairs",
                                                                "first gpus",
                                                                "two modules",
                                                                "all four paths",
                                                                "buffer",
                                                                "buffers",
                                                                "size",
                                                                "message",
                                                                "messages",
                                                                "chunks",
                                                                "block",
                                                                "transfer",
                                                                "transfers",
                                                                "copies",
                                                                "full occupancy",
                                                                "working set",
                                                                "sweep",
                                                                "plateau",
                                                                "mall",
                                                                "infinity cache",
                                                                "l2",
                                                                "hit",
                                                                "hits",
                                                                "hit rate",
                                                                "device time",
                                                                "load",
                                                                "uplink used twice",
                                                                "x2 traffic",
                                                                "resident managed memory",
                                                                "cudamalloc memory",
                                                                "custom",
                                                                "mmap",
                                                                "touch",
                                                                "register",
                                                                "cudahostalloc",
                                                                "cudamallochost",
                                                                "cudahostregister",
                                                                "alloc",
                                                                "allocation",
                                                                "all",
                                                                "vs",
                                                                "iterations",
                                                                "loop",
                                                                "cuda",
                                                                "time",
                                                                "cpu gpu"});

std::vector<std::string> split(std::string_view text) {
  std::string marked;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == ">=") {
      marked += " atleast ";
      ++i;
    } else {
      marked += text[i];
    }
  }
  std::vector<std::string> words;
  const std::string plain = plain_words(marked);
  for (std::size_t begin = 1; begin < plain.size();) {
    const std::size_t end = plain.find(' ', begin);
    std::string word = plain.substr(begin, end - begin);
    while (!word.empty() && (word.back() == '.' || word.back() == ':')) word.pop_back();
    if (!word.empty()) words.push_back(std::move(word));
    begin = end + 1;
  }
  return words;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : words_(split(text)) {}

  Speech read() {
    while (at_ < words_.size()) {
      if (read_counted() || read_quantity() || read_expression()) continue;
      if (speech_.unknown.empty()) speech_.unknown = words_[at_];
      ++at_;
    }
    return std::move(speech_);
  }

 private:
  [[nodiscard]] std::string_view word(std::size_t ahead) const {
    return at_ + ahead < words_.size() ? std::string_view(words_[at_ + ahead]) : "";
  }

  static bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
  }

  static std::optional<std::int64_t> whole(std::string_view word) {
    constexpr std::array<std::string_view, 9> names{"",     "one", "two",   "three", "four",
                                                    "five", "six", "seven", "eight"};
    if (word == "both") return 2;
    const auto named = std::ranges::find(names, word);
    if (!word.empty() && named != names.end()) return named - names.begin();
    constexpr std::int64_t most = 1 << 20;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < 1 || value > most)
      return std::nullopt;
    return value;
  }

  // The words from here on, as many as `count`, mean this.
  bool take(std::size_t count, Spoken spoken) {
    for (std::size_t i = 0; i < count; ++i)
      spoken.words += (i == 0 ? "" : " ") + std::string(word(i));
    at_ += count;
    speech_.said.push_back(std::move(spoken));
    return true;
  }
  bool take(std::size_t count, Meaning meaning, std::int64_t number = 0) {
    return take(count, Spoken{meaning, "", number, {}, {}});
  }

  // "all 8 GPUs", "two GPUs", "4 at once", "sum of 12 pairs", "32 threads".
  bool read_counted() {
    const bool all = word(0) == "all";
    std::size_t behind = all ? 1 : 0;
    const auto number = whole(word(behind));
    if (number) ++behind;
    if (!number && !all) return false;
    const std::string_view noun = word(behind);
    const bool together =
        noun == "at"
            ? is_one_of(word(behind + 1), {"once", "the"})
            : is_one_of(noun, {"concurrent", "concurrently", "simultaneously", "together"}) ||
                  (noun == "in" && word(behind + 1) == "parallel");
    if (is_one_of(noun, {"gpu", "gpus", "device", "devices", "card", "cards"}))
      return take(behind + 1, Meaning::devices, number.value_or(0));
    if (together && word(0) != "one") return take(behind, Meaning::devices, number.value_or(0));
    if (!number) return false;
    if (noun == "pairs") return take(behind + 1, Meaning::pairs, *number);
    if (is_one_of(noun, {"thread", "threads"})) return take(behind + 1, Meaning::threads, *number);
    return false;
  }

  // A number with its unit, joined or not: "32MB", "2.5 GB/s", "1980 MHz"; or "sum of 4".
  bool read_quantity() {
    if (word(0) == "atleast" && read_at_least()) return true;
    if (word(0) == "sum" && word(1) == "of" && whole(word(2)) && word(3) != "pairs") {
      const std::int64_t number = *whole(word(2));
      const bool noun = is_one_of(word(3), {"gpu", "gpus", "devices"});
      take(1, Meaning::sum);
      return take(noun ? 3 : 2, Meaning::devices, number);
    }
    const std::string_view first = word(0);
    const std::size_t digits = std::min(first.find_first_not_of("0123456789."), first.size());
    if (digits == 0 || first[0] == '.') {
      const bool version = first.size() > 1 && first[0] == 'v' &&
                           first.find_first_not_of("0123456789.", 1) == std::string_view::npos;
      return version && take(1, Meaning::neutral);
    }
    const bool joined = digits < first.size();
    const std::string_view unit = joined ? first.substr(digits) : word(1);
    const std::size_t used = joined ? 1 : 2;
    const bool per_second = word(used) == "s";
    if (is_one_of(unit, {"gb", "gib", "mb", "mib", "tb", "kb", "kib", "b"}))
      return take(per_second ? used + 1 : used, per_second ? Meaning::rate : Meaning::size);
    if (is_one_of(unit, {"s", "ms", "us", "ns"})) return take(used, Meaning::time);
    if (is_one_of(unit, {"mhz", "ghz", "w"})) return take(used, Meaning::neutral);
    if (joined) return false;
    return take(1, Meaning::number, whole(first).value_or(0));
  }

  // ">= 1 MB": large enough to reach the rate of the default size.
  bool read_at_least() {
    ++at_;
    const std::size_t before = speech_.said.size();
    if (!read_quantity()) return false;
    if (speech_.said.size() > before && speech_.said.back().meaning == Meaning::size)
      speech_.said.back().meaning = Meaning::neutral;
    return true;
  }

  // The longest expression that stands here.
  bool read_expression() {
    std::size_t longest = 0;
    Spoken found;
    using Table = std::span<const Expression>;
    for (const Table& table :
         {Table(directions), Table(several), Table(places), Table(mixes), Table(refusals)}) {
      for (const Expression& each : table) {
        const std::size_t length = stands(each.words);
        if (length <= longest) continue;
        longest = length;
        found = {each.meaning, "", 0, each.mix, each.reason};
      }
    }
    for (const std::string_view each : neutral_words) {
      const std::size_t length = stands(each);
      if (length <= longest) continue;
      longest = length;
      found = {};
    }
    return longest > 0 && take(longest, std::move(found));
  }

  // How many words of `expression` begin here; 0: it does not.
  [[nodiscard]] std::size_t stands(std::string_view expression) const {
    std::size_t count = 0;
    while (!expression.empty()) {
      const std::size_t end = std::min(expression.find(' '), expression.size());
      if (word(count) != expression.substr(0, end)) return 0;
      ++count;
      expression.remove_prefix(std::min(end + 1, expression.size()));
    }
    return count;
  }

  std::vector<std::string> words_;
  std::size_t at_ = 0;
  Speech speech_;
};

}  // namespace

Speech read_words(std::string_view text) { return Reader(text).read(); }

}  // namespace memsim::validate
