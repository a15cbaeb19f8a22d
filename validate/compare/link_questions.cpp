#include "validate/compare/link_questions.hpp"

#include <algorithm>
#include <array>
#include <charconv>
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

constexpr std::string_view collectives = "collectives are no transfers";
constexpr std::string_view networks = "networks between nodes are not modelled";
constexpr std::string_view single_loads = "single loads of a GPU are not modelled";
constexpr std::array<OtherKind, 30> other_kinds{{
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
    {"storage", "storage is not modelled"},
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
    {"cxl", "the machine is not described"},
    {"infinity cache", "caches behind L2 are not modelled"},
    {"kernel launch", "launches are no transfers"},
}};

std::optional<Subject> subject_of(std::string_view what) {
  if (says_any(what, {"gpu gpu copy", "peer to peer", "p2p"})) return Subject::peer_copy;
  if (says_any(what, {"host device copy", "h2d", "d2h", "small transfer latency"}))
    return Subject::host_copy;
  if (says_any(what, {"l2", "knee"})) return Subject::cache;
  if (says(what, "device memory")) return Subject::device_memory;
  if (says(what, "loaded latency")) return Subject::loaded_latency;
  if (says(what, "numa latency")) return Subject::host_latency;
  if (says_any(what, {"host stream", "host memory", "mlc", "stream"})) return Subject::host_memory;
  if (says_any(what, {"pinned allocation", "pinning", "allocation"})) return Subject::pinning;
  return std::nullopt;
}

class QuestionMaker {
 public:
  QuestionMaker(const LinkMeasurement& row, Subject subject)
      : row_(row),
        subject_(subject),
        all_(plain_words(row.parameter)),
        hardware_(plain_words(row.hardware)) {}

  std::vector<std::optional<LinkQuestion>> make(std::size_t figures) {
    std::vector<std::string> phrases = phrases_of(row_.parameter);
    const bool paired = phrases.size() == figures;
    if (!paired) phrases.assign(figures, row_.parameter);
    Said before = said_by(row_.hardware);
    of_hardware_ = before;
    before.mix.reset();
    before.size.reset();
    before.devices = said_by(row_.parameter).devices;
    std::vector<std::optional<LinkQuestion>> questions;
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
  std::optional<LinkQuestion> question(const Said& said, const std::string& words,
                                       std::size_t which) const {
    LinkQuestion asked;
    asked.subject = subject_;
    asked.up = said.up.value_or(false);
    asked.both_ways = said.both_ways.value_or(false);
    asked.pageable = said.pageable.value_or(false);
    asked.remote = said.remote.value_or(of_hardware_.remote.value_or(false));
    asked.peer_access = said.peer_access.value_or(true);
    asked.pair = said.pair.value_or(Pair::any);
    asked.devices = said.devices.value_or(1);
    asked.at_once = says(all_, "at once") && asked.devices > 1;
    asked.size = said.size.value_or(asked.size);
    switch (subject_) {
      case Subject::host_copy:
        if (by_kernel(words) || says(words, "stddev") ||
            says_any(all_, {"call", "store", "load", "ping pong", "pointer chase", "overhead"}))
          return std::nullopt;
        asked.total = asked.both_ways && (says(words, "total") || !direction_named(said));
        return asked;
      case Subject::peer_copy:
        return peer(asked, said, words);
      case Subject::device_memory:
        asked.mix = said.mix.value_or(mix_of(all_).value_or(Mix{}));
        asked.half_traffic =
            says(plain_words(row_.parameter + " " + row_.hardware), "device local copy");
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
        return pinning(asked, said, words);
    }
    return std::nullopt;
  }

  // Copies by kernels; "H2D / D2H SM kernel" says it of both.
  [[nodiscard]] bool by_kernel(const std::string& words) const {
    const std::initializer_list<std::string_view> kernels{"sm", "sm kernel", "custom kernel",
                                                          "zero copy"};
    return says_any(words, kernels) ||
           (says_any(all_, kernels) && !says_any(all_, {"ce", "engine"}));
  }

  [[nodiscard]] bool direction_named(const Said& said) const {
    return said.up.has_value() || says(all_, "per direction");
  }

  [[nodiscard]] std::optional<LinkQuestion> peer(LinkQuestion asked, const Said& said,
                                                 const std::string& words) const {
    if (says_any(words, {"latency", "bad p2p on"}) || says(all_, "sm copy") ||
        says(plain_words(row_.source), "sm copy"))
      return std::nullopt;
    if (says(words, "all to one")) asked.pair = Pair::all_to_one;
    if (says(words, "one to all")) asked.pair = Pair::one_to_all;
    if (says(words, "local")) {
      asked.subject = Subject::device_memory;
      asked.mix = {1, 1, false};
      return asked;
    }
    asked.total = asked.both_ways;
    if (!said.peer_access && says_any(hardware_, {"no p2p", "no peer path"}))
      asked.peer_access = false;
    return asked;
  }

  [[nodiscard]] std::optional<LinkQuestion> host(LinkQuestion asked, const Said& said,
                                                 const std::string& words) const {
    const bool time = says(all_, "idle latency") || row_.unit == "ns" || says(words, "idle");
    if (time) asked.subject = Subject::host_latency;
    const bool by_node = said.remote.has_value();
    // "idle local / remote; local / remote bandwidth": the second half is in bytes per second.
    asked.mix = said.mix.value_or(by_node || says(all_, "read") ? Mix{1, 0, false} : Mix{});
    // Of one node where nodes are told apart, else of all.
    asked.devices = by_node || asked.remote ? 1 : 0;
    asked.interleaved = says(words, "interleaved");
    return asked;
  }

  [[nodiscard]] std::optional<LinkQuestion> loaded(LinkQuestion asked) const {
    for (const Figure& figure : read_sentence(row_.parameter)) {
      if (figure.kind != FigureKind::rate) continue;
      asked.load = figure.middle();
      return asked;
    }
    return std::nullopt;
  }

  // Only allocations whose size is told; what is filled or written besides is something else.
  [[nodiscard]] std::optional<LinkQuestion> pinning(LinkQuestion asked, const Said& said,
                                                    const std::string& words) const {
    const auto size = said.size ? said.size : read_size(row_.parameter);
    const bool pins = says_any(all_, {"pinned", "cudahostalloc", "cudamallochost", "register"});
    if (!size || !pins || says_any(words, {"free", "h2d", "cudafreehost", "pageable"}) ||
        says_any(all_, {"init", "write combined"}))
      return std::nullopt;
    asked.size = *size;
    if (says_any(all_, {"thread", "threads"})) {
      const std::size_t digit = words.find_first_of("0123456789");
      if (digit != std::string::npos)
        std::from_chars(words.data() + digit, words.data() + words.size(), asked.threads);
      constexpr std::int64_t most_threads = 4096;
      if (asked.threads < 1 || asked.threads > most_threads) return std::nullopt;
    }
    return asked;
  }

  const LinkMeasurement& row_;
  Subject subject_;
  std::string all_;
  std::string hardware_;
  Said of_hardware_;
};

}  // namespace

std::string quantity_of(const LinkQuestion& question) {
  switch (question.subject) {
    case Subject::host_copy:
      if (question.pageable) return "pageable copy";
      if (question.remote) return "copy, other socket";
      return question.both_ways ? "copy, both directions" : "copy, one direction";
    case Subject::peer_copy:
      return question.peer_access ? "between GPUs" : "between GPUs, no access";
    case Subject::device_memory:
      return "device memory";
    case Subject::cache:
      return "L2";
    case Subject::host_memory:
      return "host memory";
    case Subject::host_latency:
      return "host memory latency";
    case Subject::loaded_latency:
      return "loaded latency";
    case Subject::pinning:
      break;
  }
  return "pinning";
}

sim::Result<std::vector<std::optional<LinkQuestion>>> questions_of(const LinkMeasurement& row,
                                                                   std::size_t figures) {
  const std::string what = plain_words(row.what);
  for (const OtherKind& other : other_kinds)
    if (says(what, other.words)) return sim::fail(std::string(other.reason));
  const auto subject = subject_of(what);
  if (!subject) return sim::fail("no question about '" + row.what + "'");
  return QuestionMaker(row, *subject).make(figures);
}

}  // namespace memsim::validate
