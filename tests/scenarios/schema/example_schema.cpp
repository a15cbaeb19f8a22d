#include "tests/scenarios/schema/example_schema.hpp"

namespace memsim::scenarios {
namespace {

const Schema<Shares>& shares_schema() {
  static const Schema<Shares> schema =
      Schema<Shares>("shares")
          .field("up", &Shares::up, share_rules("way up", "0.5"))
          .field("down", &Shares::down, share_rules("way down", "0.25"))
          .shorthand({"up", "down"});
  return schema;
}

const Schema<Box>& box_schema() {
  static const Schema<Box> schema =
      Schema<Box>("box")
          .field("id", &Box::id, {.help = "its name", .required = true, .example = "left"})
          .field("count", &Box::count,
                 {.help = "how many", .fallback = "1", .example = "2", .least = 1, .most = 9});
  return schema;
}

void check_example(const Example& example, const Node& table, Diagnostics& diagnostics) {
  if (example.usable <= example.capacity) return;
  diagnostics.add(
      {"E135", table.value_location("usable"), "more usable than there is", "", {}, "", ""});
}

}  // namespace

const Schema<Example>& example_schema() {
  static const Schema<Example> schema =
      Schema<Example>("example")
          .field("name", &Example::name, {.help = "its name", .fallback = "", .example = "x"})
          .field("capacity", &Example::capacity,
                 {.help = "memory as sold",
                  .required = true,
                  .example = "80 GB",
                  .aliases = {"memory"},
                  .least = 1'000'000'000,
                  .most = 1'000'000'000'000})
          .field("usable", &Example::usable,
                 {.help = "what is left", .same_as = "capacity", .example = "79 GB"})
          .field("link_bw", &Example::link_bw,
                 {.help = "its link", .fallback = "25 GB/s", .example = "25 GB/s"})
          .field("latency", &Example::latency,
                 {.help = "its delay", .fallback = "1 us", .example = "1 us"})
          .field("peak", &Example::peak,
                 {.help = "its speed", .fallback = "1 TFLOP/s", .example = "312 TFLOP/s"})
          .field("lanes", &Example::lanes,
                 {.help = "its lanes", .fallback = "16", .example = "16", .least = 1, .most = 32})
          .field("ecc", &Example::ecc, {.help = "checked", .fallback = "true", .example = "true"})
          .choice("colour", &Example::colour, {{"red", Colour::red}, {"green", Colour::green}},
                  {.help = "its paint", .fallback = "red", .example = "red"})
          .field("total", &Example::total, {.help = "if shared", .example = "50 GB/s"})
          .table("achieved", &Example::achieved, shares_schema(), {.help = "shares"})
          .list("box", &Example::boxes, box_schema(), {.help = "its boxes"})
          .check(check_example, {"usable", "capacity"});
  return schema;
}

}  // namespace memsim::scenarios
