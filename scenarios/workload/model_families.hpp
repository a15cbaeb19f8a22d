// The families of models that files can describe: what their keys are and the network they make.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "models/network/network.hpp"
#include "scenarios/schema/diagnostic.hpp"
#include "scenarios/schema/node.hpp"
#include "scenarios/schema/schema.hpp"
#include "scenarios/schema/setting.hpp"

namespace memsim::scenarios {

// What every model file begins with.
struct ModelHeader {
  std::string name;
  std::string family;
};

struct ModelFamily {
  std::string_view name;
  std::string_view help;  // one sentence
  const TableSchema* (*schema)();
  // Reads a model's table, header included, and builds the network. Empty after an error.
  // `settings` receives every value that was read.
  std::optional<models::Network> (*read)(const Node& table, Diagnostics& diagnostics,
                                         Settings& settings);
};

// In the order of their names.
std::span<const ModelFamily> model_families();

// Null if there is none of that name.
const ModelFamily* find_model_family(std::string_view name);

// The keys of ModelHeader.
const Schema<ModelHeader>& model_header_schema();

}  // namespace memsim::scenarios
