#include "validate/compare/link_questions.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "validate/compare/hardware_words.hpp"
#include "validate/compare/link_phrases.hpp"
#include "validate/import/link_figures.hpp"

namespace memsim::validate {
namespace {

// Rows that ask something else, by the first words that they say.
struct OtherKind {
  std::string_view words;
  std::string_view reason;
};

constexpr std::string_view by_kernels = "copies by kernels are not modelled";
constexpr std::string_view how_many = "how many copy at the same time is not told";
constexpr std::string_view whether_at_once = "whether all copy at the same time is not told";
constexpr std::string_view whose_figure = "whether its figure is of one GPU or of all is not told";
constexpr std::string_view collectives = "collectives are no transfers";
constexpr std::string_view storage =
    "file systems, RAID and GPUDirect Storage are not modelled, or the drive is not named";
constexpr std::string_view networks = "networks between nodes are not modelled";
constexpr std::string_view single_loads = "single loads of a GPU are not modelled";
constexpr std::array<OtherKind, 29> other_kinds{{
    {"all reduce", collectives},
    {"all gather", collectives},
    {"reduce scatter", collectives},
    {"alltoall", collectives},
    {"all to all", collectives},
    {"collective", collectives},
    {"nccl", collectives},
    {"rccl", collectives},
    {"cold start", collectives},
    {"bucketing", collectives},
    {"expert dispatch", collectives},
    {"send recv", collectives},
    {"gemm", "products of matrices are kind gemm"},
    {"storage", storage},
    {"zero", "training runs are no transfers"},
    {"zero inference", "training runs are no transfers"},
    {"framework", "training runs are no transfers"},
    {"nic", networks},
    {"rdma", networks},
    {"sysroot", networks},
    {"unified memory", "unified memory is not modelled"},
    {"uvm", "unified memory is not modelled"},
    {"acceptance", "a threshold is no measurement"},
    {"bar mapping", "mappings of device memory into the host's are not modelled"},
    {"pointer chase", single_loads},
    {"gpu gpu latency", single_loads},
    {"kernel access to host memory", "kernels' access to host memory is not modelled"},
    {"cxl", "gains of CXL memory and unnamed expanders are not compared"},
    {"kernel launch", "launches are no transfers"},
}};

std::optional<Subject> subject_of(std::string_view what) {
  if (says_any(what, {"gpu gpu copy", "peer to peer", "p2p"})) return Subject::peer_copy;
  if (says_any(what, {"host device copy", "h2d", "d2h", "small transfer latency"}))
    return Subject::host_copy;
  if (says_any(what, {"l2", "knee", "infinity cache"})) return Subject::cache;
  if (says(what, "device memory")) return Subject::device_memory;
  if (says(what, "loaded latency")) return Subject::loaded_latency;
  if (says(what, "numa latency")) return Subject::host_latency;
  if (says_any(what, {"host stream", "host memory", "mlc", "stream"})) return Subject::host_memory;
  if (says_any(what, {"pinned allocation", "pinning", "allocation"})) return Subject::pinning;
  return std::nullopt;
}

// What words may say of a question; another one is about something that the answer does not know.
constexpr std::bitset<meanings> set_of(std::initializer_list<Meaning> accepted) {
  std::uint64_t bits = 0;
  for (const Meaning meaning : accepted) bits |= std::uint64_t{1} << static_cast<unsigned>(meaning);
  return bits;
}

std::bitset<meanings> accepted_by(Subject subject) {
  using enum Meaning;
  const std::bitset<meanings> always = set_of({neutral, rate, time, size});
  switch (subject) {
    case Subject::host_copy:
      return always | set_of({down,   up,     one_way,  both_ways,   each_way,     total,
                              each,   sum,    together, one_by_one,  devices,      pageable,
                              pinned, remote, local,    same_switch, other_switch, engine,
                              read,   write,  copy,     latency});
    case Subject::peer_copy:
      return always | set_of({one_way, both_ways, each_way, total, sum, one_by_one, devices, pairs,
                              local, peer, no_peer, same_switch, other_switch, all_to_one,
                              one_to_all, engine, read, write, copy});
    case Subject::device_memory:
      return always | set_of({one_way, sum, each, one_by_one, devices, local, kernel, engine, read,
                              write, copy, mix});
    case Subject::cache:
      return always | set_of({read, kernel, mix});
    case Subject::host_memory:
      return always |
             set_of({remote, local, interleaved, threads, idle, latency, read, write, copy, mix});
    case Subject::host_latency:
      return always | set_of({remote, local, idle, latency});
    case Subject::loaded_latency:
      return always | set_of({read, latency});
    case Subject::pinning:
      break;
  }
  return always | set_of({pinned, threads, number});
}

// Why a phrase is not a question of this kind; empty: it is.
std::string refusal(const Said& said, Subject subject) {
  if (!said.unknown.empty()) return "its words are not understood: " + said.unknown;
  const std::bitset<meanings> accepted = accepted_by(subject);
  for (const Spoken& spoken : said.words) {
    if (spoken.meaning == Meaning::refused || spoken.meaning == Meaning::refused_here)
      return std::string(spoken.reason);
    if (spoken.meaning == Meaning::kernel && subject != Subject::device_memory &&
        !said.means(Meaning::engine))
      return std::string(by_kernels);
    if (spoken.meaning == Meaning::kernel) continue;
    if (!accepted.test(static_cast<std::size_t>(spoken.meaning)))
      return "what its words change is not modelled here: " + spoken.words;
  }
  return "";
}

using Asked = sim::Result<LinkQuestion>;

class QuestionMaker {
 public:
  QuestionMaker(const LinkMeasurement& row, Subject subject)
      : row_(row),
        subject_(subject),
        all_(plain_words(row.parameter)),
        hardware_(plain_words(row.hardware)),
        whole_(said_by(row.parameter)) {}

  std::vector<Asked> make(std::size_t figures) {
    std::vector<std::string> phrases = phrases_of(row_.parameter);
    const bool paired = phrases.size() == figures;
    if (!paired) phrases.assign(figures, row_.parameter);
    Said before = said_by(row_.hardware);
    of_hardware_ = before;
    before.size.reset();
    before.devices = whole_.devices;
    before.pairs = whole_.pairs;
    std::vector<Asked> questions;
    for (std::size_t i = 0; i < figures; ++i) {
      const Said said = following(said_by(phrases[i]), before);
      before = said;
      questions.push_back(question(said, plain_words(phrases[i]), i));
      // Two figures of a copy whose direction nobody names: host to device, device to host.
      const bool unnamed = !paired && !said.up && subject_ == Subject::host_copy && figures == 2;
      if (unnamed && i == 1 && questions.back()) questions.back()->up = true;
    }
    return questions;
  }

 private:
  [[nodiscard]] Asked question(const Said& said, const std::string& words,
                               std::size_t which) const {
    if (std::string reason = refusal(said, subject_); !reason.empty())
      return sim::fail(std::move(reason));
    for (const Spoken& spoken : whole_.words)
      if (spoken.meaning == Meaning::refused) return sim::fail(std::string(spoken.reason));
    LinkQuestion asked;
    asked.subject = subject_;
    asked.up = said.up.value_or(false);
    asked.both_ways = said.both_ways.value_or(false);
    asked.pageable = said.pageable.value_or(false);
    asked.remote = said.remote.value_or(of_hardware_.remote.value_or(false));
    asked.peer_access = said.peer_access.value_or(true);
    asked.pair = said.pair.value_or(Pair::any);
    asked.devices = said.devices.value_or(1);
    asked.size = said.size.value_or(asked.size);
    asked.sized = said.size.has_value();
    switch (subject_) {
      case Subject::host_copy:
        return host_copy(asked, said);
      case Subject::peer_copy:
        return peer(asked, said);
      case Subject::device_memory:
        asked.mix = said.mix.value_or(whole_.mix.value_or(of_hardware_.mix.value_or(Mix{})));
        asked.half_traffic =
            says(plain_words(row_.parameter + " " + row_.hardware), "device local copy");
        if (asked.devices != 1 && !says_of(Meaning::sum) && !says_of(Meaning::each))
          return sim::fail(std::string(whose_figure));
        if (says_of(Meaning::each)) asked.devices = 1;
        return asked;
      case Subject::cache:
        asked.mix = {1, 0, false};
        if (which > 0) asked.subject = Subject::device_memory;
        return asked;
      case Subject::host_memory:
        return host(asked, said, words);
      case Subject::host_latency:
        return asked;
      case Subject::loaded_latency:
        return loaded(asked);
      case Subject::pinning:
        return pinning(asked, said);
    }
    return sim::fail("no question");
  }

  [[nodiscard]] bool says_of(Meaning meaning) const { return whole_.means(meaning); }

  // Which GPUs copy, when, and whose figure it is.
  [[nodiscard]] Asked host_copy(LinkQuestion asked, const Said& said) const {
    if (whole_.means(Meaning::kernel) && !whole_.means(Meaning::engine))
      return sim::fail(std::string(by_kernels));
    if (!said.up && said.mix && said.means(Meaning::read)) asked.up = true;  // as OpenCL calls it
    const bool named = said.up.has_value() || said.means(Meaning::read) ||
                       said.means(Meaning::write) || says_of(Meaning::each_way);
    const bool together = says_of(Meaning::together);
    const bool one_by_one = says_of(Meaning::one_by_one);
    const bool several = asked.devices != 1;
    const bool switched = asked.pair != Pair::any;
    if (together && !several && !asked.both_ways) {
      if (!says_of(Meaning::down) || !says_of(Meaning::up)) return sim::fail(std::string(how_many));
      asked.both_ways = true;
    }
    asked.total = asked.both_ways && (said.means(Meaning::total) || !named);
    if (!several) {
      if (switched) return sim::fail(std::string(how_many));
      return asked;
    }
    const bool sum = says_of(Meaning::sum) || (says_of(Meaning::total) && !asked.both_ways);
    asked.each = says_of(Meaning::each) && !sum;
    asked.at_once = !one_by_one && (together || switched);
    if (!sum && !asked.each) return sim::fail(std::string(whose_figure));
    if (!asked.at_once && asked.each && !one_by_one) return sim::fail(std::string(whether_at_once));
    return asked;
  }

  [[nodiscard]] Asked peer(LinkQuestion asked, const Said& said) const {
    if (says_any(all_, {"sm copy"}) || says(plain_words(row_.source), "sm copy"))
      return sim::fail(std::string(by_kernels));
    if (says_of(Meaning::devices) && !says_of(Meaning::sum))
      return sim::fail("what several GPUs copy to each other is not told");
    if (said.pairs) asked.devices = *said.pairs;
    if (said.pairs && !says_of(Meaning::sum)) return sim::fail(std::string(whose_figure));
    if (said.means(Meaning::local)) {
      asked.subject = Subject::device_memory;
      asked.mix = {1, 1, false};
      return asked;
    }
    asked.total = asked.both_ways && !says_of(Meaning::each_way);
    return asked;
  }

  [[nodiscard]] Asked host(LinkQuestion asked, const Said& said, const std::string& words) const {
    const bool time = says(all_, "idle latency") || row_.unit == "ns" || said.means(Meaning::idle);
    if (time) asked.subject = Subject::host_latency;
    const bool by_node = said.remote.has_value();
    // "idle local / remote; local / remote bandwidth": the second half is in bytes per second.
    const bool reads = by_node || says(all_, "read");
    asked.mix = said.mix.value_or(reads ? Mix{1, 0, false} : Mix{});
    // Of one node where nodes are told apart, else of all.
    asked.devices = by_node || asked.remote ? 1 : 0;
    asked.interleaved = says(words, "interleaved");
    const auto threads = said.threads ? said.threads : of_hardware_.threads;
    asked.threads = threads.value_or(0);
    constexpr sim::Bytes beyond_caches{1 << 30};
    if (asked.sized && asked.size < beyond_caches)
      return sim::fail("what fits the processors' caches is not modelled");
    return asked;
  }

  [[nodiscard]] Asked loaded(LinkQuestion asked) const {
    for (const Figure& figure : read_sentence(row_.parameter)) {
      if (figure.kind != FigureKind::rate) continue;
      asked.load = figure.middle();
      return asked;
    }
    return sim::fail("the load is not told");
  }

  // Only allocations whose size is told; what is filled or written besides is something else.
  [[nodiscard]] Asked pinning(LinkQuestion asked, const Said& said) const {
    const auto size = said.size ? said.size : read_size(row_.parameter);
    const bool pins = says_any(all_, {"pinned", "cudahostalloc", "cudamallochost", "register"});
    if (!size) return sim::fail("the size of the allocation is not told");
    if (says_of(Meaning::mix)) return sim::fail("what is written besides is not modelled");
    if (!pins) return sim::fail("allocations that are not pinned are not modelled");
    asked.size = *size;
    if (!says_any(all_, {"thread", "threads"})) {
      const bool counted = said.means(Meaning::number);
      if (counted) return sim::fail("a number whose meaning is not told");
      return asked;
    }
    for (const Spoken& spoken : said.words)
      if (spoken.meaning == Meaning::number || spoken.meaning == Meaning::threads)
        asked.threads = spoken.number;
    constexpr std::int64_t most_threads = 4096;
    if (asked.threads < 1 || asked.threads > most_threads)
      return sim::fail("the number of threads is not told");
    return asked;
  }

  const LinkMeasurement& row_;
  Subject subject_;
  std::string all_;
  std::string hardware_;
  Said whole_;
  Said of_hardware_;
};

}  // namespace

sim::Result<std::vector<sim::Result<LinkQuestion>>> questions_of(const LinkMeasurement& row,
                                                                 std::size_t figures) {
  const std::string what = plain_words(row.what);
  for (const OtherKind& other : other_kinds)
    if (says(what, other.words)) return sim::fail(std::string(other.reason));
  const auto subject = subject_of(what);
  if (!subject) return sim::fail("no question about '" + row.what + "'");
  return QuestionMaker(row, *subject).make(figures);
}

}  // namespace memsim::validate
