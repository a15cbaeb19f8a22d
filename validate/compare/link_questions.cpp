#include "validate/compare/link_questions.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <initializer_list>
#include <utility>

#include "validate/import/link_figures.hpp"

namespace memsim::validate {
namespace {

using Words = std::initializer_list<std::string_view>;

bool says_any(std::string_view text, Words phrases) {
  return std::ranges::any_of(phrases, [&](std::string_view phrase) { return says(text, phrase); });
}

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

// The phrases that a parameter lists: "H2D / D2H", "P2P off uni; P2P on uni".
std::vector<std::string> phrases_of(std::string_view parameter) {
  std::vector<std::string> phrases;
  std::string rest = without_parentheses(parameter);
  for (const std::string_view separator : {" vs ", "->"}) {
    for (std::size_t at = rest.find(separator); at != std::string::npos; at = rest.find(separator))
      rest.replace(at, separator.size(), ";");
  }
  for (std::size_t begin = 0; begin <= rest.size();) {
    std::size_t end = rest.find_first_of("/;", begin);
    const auto is_unit = [&] {  // "GB/s"
      return end != std::string::npos && rest.substr(end, 2) == "/s" &&
             (end + 2 == rest.size() || std::isalpha(static_cast<unsigned char>(rest[end + 2])) == 0);
    };
    while (is_unit()) end = rest.find_first_of("/;", end + 1);
    end = std::min(end, rest.size());
    phrases.push_back(rest.substr(begin, end - begin));
    begin = end + 1;
  }
  return phrases;
}

// What the words of one phrase say; empty: nothing about it.
struct Said {
  std::optional<bool> up, both_ways, pageable, remote, peer_access;
  std::optional<Pair> pair;
  std::optional<Mix> mix;
  std::optional<sim::Bytes> size;
  std::optional<std::int64_t> devices;
};

std::optional<bool> direction(std::string_view words) {
  const std::size_t down = std::min(words.find(" h2d "), words.find(" host to device "));
  const std::size_t up = std::min(words.find(" d2h "), words.find(" device to host "));
  if (down != up) return up < down;
  if (says(words, "write")) return false;  // of the host, as OpenCL calls it
  if (says(words, "read")) return true;
  return std::nullopt;
}

std::optional<Mix> mix(std::string_view words) {
  struct Named {
    std::string_view word;
    Mix mix;
  };
  constexpr std::array<Named, 19> named{{{"3:1", {3, 1, false}},
                                         {"2:1", {2, 1, false}},
                                         {"1:1", {1, 1, false}},
                                         {"all reads", {1, 0, false}},
                                         {"triad like", {2, 1, true}},
                                         {"triad", {2, 1, true}},
                                         {"add", {2, 1, true}},
                                         {"x+y", {2, 1, true}},
                                         {"copy", {1, 1, false}},
                                         {"local copy", {1, 1, false}},
                                         {"scale", {1, 1, false}},
                                         {"mul", {1, 1, false}},
                                         {"diagonal", {1, 1, false}},
                                         {"d2d", {1, 1, false}},
                                         {"dot", {1, 0, false}},
                                         {"init", {0, 1, false}},
                                         {"read+write", {1, 1, false}},
                                         {"read", {1, 0, false}},
                                         {"write", {0, 1, false}}}};
  for (const Named& each : named)
    if (says(words, each.word)) return each.mix;
  return std::nullopt;
}

// How many devices are added up: 4 in "sum of 4", "4 at once".
std::optional<std::int64_t> summands(std::string_view words) {
  constexpr std::int64_t most = 256;
  constexpr std::string_view before = " sum of ";
  constexpr std::string_view behind = " at once ";
  std::size_t at = words.find(behind);
  if (at != std::string_view::npos) at = words.find_last_of(' ', at - 1);
  if (const std::size_t sum = words.find(before); sum != std::string_view::npos) {
    const std::size_t number = sum + before.size();
    if (std::isdigit(static_cast<unsigned char>(words[number])) != 0) at = number - 1;
  }
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = words.substr(at + 1);
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), count);
  if (error != std::errc() || count < 1 || count > most) return std::nullopt;
  return count;
}

Said said_by(const std::string& phrase) {
  const std::string words = plain_words(phrase);
  Said said;
  said.up = direction(words);
  if (says_any(words, {"bidir", "bidirectional", "while", "both directions", "duplex"}))
    said.both_ways = true;
  if (says_any(words, {"uni", "unidirectional", "one direction", "single direction"}))
    said.both_ways = false;
  if (says_any(words, {"pageable", "unpinned"})) said.pageable = true;
  if (says(words, "pinned")) said.pageable = false;
  if (says_any(words, {"remote", "cross numa", "cross socket"})) said.remote = true;
  if (says(words, "local")) said.remote = false;
  if (says_any(words, {"p2p off", "no p2p", "staged", "no peer"})) said.peer_access = false;
  if (says(words, "p2p on")) said.peer_access = true;
  if (says_any(words, {"same switch", "sharing one pcie switch"})) said.pair = Pair::same_switch;
  if (says_any(words, {"different", "different switches", "other", "cross"}))
    said.pair = Pair::other_switch;
  said.mix = mix(words);
  said.size = read_size(phrase);
  said.devices = summands(words);
  return said;
}

template <class Value>
void inherit(std::optional<Value>& own, const std::optional<Value>& previous) {
  if (!own) own = previous;
}

// What one phrase says holds on until another one says otherwise, whatever is measured with it.
Said following(Said said, const Said& before) {
  inherit(said.up, before.up);
  inherit(said.both_ways, before.both_ways);
  inherit(said.pageable, before.pageable);
  inherit(said.peer_access, before.peer_access);
  inherit(said.size, before.size);
  inherit(said.devices, before.devices);
  return said;
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
    before.devices = summands(all_);
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
        asked.mix = said.mix.value_or(mix(all_).value_or(Mix{}));
        asked.half_traffic = says(plain_words(row_.parameter + " " + row_.hardware),
                                  "device local copy");
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
    const Words kernels{"sm", "sm kernel", "custom kernel", "zero copy"};
    return says_any(words, kernels) || (says_any(all_, kernels) && !says_any(all_, {"ce", "engine"}));
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

std::string plain_words(std::string_view text) {
  std::string words = " ";
  for (const char raw : text) {
    const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(raw)));
    const bool kept = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '.' ||
                      (c == ':' && std::isdigit(static_cast<unsigned char>(words.back())) != 0);
    if (kept) {
      words += c;
    } else if (!words.ends_with(' ')) {
      words += ' ';
    }
  }
  if (!words.ends_with(' ')) words += ' ';
  return words;
}

bool says(std::string_view text, std::string_view phrase) {
  const std::string whole = " " + std::string(phrase) + " ";
  return text.find(whole) != std::string_view::npos;
}

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
