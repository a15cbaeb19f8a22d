// Writes networks in C++ that reads like the PyTorch module.
//
// A Var is a Python name: copying it is a second name for the same tensor, assigning to it
// evaluates the right side first and drops the old tensor after, and leaving a function drops its
// names in the order in which they were bound (as a Python frame does; C++ destroys in reverse, so
// a Scope stands at the top of each function). An Arg is a function argument: a name of the caller
// is borrowed, a temporary is given up when the function has returned. From this the Builder
// records where each tensor dies.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/network/network.hpp"

namespace memsim::models {

class Builder;

class Var {
 public:
  Var() = default;
  Var(const Var& other);
  Var(Var&& other) noexcept;
  Var& operator=(const Var& other);
  Var& operator=(Var&& other) noexcept;
  ~Var();

  explicit operator bool() const { return builder_ != nullptr; }
  // Requires: the name is bound.
  [[nodiscard]] ValueId id() const { return value_; }
  [[nodiscard]] Builder& builder() const { return *builder_; }

 private:
  friend class Arg;
  friend class Builder;
  Var(Builder& builder, ValueId value, std::uint64_t born)
      : builder_(&builder), value_(value), born_(born) {}

  Builder* builder_ = nullptr;
  ValueId value_ = no_value;
  std::uint64_t born_ = 0;  // order of binding
};

class Arg {
 public:
  Arg(const Var& name) : value_(name.value_), builder_(name.builder_) {}
  Arg(Var&& temporary) noexcept
      : value_(temporary.value_), builder_(temporary.builder_), owned_(std::move(temporary)) {}
  // Handing an argument on is borrowing it.
  Arg(const Arg& other) : value_(other.value_), builder_(other.builder_) {}
  Arg& operator=(const Arg&) = delete;

  [[nodiscard]] ValueId id() const { return value_; }
  [[nodiscard]] Builder& builder() const { return *builder_; }
  // The parameter name of a function, beside the caller's.
  [[nodiscard]] Var name() const;
  // Gives a temporary up; nothing for a borrowed name.
  void give_up();

 private:
  ValueId value_;
  Builder* builder_;
  Var owned_;
};

// A Python function: put it first. On return the function's names go, then its temporary arguments.
class Scope {
 public:
  explicit Scope(Builder& builder) : builder_(&builder) {}
  explicit Scope(Arg& argument) : builder_(&argument.builder()), argument_(&argument) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope();

 private:
  Builder* builder_;
  Arg* argument_ = nullptr;
};

// While it lives, names and registrations belong to the module of that name.
class ModuleScope {
 public:
  ModuleScope(Builder& builder, std::string name);
  ModuleScope(const ModuleScope&) = delete;
  ModuleScope& operator=(const ModuleScope&) = delete;
  ~ModuleScope();

 private:
  Builder* builder_;
};

class Builder {
 public:
  Builder();
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  // Registrations of the current module.
  Var parameter(std::string_view name, std::vector<std::int64_t> shape);
  Var buffer(std::string_view name, std::vector<std::int64_t> shape, DataType type,
             Presence presence = Presence::always);
  Var input(std::string_view name, std::vector<Extent> shape, DataType type);
  void limit_sequence(std::int64_t positions) { network_.positions = positions; }

  // Calls an operator; null arguments are absent optional operands. Temporaries are given up after.
  std::vector<Var> call(std::string_view op, std::initializer_list<Arg*> arguments,
                        std::initializer_list<Extent> attributes, std::uint32_t outputs);
  Var call(std::string_view op, std::initializer_list<Arg*> arguments,
           std::initializer_list<Extent> attributes = {});

  // Runs `body()` as one layer: a function of `arguments` that checkpointing may run twice.
  // Requires: the body uses no other value but parameters and buffers; layers do not nest.
  template <std::invocable Body>
  Var layer(const std::vector<ValueId>& arguments, Body body) {
    begin_layer(arguments);
    Var output = body();
    end_layer(output);
    return output;
  }

  // What `eager()` or `flash()` returns, whichever attention the job uses.
  template <std::invocable Eager, std::invocable Flash>
  Var attention(Eager eager, Flash flash) {
    const ValueId result = new_value();
    const std::uint32_t first = begin_branch(Presence::eager_attention);
    bind(result, eager());
    end_branch(first);
    const std::uint32_t second = begin_branch(Presence::flash_attention);
    bind(result, flash());
    end_branch(second);
    return name(result);
  }

  // The model returns `loss`; `output` is what it would return beside it.
  void result(const Var& loss, const Var& output);

  // Requires: all names but those of parameters, buffers and inputs are gone.
  Network finish();

 private:
  friend class Var;
  friend class Arg;
  friend class Scope;
  friend class ModuleScope;

  struct Module {
    std::string prefix;
    std::vector<std::uint32_t> parameters;
    std::vector<std::uint32_t> buffers;
    std::vector<std::uint32_t> children;
  };
  struct Dropped {
    std::uint64_t born;
    ValueId value;
  };

  ValueId new_value();
  Var name(ValueId value);
  void add_name(ValueId value) { ++names_[value]; }
  bool lose_name(ValueId value);
  void drop_now(ValueId value);
  void drop_at_exit(ValueId value, std::uint64_t born);
  void flush();
  Statement& append(StatementKind kind, const std::vector<ValueId>& inputs);
  void bind(ValueId result, Var value);
  std::uint32_t begin_branch(Presence presence);
  void end_branch(std::uint32_t statement);
  void begin_layer(const std::vector<ValueId>& arguments);
  void end_layer(const Var& output);
  std::uint16_t operator_index(std::string_view op);
  void order_parameters(std::uint32_t module, std::vector<Parameter>& ordered);
  void order_placement(std::uint32_t module, const std::vector<std::uint32_t>& position);
  void assign_layers();

  Network network_;
  std::vector<Module> modules_;  // 0 is the model
  std::vector<std::uint32_t> module_stack_;
  std::vector<std::uint32_t> names_;  // by value; parameters, buffers and inputs keep one
  std::vector<Dropped> leaving_;      // names that went since the last statement
  std::map<std::string, std::uint16_t, std::less<>> operator_indices_;
  std::uint64_t births_ = 0;
  std::uint32_t open_layer_ = 0;
};

}  // namespace memsim::models
