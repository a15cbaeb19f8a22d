// A kind of file with a field of each type, for tests of reading.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/schema/schema.hpp"

namespace memsim::scenarios {

enum class Colour : std::uint8_t { red, green };

struct Box {
  std::string id;
  std::int64_t count = 0;
};

struct Shares {
  models::Fraction up;
  models::Fraction down;
};

struct Example {
  std::string name;
  sim::Bytes capacity;
  sim::Bytes usable;
  sim::Bandwidth link_bw;
  sim::Duration latency;
  models::OperationRate peak;
  std::int64_t lanes = 0;
  bool ecc = false;
  Colour colour = Colour::red;
  std::optional<sim::Bandwidth> total;
  Shares achieved;
  std::vector<Box> boxes;
};

const Schema<Example>& example_schema();

}  // namespace memsim::scenarios
