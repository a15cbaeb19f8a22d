#include "validate/compare/torch_expectations.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <set>
#include <utility>

#include "scenarios/schema/spelling.hpp"
#include "sim/core/units.hpp"

namespace memsim::validate {
namespace {

using scenarios::Entry;
using scenarios::Node;
using scenarios::NodeType;

constexpr std::array<std::string_view, 19> program_quantities{
    "params",
    "param_bytes",
    "buffer_bytes",
    "input_bytes",
    "grad_bytes",
    "grad_count",
    "optimizer_state_bytes",
    "optimizer_state_tensors",
    "saved_for_backward_bytes",
    "saved_for_backward_bytes_512",
    "saved_for_backward_bytes_2x",
    "saved_for_backward_incl_inputs_buffers_bytes",
    "saved_autocast_weight_cast_bytes",
    "saved_unique_storages",
    "saved_tensors_total",
    "events",
    "engine_adds",
    "engine_adds_in_place_2x",
    "hidden_temporaries",
};
constexpr std::array<std::string_view, 4> node_quantities{"tensors", "bytes", "param_tensors",
                                                          "new_unique_bytes"};
constexpr std::array<std::string_view, 3> step_texts{"peak_phase", "peak_op", "peak_512_phase"};

constexpr std::string_view no_such_quantity = "no such quantity is known";

std::vector<std::string> phases(const TorchRow& row) {
  std::vector<std::string> names;
  const std::int64_t count = std::min(row.micro_batches, most_torch_micro_batches);
  if (!row.trains) return {"forward"};
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string number = count > 1 ? std::to_string(i) : "";
    names.push_back("forward" + number);
    names.push_back("backward" + number);
  }
  names.insert(names.end(), {"zero_grad", "optimizer"});
  return names;
}

// The integers that a step of this row can have.
std::set<std::string> step_quantities(const TorchRow& row) {
  std::set<std::string> names{"allocs", "alloc_bytes"};
  for (const char* const name : {"start", "end", "peak"}) {
    names.insert(name);
    names.insert(std::string(name) + "_512");
  }
  for (const std::string& phase : phases(row)) {
    for (const char* const prefix : {"after_", "peak_"}) {
      names.insert(prefix + phase);
      names.insert(prefix + phase + "_512");
    }
    names.insert("allocs_" + phase);
  }
  return names;
}

class Reader {
 public:
  Reader(JsonFields& fields, const TorchRow& row)
      : fields_(&fields),
        step_quantities_(step_quantities(row)),
        step_keys_(step_quantities_.begin(), step_quantities_.end()) {
    step_keys_.insert(step_keys_.end(), step_texts.begin(), step_texts.end());
    step_keys_.emplace_back("step");
  }

  TorchExpectations read() {
    for (const std::string_view quantity : program_quantities) integer(*fields_, "", quantity);
    read_nodes();
    read_operators();
    // Both lists speak of the same steps, and the first one has to be there.
    fields_->require("steps");
    const std::size_t steps = read_steps("steps", models::TorchRules::v1_13);
    const std::size_t steps_2x = read_steps("steps_2x", models::TorchRules::v2);
    expectations_.steps = std::max({steps, steps_2x, std::size_t{1}});
    same_length("steps_2x", steps_2x, steps);
    read_peaks_without_hidden(steps);
    std::vector<std::string> known{"steps",
                                   "steps_2x",
                                   "saved_by_grad_fn",
                                   "saved_by_grad_fn_2x",
                                   "forward_ops",
                                   "peaks_without_hidden"};
    known.insert(known.end(), program_quantities.begin(), program_quantities.end());
    for (const char* const setting :
         {"id", "family", "args", "batch", "seq", "seq_dec", "image", "pooling", "precision", "opt",
          "accum", "set_to_none", "zero_at", "hold", "cudnn", "mode", "method"})
      known.emplace_back(setting);
    read_unknown(*fields_, "", known);
    return std::move(expectations_);
  }

 private:
  void expect(std::string scope, std::string_view quantity, Value measured, const Node& at,
              std::string_view not_modelled = "") {
    expectations_.list.push_back({std::move(scope), std::string(quantity), std::move(measured),
                                  at.location, std::string(not_modelled)});
  }

  void integer(JsonFields& fields, const std::string& scope, std::string_view quantity,
               std::string_view shown_as = "") {
    const auto value = fields.integer(quantity, 0);
    if (value)
      expect(scope, shown_as.empty() ? quantity : shown_as, exact_value(*value),
             *fields.find(quantity));
  }

  // Keys that are no quantity: an error if another key was meant, else something that memsim does
  // not know. Texts are remarks.
  void read_unknown(JsonFields& fields, const std::string& scope,
                    std::span<const std::string> known) {
    std::size_t looked_up = 0;
    for (const Entry* entry : fields.unknown()) {
      // Objects with more strange keys than that are no slip of the hand.
      const bool look_up = ++looked_up <= scenarios::Diagnostics::shown_at_most;
      const std::string meant = look_up ? scenarios::misspelt(entry->key, known) : "";
      if (!meant.empty()) {
        fields.report_unknown(*entry, meant);
      } else if (entry->value.type != NodeType::text) {
        const bool whole = entry->value.type == NodeType::integer;
        expect(scope, entry->key, whole ? exact_value(entry->value.integer) : Value{}, entry->value,
               no_such_quantity);
      }
    }
  }

  void read_nodes() {
    if (const Node* const nodes_2x = fields_->table("saved_by_grad_fn_2x"))
      expect("", "saved_by_grad_fn_2x", {}, *nodes_2x, "nodes by the rules of PyTorch 2.x");
    const Node* const nodes = fields_->table("saved_by_grad_fn");
    if (nodes == nullptr) return;
    expectations_.states_nodes = true;
    for (const Entry& entry : nodes->entries) read_node(entry);
    if (!nodes->entries.empty())
      expect("", "saved_by_grad_fn.attrs", {}, *nodes, "names of saved tensors");
  }

  void read_node(const Entry& entry) {
    const std::string path = "saved_by_grad_fn." + entry.key;
    if (entry.value.type != NodeType::table)
      return report_type(entry.value, path, "an object", fields_->diagnostics());
    JsonFields node(entry.value, path, fields_->diagnostics());
    for (const std::string_view quantity : node_quantities)
      integer(node, entry.key, quantity, fmt::format("saved_by_grad_fn.{}", quantity));
    if (const Node* const names = node.table("attrs")) check_names(*names, node);
    std::vector<std::string> known{"attrs"};
    known.insert(known.end(), node_quantities.begin(), node_quantities.end());
    read_unknown(node, entry.key, known);
  }

  // Names are not compared, but they count the same tensors.
  void check_names(const Node& names, JsonFields& node) {
    std::int64_t sum = 0;
    for (const Entry& name : names.entries) {
      const auto count = read_integer(name.value, node.path("attrs." + name.key), 0, most_named,
                                      fields_->diagnostics());
      if (!count) return;
      sum += *count;
    }
    const Node* const tensors = node.find("tensors");
    if (tensors != nullptr && tensors->type == NodeType::integer && tensors->integer != sum)
      report("E135", names,
             fmt::format("{} count {} tensors; `tensors` is {}", node.path("attrs"), sum,
                         tensors->integer));
  }

  void read_operators() {
    const Node* const operators = fields_->table("forward_ops");
    if (operators == nullptr) return;
    expectations_.states_operators = true;
    for (const Entry& entry : operators->entries) {
      const auto calls = read_integer(entry.value, "forward_ops." + entry.key, 0,
                                      JsonFields::no_limit, fields_->diagnostics());
      if (calls) expect(entry.key, "forward_ops", exact_value(*calls), entry.value);
    }
  }

  // Returns how many steps there are.
  std::size_t read_steps(const char* key, models::TorchRules rules) {
    const Node* const list = fields_->list(key);
    if (list == nullptr) return 0;
    if (list->items.empty()) report("E114", *list, std::string(key) + " is empty");
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const std::string path = fmt::format("{}[{}]", key, i);
      const Node& step = list->items[i];
      if (step.type == NodeType::table) {
        read_step(step, path, i, rules);
      } else {
        report_type(step, path, "an object", fields_->diagnostics());
      }
    }
    return list->items.size();
  }

  void read_step(const Node& node, const std::string& path, std::size_t number,
                 models::TorchRules rules) {
    JsonFields step(node, path, fields_->diagnostics());
    const std::string scope = torch_step_scope(number, rules);
    const std::size_t quantities = expectations_.list.size();
    const std::size_t errors = fields_->diagnostics().errors();
    const auto index = step.integer("step", 0);
    if (index && static_cast<std::size_t>(*index) != number)
      report("E135", *step.find("step"),
             fmt::format("{} is {}; this is step {}", step.path("step"), *index, number));
    for (const Entry& entry : node.entries)
      if (step_quantities_.contains(entry.key)) integer(step, scope, entry.key);
    for (const std::string_view key : step_texts) read_step_text(step, scope, key);
    read_unknown(step, scope, step_keys_);
    if (expectations_.list.size() == quantities && fields_->diagnostics().errors() == errors)
      report("E114", node, path + " has no quantity");
  }

  void read_step_text(JsonFields& step, const std::string& scope, std::string_view key) {
    const auto text = step.text(key);
    if (!text) return;
    const Node& value = *step.find(key);
    if (text->empty())
      report_type(value, step.path(key), "a name", fields_->diagnostics());
    else
      expect(scope, key, text_value(*text), value);
  }

  void read_peaks_without_hidden(std::size_t steps) {
    const Node* const peaks = fields_->list("peaks_without_hidden");
    if (peaks == nullptr) return;
    same_length("peaks_without_hidden", peaks->items.size(), steps);
    for (std::size_t i = 0; i < peaks->items.size(); ++i) {
      const auto peak = read_integer(peaks->items[i], fmt::format("peaks_without_hidden[{}]", i), 0,
                                     JsonFields::no_limit, fields_->diagnostics());
      if (peak && i < expectations_.steps)
        expect(torch_step_scope(i, models::TorchRules::v1_13), "peak_without_hidden",
               exact_value(*peak), peaks->items[i]);
    }
  }

  void same_length(const char* key, std::size_t length, std::size_t steps) {
    const Node* const list = fields_->find(key);
    if (list == nullptr || steps == 0 || length == 0 || length == steps) return;
    report("E135", *list, fmt::format("{} speaks of {} steps; `steps` of {}", key, length, steps));
  }

  void report(const char* code, const Node& at, std::string message) {
    fields_->diagnostics().add({.code = code,
                                .location = at.location,
                                .message = std::move(message),
                                .label = "",
                                .notes = {},
                                .help = "",
                                .suggestion = ""});
  }

  static constexpr std::int64_t most_named = std::int64_t{1} << 40;  // sums stay within 64 bits

  JsonFields* fields_;
  std::set<std::string> step_quantities_;
  std::vector<std::string> step_keys_;  // all that a step may have
  TorchExpectations expectations_;
};

}  // namespace

std::string torch_step_scope(std::size_t step, models::TorchRules rules) {
  return fmt::format("step{}{}", step, rules == models::TorchRules::v2 ? " 2.x" : "");
}

TorchExpectations read_torch_expectations(JsonFields& fields, const TorchRow& row) {
  return Reader(fields, row).read();
}

}  // namespace memsim::validate
