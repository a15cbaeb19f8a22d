#include "scenarios/transfer/question.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "scenarios/hardware/catalogue.hpp"
#include "scenarios/hardware/hardware.hpp"
#include "scenarios/hardware/hardware_schema.hpp"
#include "scenarios/schema/display.hpp"
#include "scenarios/schema/scalar.hpp"
#include "scenarios/schema/spelling.hpp"
#include "scenarios/workload/overrides.hpp"

namespace memsim::scenarios {
namespace {

using models::NodeKind;
using models::NodeRef;

constexpr std::string_view sweep_dots = "..";
constexpr std::string_view own_memory = "ddr";
constexpr std::int64_t most_bytes = std::int64_t{1} << 44;  // 16 TiB
constexpr std::int64_t most_copies = 1000;
constexpr std::int64_t most_threads = 65'536;
constexpr std::int64_t most_weight = 1000;

struct Amounts {
  sim::Bytes size;
  std::int64_t count = 0;
  std::int64_t threads = 0;
  std::int64_t weight = 0;
};

const Schema<Amounts>& amounts_schema() {
  static const Schema<Amounts> schema =
      Schema<Amounts>("transfer")
          .field("size", &Amounts::size,
                 {.help = "of one copy", .example = "1 GiB", .least = 1, .most = most_bytes})
          .field("count", &Amounts::count,
                 {.help = "copies", .example = "1", .least = 1, .most = most_copies})
          .field("threads", &Amounts::threads,
                 {.help = "threads that touch", .example = "8", .least = 1, .most = most_threads})
          .field("weight", &Amounts::weight,
                 {.help = "pages in turn", .example = "3", .least = 1, .most = most_weight});
  return schema;
}

class QuestionReader {
 public:
  QuestionReader(TransferQuestion& question, const TransferWords& words, Sources& sources,
                 Diagnostics& diagnostics)
      : question_(question), words_(words), sources_(sources), diagnostics_(diagnostics) {}

  void read() {
    read_sizes();
    const std::int64_t count =
        read_scalar_of("count", words_.count, typed("--count", words_.count));
    threads_ = read_scalar_of("threads", words_.threads, typed("--threads", words_.threads));
    const std::optional<std::uint32_t> numa = read_numa();
    add(words_.from, words_.to, typed("--from", words_.from), typed("--to", words_.to), count,
        numa);
    for (const std::string& text : words_.concurrent) read_concurrent(text, numa);
  }

 private:
  Location typed(std::string_view option, const std::string& text) {
    return whole(sources_.add(std::string(option), text, SourceRole::command_line));
  }

  void report(std::string_view code, Location at, std::string message, std::string label,
              std::string suggestion = "") {
    std::string help = suggestion.empty() ? "" : fmt::format("did you mean `{}`?", suggestion);
    diagnostics_.add({.code = std::string(code),
                      .location = at,
                      .message = std::move(message),
                      .label = std::move(label),
                      .notes = {},
                      .help = std::move(help),
                      .suggestion = std::move(suggestion)});
  }

  std::int64_t read_scalar_of(std::string_view key, const std::string& text, Location at) {
    Node node;
    node.type = NodeType::text;
    node.location = at;
    node.text = text;
    const char* const end = text.data() + text.size();
    if (const auto [stop, error] = std::from_chars(text.data(), end, node.integer);
        !text.empty() && error == std::errc() && stop == end)
      node.type = NodeType::integer;
    const auto value = read_scalar(*amounts_schema().find(key), node, diagnostics_);
    return value ? value->integer : 1;
  }

  void read_sizes() {
    const Location at = typed("--size", words_.size);
    const std::size_t dots = words_.size.find(sweep_dots);
    const sim::Bytes first(read_scalar_of("size", words_.size.substr(0, dots), at));
    question_.sizes = {first};
    if (dots == std::string::npos) return;
    const sim::Bytes last(read_scalar_of("size", words_.size.substr(dots + sweep_dots.size()), at));
    if (diagnostics_.has_errors()) return;
    if (last < first) report("E135", at, "the sweep ends before it begins", "expected A..B, A < B");
    for (sim::Bytes size = first * 2; size <= last; size = size * 2)
      question_.sizes.push_back(size);
  }

  // The node that --numa says the process's memory is on.
  std::optional<std::uint32_t> read_numa() {
    if (!words_.numa) return std::nullopt;
    const auto node = find(fmt::format("ddr{}", *words_.numa), typed("--numa", *words_.numa));
    if (!node) return std::nullopt;
    const auto is_own = [](const std::string& text) {
      return text.substr(0, text.find(':')) == own_memory || text.ends_with(":ddr") ||
             text.find(":ddr:") != std::string::npos;
    };
    if (!is_own(words_.from) && words_.to != own_memory &&
        std::ranges::none_of(words_.concurrent, is_own))
      report("E135", typed("--numa", *words_.numa), "no transfer uses the memory of the process",
             "`ddr` is its memory, on this node; `ddr0` names a node itself");
    return node->index;
  }

  struct Named {
    std::string name;
    NodeRef node;
  };

  // What can be read and written, "ddr" aside.
  [[nodiscard]] std::vector<Named> memories() const {
    std::vector<Named> all;
    const auto add = [&](NodeKind kind, const auto& placed) {
      for (std::uint32_t i = 0; i < placed.size(); ++i) all.push_back({placed[i].name, {kind, i}});
    };
    for (std::uint32_t i = 0; i < question_.machine.numa_count(); ++i)
      all.push_back({fmt::format("ddr{}", i), {NodeKind::numa, i}});
    const models::SystemSpec& spec = question_.machine.spec();
    add(NodeKind::gpu, spec.gpus);
    add(NodeKind::drive, spec.drives);
    add(NodeKind::nic, spec.nics);
    return all;
  }

  // A node by its name; "ddr" is not one.
  std::optional<NodeRef> find(const std::string& name, Location at) {
    const std::vector<Named> all = memories();
    const auto found = std::ranges::find(all, name, &Named::name);
    if (found != all.end()) return found->node;
    std::vector<std::string> known{std::string(own_memory)};
    for (const Named& each : all) known.push_back(each.name);
    report("E107", at, fmt::format("{} is no memory of this machine", in_quotes(name)),
           fmt::format("expected one of {}", fmt::join(known, ", ")), nearest(name, known));
    return std::nullopt;
  }

  // A node, or several with weights: "ddr0*3+ddr1".
  std::optional<models::Interleave> find_memory(const std::string& text, Location at) {
    std::vector<models::NodeShare> shares;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('+', begin), text.size());
      const std::string part = text.substr(begin, end - begin);
      const std::size_t star = part.find('*');
      const auto node = find(part.substr(0, star), at);
      if (!node) return std::nullopt;
      const std::int64_t weight =
          star == std::string::npos ? 1 : read_scalar_of("weight", part.substr(star + 1), at);
      if (std::ranges::find(shares, *node, &models::NodeShare::node) != shares.end()) {
        report("E135", at, fmt::format("{} names {} twice", in_quotes(text), part.substr(0, star)),
               "expected each node once, with its pages in turn: ddr0*4+ddr1");
        return std::nullopt;
      }
      shares.push_back({*node, weight});
      begin = end + 1;
    }
    const auto is_host = [](const models::NodeShare& share) {
      return share.node.kind == NodeKind::numa;
    };
    if (diagnostics_.has_errors()) return std::nullopt;
    if (shares.size() == 1 || std::ranges::all_of(shares, is_host))
      return models::Interleave(std::move(shares));
    report("E107", at, fmt::format("{} interleaves the memory of a GPU", in_quotes(text)),
           "expected NUMA nodes: ddr0*3+ddr1");
    return std::nullopt;
  }

  void add(const std::string& from, const std::string& to, Location from_at, Location to_at,
           std::int64_t count, std::optional<std::uint32_t> numa) {
    const bool own_from = from == own_memory;
    const bool own_to = to == own_memory;
    const models::Interleave anywhere = NodeRef{NodeKind::numa, numa.value_or(0)};
    std::optional<models::Interleave> source = own_from ? anywhere : find_memory(from, from_at);
    std::optional<models::Interleave> target = own_to ? anywhere : find_memory(to, to_at);
    if (!source || !target) return;
    const auto settle = [&](models::Interleave& own, const models::Interleave& other) {
      if (!numa && other.node().kind != NodeKind::numa)
        own = NodeRef{NodeKind::numa, question_.machine.home_numa(other.node())};
    };
    if (own_from) settle(*source, *target);
    if (own_to) settle(*target, *source);
    question_.transfers.push_back(
        {{*source, *target, question_.sizes.front(), words_.pageable}, count, threads_});
    question_.swept.push_back(true);
  }

  void read_concurrent(const std::string& text, std::optional<std::uint32_t> numa) {
    const Location at = typed("--concurrent", text);
    const std::size_t first = text.find(':');
    if (first == std::string::npos) {
      report("E143", at, fmt::format("{} names no transfer", in_quotes(text)),
             "expected FROM:TO or FROM:TO:SIZE");
      return;
    }
    const std::size_t second = text.find(':', first + 1);
    const std::string to = text.substr(
        first + 1, second == std::string::npos ? std::string::npos : second - first - 1);
    const std::size_t before = question_.transfers.size();
    add(text.substr(0, first), to, at, at, 1, numa);
    if (second == std::string::npos) return;
    const sim::Bytes size(read_scalar_of("size", text.substr(second + 1), at));
    if (question_.transfers.size() == before) return;
    question_.transfers.back().copy.bytes = size;
    question_.swept.back() = false;
  }

  TransferQuestion& question_;
  std::int64_t threads_ = 1;
  const TransferWords& words_;
  Sources& sources_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<TransferQuestion> read_transfer(const std::filesystem::path& scenarios,
                                              const TransferWords& words, Sources& sources,
                                              Diagnostics& diagnostics) {
  const auto require = [&](std::string_view option, const std::string& value,
                           std::string_view expected) {
    if (value.empty())
      diagnostics.add(missing_option(option, expected, "see `memsim transfer --help`"));
  };
  require("--hw", words.hardware, "expected a machine");
  require("--from", words.from, "expected a memory: ddr0, gpu0");
  require("--to", words.to, "expected a memory: ddr0, gpu0");
  if (diagnostics.has_errors()) return std::nullopt;
  const Overrides overrides = read_overrides(words.overrides, system_keys(), sources, diagnostics);
  const Catalogue catalogue(scenarios);
  auto system = load_system(catalogue, words.hardware, overrides.machine, sources, diagnostics);
  if (!system) return std::nullopt;
  TransferQuestion question{models::Machine(std::move(system->spec)), {}, {}, {}};
  QuestionReader(question, words, sources, diagnostics).read();
  if (diagnostics.has_errors()) return std::nullopt;
  return question;
}

}  // namespace memsim::scenarios
