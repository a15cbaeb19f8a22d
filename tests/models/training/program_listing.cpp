#include "tests/models/training/program_listing.hpp"

#include <map>

#include "sim/exec/program_walk.hpp"

namespace memsim::models {
namespace {

std::int64_t& field(CategoryBytes& bytes, sim::Category category) {
  switch (category) {
    case sim::Category::parameters:
      return bytes.parameters;
    case sim::Category::gradients:
      return bytes.gradients;
    case sim::Category::optimizer:
      return bytes.optimizer;
    case sim::Category::activations:
      return bytes.activations;
    case sim::Category::temporaries:
      return bytes.temporaries;
    default:
      return bytes.buffers;
  }
}

}  // namespace

std::vector<ListedOp> list_ops(const sim::Program& program) {
  std::vector<ListedOp> ops;
  sim::for_each_op(program, 0, [&](const sim::Op& op, std::uint32_t phase) {
    ops.push_back({op, program.phases[phase]});
  });
  return ops;
}

std::vector<std::string> list_memory(const sim::Program& program, std::string_view phase) {
  std::vector<std::string> lines;
  std::map<std::uint32_t, std::string> live;
  sim::for_each_op(program, 0, [&](const sim::Op& op, std::uint32_t index) {
    const bool wanted = program.phases[index].starts_with(phase);
    if (op.code == sim::OpCode::allocate) {
      std::string line = program.labels[op.label];
      line.append(" ").append(std::to_string(op.amount));
      live[op.target] = line;
      if (wanted) lines.push_back(line);
    } else if (op.code == sim::OpCode::release && wanted) {
      lines.push_back(std::string("- ").append(live[op.target]));
    }
  });
  return lines;
}

CategoryBytes bytes_after(const sim::Program& program, std::string_view phase) {
  struct Live {
    sim::Category category;
    std::int64_t bytes;
  };
  std::map<std::uint32_t, Live> live;
  CategoryBytes now;
  CategoryBytes result;
  sim::for_each_op(program, 0, [&](const sim::Op& op, std::uint32_t index) {
    if (op.code == sim::OpCode::allocate) {
      live[op.target] = {op.category, op.amount};
      field(now, op.category) += op.amount;
    } else if (op.code == sim::OpCode::release) {
      field(now, live[op.target].category) -= live[op.target].bytes;
    } else if (op.code == sim::OpCode::relabel) {
      Live& tensor = live[op.target];
      field(now, tensor.category) -= tensor.bytes;
      tensor.category = op.category;
      field(now, tensor.category) += tensor.bytes;
    }
    if (program.phases[index] == phase) result = now;
  });
  return result;
}

}  // namespace memsim::models
