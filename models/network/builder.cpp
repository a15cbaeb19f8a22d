#include "models/network/builder.hpp"

#include <algorithm>

#include "sim/core/check.hpp"

namespace memsim::models {

Var::Var(const Var& other) : builder_(other.builder_), value_(other.value_) {
  if (builder_ == nullptr) return;
  builder_->add_name(value_);
  born_ = builder_->births_++;
}

Var::Var(Var&& other) noexcept
    : builder_(std::exchange(other.builder_, nullptr)), value_(other.value_), born_(other.born_) {}

Var& Var::operator=(const Var& other) { return *this = Var(other); }

Var& Var::operator=(Var&& other) noexcept {
  if (this == &other) return *this;
  Builder* const builder = std::exchange(builder_, std::exchange(other.builder_, nullptr));
  const ValueId old = std::exchange(value_, other.value_);
  if (builder == nullptr) {
    born_ = other.born_;  // a name keeps its place in its frame when it is bound again
  } else if (builder->lose_name(old)) {
    builder->drop_now(old);
  }
  return *this;
}

Var::~Var() {
  if (builder_ != nullptr && builder_->lose_name(value_)) builder_->drop_at_exit(value_, born_);
}

Var Arg::name() const {
  builder_->add_name(value_);
  return Var(*builder_, value_, builder_->births_++);
}

void Arg::give_up() {
  if (!owned_) return;
  owned_.builder_ = nullptr;
  if (builder_->lose_name(value_)) builder_->drop_now(value_);
}

Scope::~Scope() {
  builder_->flush();
  if (argument_ != nullptr) argument_->give_up();
}

ModuleScope::ModuleScope(Builder& builder, std::string name) : builder_(&builder) {
  std::vector<Builder::Module>& modules = builder.modules_;
  const auto index = static_cast<std::uint32_t>(modules.size());
  Builder::Module& parent = modules[builder.module_stack_.back()];
  parent.children.push_back(index);
  std::string prefix = parent.prefix + std::move(name) + '.';
  modules.push_back({std::move(prefix), {}, {}, {}});
  builder.module_stack_.push_back(index);
}

ModuleScope::~ModuleScope() { builder_->module_stack_.pop_back(); }

Builder::Builder() : modules_(1), module_stack_{0} {}

ValueId Builder::new_value() {
  names_.push_back(0);
  return network_.values++;
}

Var Builder::name(ValueId value) {
  add_name(value);
  return Var(*this, value, births_++);
}

bool Builder::lose_name(ValueId value) { return --names_[value] == 0; }

void Builder::drop_now(ValueId value) { append(StatementKind::drop, {value}); }

void Builder::drop_at_exit(ValueId value, std::uint64_t born) { leaving_.push_back({born, value}); }

void Builder::flush() {
  if (leaving_.empty()) return;
  std::vector<Dropped> leaving = std::exchange(leaving_, {});
  std::ranges::sort(leaving, {}, &Dropped::born);
  std::vector<ValueId> values;
  values.reserve(leaving.size());
  for (const Dropped& dropped : leaving) values.push_back(dropped.value);
  append(StatementKind::drop, values);
}

Statement& Builder::append(StatementKind kind, const std::vector<ValueId>& inputs) {
  flush();
  Statement statement;
  statement.kind = kind;
  statement.first_operand = static_cast<std::uint32_t>(network_.operands.size());
  statement.inputs = static_cast<std::uint32_t>(inputs.size());
  network_.operands.insert(network_.operands.end(), inputs.begin(), inputs.end());
  network_.statements.push_back(statement);
  return network_.statements.back();
}

Var Builder::parameter(std::string_view name, std::vector<std::int64_t> shape) {
  Module& module = modules_[module_stack_.back()];
  module.parameters.push_back(static_cast<std::uint32_t>(network_.parameters.size()));
  const ValueId value = new_value();
  names_[value] = 1;
  network_.parameters.push_back(
      {module.prefix + std::string(name), std::move(shape), value, no_layer});
  return this->name(value);
}

Var Builder::buffer(std::string_view name, std::vector<std::int64_t> shape, DataType type,
                    Presence presence) {
  Module& module = modules_[module_stack_.back()];
  module.buffers.push_back(static_cast<std::uint32_t>(network_.buffers.size()));
  const ValueId value = new_value();
  names_[value] = 1;
  network_.buffers.push_back(
      {module.prefix + std::string(name), std::move(shape), type, presence, value});
  return this->name(value);
}

Var Builder::input(std::string_view name, std::vector<Extent> shape, DataType type) {
  const ValueId value = new_value();
  names_[value] = 1;
  network_.inputs.push_back({std::string(name), std::move(shape), type, value});
  return this->name(value);
}

std::uint16_t Builder::operator_index(std::string_view op) {
  const auto known = operator_indices_.find(op);
  if (known != operator_indices_.end()) return known->second;
  const auto index = static_cast<std::uint16_t>(network_.operators.size());
  network_.operators.emplace_back(op);
  operator_indices_.emplace(std::string(op), index);
  return index;
}

std::vector<Var> Builder::call(std::string_view op, std::initializer_list<Arg*> arguments,
                               std::initializer_list<Extent> attributes, std::uint32_t outputs) {
  std::vector<ValueId> inputs;
  for (const Arg* argument : arguments)
    inputs.push_back(argument == nullptr ? no_value : argument->id());
  Statement& statement = append(StatementKind::call, inputs);
  statement.op = operator_index(op);
  statement.outputs = outputs;
  statement.first_attribute = static_cast<std::uint32_t>(network_.attributes.size());
  statement.attributes = static_cast<std::uint32_t>(attributes.size());
  network_.attributes.insert(network_.attributes.end(), attributes.begin(), attributes.end());
  std::vector<Var> results;
  for (std::uint32_t i = 0; i < outputs; ++i) {
    results.push_back(name(new_value()));
    network_.operands.push_back(results.back().id());
  }
  for (Arg* argument : arguments)
    if (argument != nullptr) argument->give_up();
  return results;
}

Var Builder::call(std::string_view op, std::initializer_list<Arg*> arguments,
                  std::initializer_list<Extent> attributes) {
  return std::move(call(op, arguments, attributes, 1).front());
}

void Builder::bind(ValueId result, Var value) {
  append(StatementKind::bind, {value.id()});
  network_.statements.back().outputs = 1;
  network_.operands.push_back(result);
  // The tensor moves over: the old value has no name left, and no drop.
  names_[value.value_] = 0;
  value.builder_ = nullptr;
}

std::uint32_t Builder::begin_branch(Presence presence) {
  append(StatementKind::branch, {}).presence = presence;
  return static_cast<std::uint32_t>(network_.statements.size() - 1);
}

void Builder::end_branch(std::uint32_t statement) {
  flush();
  network_.statements[statement].end = static_cast<std::uint32_t>(network_.statements.size());
}

void Builder::begin_layer(const std::vector<ValueId>& arguments) {
  append(StatementKind::layer, arguments).index = network_.layers;
  open_layer_ = static_cast<std::uint32_t>(network_.statements.size() - 1);
}

void Builder::end_layer(const Var& output) {
  append(StatementKind::layer_end, {output.id()}).index = network_.layers++;
  network_.statements[open_layer_].end = static_cast<std::uint32_t>(network_.statements.size() - 1);
}

void Builder::result(const Var& loss, const Var& output) {
  append(StatementKind::result, {loss.id(), output.id()});
}

void Builder::order_parameters(std::uint32_t module, std::vector<Parameter>& ordered) {
  for (const std::uint32_t index : modules_[module].parameters)
    ordered.push_back(std::move(network_.parameters[index]));
  for (const std::uint32_t child : modules_[module].children) order_parameters(child, ordered);
}

void Builder::order_placement(std::uint32_t module, const std::vector<std::uint32_t>& position) {
  for (const std::uint32_t child : modules_[module].children) order_placement(child, position);
  for (const std::uint32_t index : modules_[module].parameters)
    network_.placement.push_back({false, position[index]});
  for (const std::uint32_t index : modules_[module].buffers)
    network_.placement.push_back({true, index});
}

void Builder::assign_layers() {
  std::vector<std::uint32_t> parameter_of(network_.values, no_value);
  for (std::uint32_t i = 0; i < network_.parameters.size(); ++i)
    parameter_of[network_.parameters[i].value] = i;
  std::int32_t layer = no_layer;
  for (const Statement& statement : network_.statements) {
    if (statement.kind == StatementKind::layer) layer = static_cast<std::int32_t>(statement.index);
    if (statement.kind == StatementKind::layer_end) layer = no_layer;
    if (statement.kind != StatementKind::call || layer == no_layer) continue;
    for (std::uint32_t i = 0; i < statement.inputs; ++i) {
      const ValueId value = network_.operands[statement.first_operand + i];
      if (value != no_value && parameter_of[value] != no_value)
        network_.parameters[parameter_of[value]].layer = layer;
    }
  }
}

Network Builder::finish() {
  flush();
  std::vector<std::uint32_t> position(network_.parameters.size());
  std::vector<std::pair<ValueId, std::uint32_t>> old;
  old.reserve(network_.parameters.size());
  for (std::uint32_t i = 0; i < network_.parameters.size(); ++i)
    old.emplace_back(network_.parameters[i].value, i);
  std::vector<Parameter> ordered;
  order_parameters(0, ordered);
  MEMSIM_CHECK(ordered.size() == old.size(), "a parameter belongs to no module");
  network_.parameters = std::move(ordered);
  // Values were given out in the order of registration, so `old` is sorted by value.
  for (std::uint32_t i = 0; i < network_.parameters.size(); ++i) {
    const auto entry = std::ranges::lower_bound(old, network_.parameters[i].value, {},
                                                &std::pair<ValueId, std::uint32_t>::first);
    position[entry->second] = i;
  }
  order_placement(0, position);
  assign_layers();
  return std::move(network_);
}

}  // namespace memsim::models
