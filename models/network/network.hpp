// A network: its parameters, buffers and inputs, and its forward function as a list of statements
// in program order. Statements carry the lifetimes of the program's names (`drop`), because a
// tensor lives as long as a name holds it; views, dtypes and what autograd saves follow from the
// operators when the network is lowered (models/training). Architectures write networks with the
// Builder (builder.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/machine/data_type.hpp"
#include "models/network/extent.hpp"

namespace memsim::models {

// A tensor of the forward function: parameters, buffers, inputs and every operator's result.
using ValueId = std::uint32_t;
inline constexpr ValueId no_value = 0xFFFFFFFF;  // an optional operand that is absent
inline constexpr std::int32_t no_layer = -1;

// Which kind of attention a statement or buffer belongs to.
enum class Presence : std::uint8_t { always, eager_attention, flash_attention };

struct Parameter {
  std::string name;  // "h.3.attn.c_attn.weight"
  std::vector<std::int64_t> shape;
  ValueId value = no_value;
  std::int32_t layer = no_layer;  // the layer that uses it
};

// Floating buffers and inputs take the parameters' type under pure bf16 or fp16.
struct Buffer {
  std::string name;
  std::vector<std::int64_t> shape;
  DataType type = DataType::fp32;
  Presence presence = Presence::always;
  ValueId value = no_value;
};

struct Input {
  std::string name;
  std::vector<Extent> shape;
  DataType type = DataType::int64;
  ValueId value = no_value;
};

enum class StatementKind : std::uint8_t {
  call,       // outputs = operator(inputs, attributes)
  drop,       // the last name of each input goes
  bind,       // output takes over input (both branches of an attention choice end in one value)
  branch,     // skip to statement `end` unless attention is of kind `presence`
  layer,      // layer `index` begins: inputs are its arguments; it may be checkpointed
  layer_end,  // inputs are what it returns
  result,     // inputs: the loss, then what the model returns beside it (logits)
};

struct Statement {
  StatementKind kind = StatementKind::call;
  Presence presence = Presence::always;  // branch
  std::uint16_t op = 0;                  // call: index into Network::operators
  std::uint32_t index = 0;               // layer, layer_end: number of the layer
  std::uint32_t end = 0;                 // branch: where to go on; layer: its layer_end
  std::uint32_t first_operand = 0;       // inputs, then outputs
  std::uint32_t inputs = 0;
  std::uint32_t outputs = 0;
  std::uint32_t first_attribute = 0;
  std::uint32_t attributes = 0;
};

// A parameter or buffer, in the order in which the model is put on the device.
struct Placed {
  bool is_buffer = false;
  std::uint32_t index = 0;
};

// Invariants: operands of a call are parameters, buffers, inputs or results of earlier calls that
// no `drop` has named yet; layers do not nest; the last statement that yields a value is `result`.
struct Network {
  std::vector<Parameter> parameters;  // in the order of Module.parameters(); tied ones once
  std::vector<Buffer> buffers;
  std::vector<Input> inputs;
  std::vector<Placed> placement;  // children before a module's own parameters, then its buffers
  std::vector<std::string> operators;
  std::vector<Statement> statements;
  std::vector<ValueId> operands;
  std::vector<Extent> attributes;
  std::uint32_t values = 0;
  std::uint32_t layers = 0;
  std::int64_t positions = 0;  // longest sequence; 0: any
};

// Elements of all parameters; tied ones once.
std::int64_t parameter_count(const Network& network);

// Whether inputs have an extent of tokens, without which the length of a sequence plays no part.
bool has_sequence(const Network& network);

// Whether it has attention, without which the kind of attention plays no part.
bool has_attention(const Network& network);

}  // namespace memsim::models
