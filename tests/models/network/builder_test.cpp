// The builder records where Python would drop each tensor.
#include <string>
#include <vector>

#include "models/network/functional.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

// Statements as text: "relu(0)->1", "drop 1 2".
std::vector<std::string> listing(const Network& network) {
  std::vector<std::string> lines;
  for (const Statement& statement : network.statements) {
    const auto operand = [&](std::uint32_t i) {
      const ValueId value = network.operands[statement.first_operand + i];
      return value == no_value ? std::string("-") : std::to_string(value);
    };
    std::string line;
    switch (statement.kind) {
      case StatementKind::call:
        line = network.operators[statement.op];
        break;
      case StatementKind::drop:
        line = "drop";
        break;
      case StatementKind::bind:
        line = "bind";
        break;
      case StatementKind::branch:
        line = "branch to " + std::to_string(statement.end);
        break;
      case StatementKind::layer:
        line = "layer " + std::to_string(statement.index);
        break;
      case StatementKind::layer_end:
        line = "end";
        break;
      case StatementKind::result:
        line = "result";
        break;
    }
    for (std::uint32_t i = 0; i < statement.inputs; ++i) line.append(" ").append(operand(i));
    for (std::uint32_t i = 0; i < statement.outputs; ++i)
      line.append(i == 0 ? " -> " : " ").append(operand(statement.inputs + i));
    lines.push_back(line);
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST_CASE("binding a name again drops the old tensor after the new one is made") {
  Builder builder;
  const Var input = builder.input("x", {batch_extent}, DataType::fp32);
  {
    Var x = relu(input);
    x = gelu(x);
    builder.result(x, x);
  }
  CHECK(listing(builder.finish()) ==
        Lines{"relu 0 -> 1", "gelu 1 -> 2", "drop 1", "result 2 2", "drop 2"});
}

TEST_CASE("a temporary dies when its consumer has returned, before a name is bound again") {
  Builder builder;
  const Var input = builder.input("x", {batch_extent}, DataType::fp32);
  {
    Var x = relu(input);
    x = gelu(scale(x));
    builder.result(x, x);
  }
  CHECK(listing(builder.finish()) == Lines{"relu 0 -> 1", "scale 1 -> 2", "gelu 2 -> 3", "drop 2",
                                           "drop 1", "result 3 3", "drop 3"});
}

Var twice(Arg x) {
  const Scope scope(x);
  const Var a = relu(x);
  const Var b = gelu(x);
  return a + b;
}

TEST_CASE("a function's names go in the order of binding, then its temporary argument") {
  Builder builder;
  const Var input = builder.input("x", {batch_extent}, DataType::fp32);
  {
    const Var x = twice(silu(input));
    builder.result(x, x);
  }
  CHECK(listing(builder.finish()) == Lines{"silu 0 -> 1", "relu 1 -> 2", "gelu 1 -> 3",
                                           "add 2 3 -> 4", "drop 2 3", "drop 1", "result 4 4",
                                           "drop 4"});
}

TEST_CASE("the caller's own name outlives the call") {
  Builder builder;
  const Var input = builder.input("x", {batch_extent}, DataType::fp32);
  {
    const Var kept = silu(input);
    const Var x = twice(kept);
    builder.result(x, kept);
  }
  const Lines lines = listing(builder.finish());
  CHECK(lines[4] == "drop 2 3");
  CHECK(lines.back() == "drop 1 4");
}

TEST_CASE("a second name keeps a tensor alive") {
  Builder builder;
  const Var input = builder.input("x", {batch_extent}, DataType::fp32);
  {
    Var x = relu(input);
    const Var residual = x;
    x = gelu(x);
    x = residual + x;
    builder.result(x, x);
  }
  CHECK(listing(builder.finish()) ==
        Lines{"relu 0 -> 1", "gelu 1 -> 2", "add 1 2 -> 3", "drop 2", "result 3 3", "drop 3 1"});
}

TEST_CASE("parameters and inputs are never dropped, and absent operands are marked") {
  Builder builder;
  const Var x = builder.input("x", {batch_extent, 4}, DataType::fp32);
  const Linear layer = make_linear(builder, "fc", 4, 2, /*bias=*/false);
  {
    const Var y = linear(x, layer);
    builder.result(y, y);
  }
  const Network network = builder.finish();
  CHECK(listing(network) == Lines{"linear 0 1 - -> 2", "result 2 2", "drop 2"});
  CHECK(network.parameters[0].name == "fc.weight");
  CHECK(network.parameters[0].layer == no_layer);
}

TEST_CASE("a choice of attention leaves one value, whichever branch runs") {
  Builder builder;
  const Var x = builder.input("x", {batch_extent}, DataType::fp32);
  {
    Var scores;
    const Var y = builder.attention(
        [&] {
          scores = relu(x);
          return gelu(scores);
        },
        [&] { return silu(x); });
    builder.result(y, y);
  }
  // Only the first branch binds `scores` (2); it lives to the end of the function.
  CHECK(listing(builder.finish()) == Lines{"branch to 4", "relu 0 -> 2", "gelu 2 -> 3",
                                           "bind 3 -> 1", "branch to 7", "silu 0 -> 4",
                                           "bind 4 -> 1", "result 1 1", "drop 2 1"});
}

TEST_CASE("a layer marks its statements, its arguments and its parameters") {
  Builder builder;
  const Var ids = builder.input("x", {batch_extent, 4}, DataType::fp32);
  const Linear first = make_linear(builder, "first", 4, 4);
  const Linear second = make_linear(builder, "second", 4, 4);
  {
    Var x = relu(ids);
    for (const Linear* layer : {&first, &second})
      x = builder.layer({x.id()}, [&] { return linear(x, *layer); });
    builder.result(x, x);
  }
  const Network network = builder.finish();
  CHECK(network.layers == 2);
  CHECK(listing(network) == Lines{"relu 0 -> 5", "layer 0 5", "linear 5 1 2 -> 6", "end 6",
                                  "drop 5", "layer 1 6", "linear 6 3 4 -> 7", "end 7", "drop 6",
                                  "result 7 7", "drop 7"});
  CHECK(network.statements[1].end == 3);
  CHECK(network.parameters[0].layer == 0);
  CHECK(network.parameters[3].layer == 1);
}

TEST_CASE("own parameters come before children's in order, after them on the device") {
  Builder builder;
  {
    const ModuleScope outer(builder, "outer");
    builder.parameter("token", {3});
    make_linear(builder, "inner", 2, 2);
    builder.buffer("mask", {5}, DataType::boolean);
    builder.parameter("scale", {1});
  }
  const Network network = builder.finish();
  std::vector<std::string> order;
  for (const Parameter& parameter : network.parameters) order.push_back(parameter.name);
  CHECK(order == Lines{"outer.token", "outer.scale", "outer.inner.weight", "outer.inner.bias"});
  std::vector<std::string> placed;
  for (const Placed& entry : network.placement)
    placed.push_back(entry.is_buffer ? network.buffers[entry.index].name
                                     : network.parameters[entry.index].name);
  CHECK(placed == Lines{"outer.inner.weight", "outer.inner.bias", "outer.token", "outer.scale",
                        "outer.mask"});
}

TEST_CASE("extents know batch and sequence") {
  CHECK(Extent(3) == Extent{Extent::Base::one, 3});
  CHECK(4 * batch_extent == Extent{Extent::Base::batch, 4});
  CHECK_FALSE(sequence_extent == batch_extent);
}

}  // namespace
}  // namespace memsim::models
