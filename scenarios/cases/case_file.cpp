#include "scenarios/cases/case_file.hpp"

#include <fmt/format.h>

#include <string_view>

#include "scenarios/schema/reader.hpp"
#include "scenarios/schema/schema.hpp"
#include "scenarios/workload/workload_file.hpp"

namespace memsim::scenarios {
namespace {

constexpr std::string_view case_schema_name = "memsim.case/1";
constexpr std::int64_t longest_text = 400;

FieldRules text_rules(std::string_view help, std::string_view example, bool required) {
  FieldRules rules{.help = help, .required = required, .example = example, .most = longest_text};
  if (!required) rules.fallback = "";
  return rules;
}

const Schema<CaseTransfer>& transfer_schema() {
  static const Schema<CaseTransfer> schema =
      Schema<CaseTransfer>("transfer")
          .field("name", &CaseTransfer::name, text_rules("what asserts call it", "h2d", true))
          .field("from", &CaseTransfer::from, text_rules("memory that is read", "ddr", true))
          .field("to", &CaseTransfer::to, text_rules("memory that is written", "gpu0", true))
          .field("size", &CaseTransfer::size, text_rules("of the copy", "16 MiB", true))
          .field("numa", &CaseTransfer::numa, text_rules("node of `ddr`", "1", false))
          .field("pageable", &CaseTransfer::pageable,
                 {.help = "host memory is not pinned", .fallback = "false", .example = "true"})
          .field("concurrent", &CaseTransfer::concurrent,
                 text_rules("what begins at the same time", "ddr0:gpu1", false));
  return schema;
}

// The key of the value that a fact has; empty: none.
std::string_view value_key(CaseFact fact) {
  switch (fact) {
    case CaseFact::order:
      return "";
    case CaseFact::rate:
    case CaseFact::dram_reads:
    case CaseFact::remote_reads:
      return "rate";
    case CaseFact::gpu_memory:
      return "memory";
    case CaseFact::switch_groups:
      return "groups";
    case CaseFact::nvlinks:
    case CaseFact::pairs_without_nvlink:
    case CaseFact::cxl_nodes:
      break;
  }
  return "count";
}

// A fact has its own kind of value, and no other.
void check_value(const CaseAssert& assertion, const Node& table, Diagnostics& diagnostics) {
  const std::string_view wanted = value_key(assertion.fact);
  for (const std::string_view key : {"rate", "memory", "count", "groups"}) {
    const Node* found = table.find(key);
    if ((found != nullptr) == (key == wanted)) continue;
    diagnostics.add({.code = found == nullptr ? "E105" : "E135",
                     .location = found == nullptr ? table.location : found->location,
                     .message = found == nullptr
                                    ? fmt::format("`{}` is missing", key)
                                    : fmt::format("`{}` is no value of this fact", key),
                     .label = "",
                     .notes = {},
                     .help = "",
                     .suggestion = ""});
  }
}

const Schema<CaseAssert>& assert_schema() {
  static const Schema<CaseAssert> schema =
      Schema<CaseAssert>("assertion")
          .field("metric", &CaseAssert::metric, text_rules("its name", "link.h2d_gbps@local", true))
          .choice("fact", &CaseAssert::fact,
                  {{"rate", CaseFact::rate},
                   {"order", CaseFact::order},
                   {"nvlinks", CaseFact::nvlinks},
                   {"pairs_without_nvlink", CaseFact::pairs_without_nvlink},
                   {"cxl_nodes", CaseFact::cxl_nodes},
                   {"gpu_memory", CaseFact::gpu_memory},
                   {"dram_reads", CaseFact::dram_reads},
                   {"remote_reads", CaseFact::remote_reads},
                   {"switch_groups", CaseFact::switch_groups}},
                  {.help = "what is looked at", .required = true, .example = "rate"})
          .field("of", &CaseAssert::of, text_rules("of which transfer or GPU", "h2d", false))
          .choice("op", &CaseAssert::relation,
                  {{"==", CaseRelation::equal},
                   {"<=", CaseRelation::at_most},
                   {">=", CaseRelation::at_least}},
                  {.help = "how it stands to the value", .fallback = "==", .example = "<="})
          .field("rate", &CaseAssert::rate, {.help = "that it must be", .example = "12.15 GB/s"})
          .field("memory", &CaseAssert::memory, {.help = "that it must be", .example = "11.25 GiB"})
          .field("count", &CaseAssert::count, {.help = "that it must be", .example = "6"})
          .field("groups", &CaseAssert::groups,
                 {.help = "that they must be", .example = "[[0,1],[2,3]]", .most = longest_text})
          .field("rel_tol", &CaseAssert::rel_tol,
                 {.help = "share of the value",
                  .fallback = "0",
                  .example = "0.08",
                  .most = models::parts_per_million})
          .check(check_value, {"fact", "rate", "memory", "count"});
  return schema;
}

const Schema<Case>& case_schema() {
  static const Schema<Case> schema =
      Schema<Case>("case")
          .field("id", &Case::id, text_rules("its name", "LINK-03", true))
          .field("title", &Case::title, text_rules("in one line", "Wrong socket", true))
          .field("source", &Case::source, text_rules("where it was reported", "org/repo#1", true))
          .field("hw", &Case::hw, text_rules("the machine", "gh200", true))
          .list("transfer", &Case::transfers, transfer_schema(),
                {.help = "questions to the machine"})
          .list("assert", &Case::asserts, assert_schema(),
                {.help = "what the answers must be", .required = true, .least = 1});
  return schema;
}

}  // namespace

std::int64_t value_of(const CaseAssert& assertion) {
  if (assertion.rate) return assertion.rate->value();
  if (assertion.memory) return assertion.memory->value();
  return assertion.count.value_or(0);
}

std::optional<Case> load_case(const std::filesystem::path& path, Sources& sources,
                              Diagnostics& diagnostics) {
  const auto tree = load_workload_file(path, path.filename().string(), case_schema_name, {},
                                       sources, diagnostics);
  if (!tree) return std::nullopt;
  return read(case_schema(), *tree, diagnostics);
}

}  // namespace memsim::scenarios
