#include "models/machine/topology.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <limits>

#include "sim/core/check.hpp"

namespace memsim::models {
namespace {

// One direction of a connection. The graph holds arcs against the direction of travel, so that one
// search from the destination gives every node's remaining cost.
struct Arc {
  std::int64_t cost = 0;
  Crossing crossing;
};

using Graph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Arc>;
using ArcId = boost::graph_traits<Graph>::edge_descriptor;

constexpr std::int64_t unreachable = std::numeric_limits<std::int64_t>::max();

// Travel may leave a node if it forwards, or if the way starts there.
struct MayLeave {
  const Graph* graph = nullptr;
  const std::vector<bool>* forwards = nullptr;
  std::uint32_t start = 0;

  bool operator()(const ArcId& arc) const {
    const auto left = boost::target(arc, *graph);
    return left == start || (*forwards)[left];
  }
};

Graph against_travel(std::size_t nodes, const std::vector<Connection>& connections) {
  Graph graph(nodes);
  for (std::uint32_t i = 0; i < connections.size(); ++i) {
    const Connection& c = connections[i];
    boost::add_edge(c.to, c.from, Arc{c.forward.value(), {i, true}}, graph);
    boost::add_edge(c.from, c.to, Arc{c.backward.value(), {i, false}}, graph);
  }
  return graph;
}

// The lowest-numbered crossing out of `at` after which `remaining` says that the way is still a
// cheapest one. Boost's own choice among equals depends on its heap.
Crossing next_crossing(const std::vector<Connection>& connections,
                       const std::vector<std::int64_t>& remaining,
                       const std::vector<bool>& may_enter, std::uint32_t at) {
  for (std::uint32_t i = 0; i < connections.size(); ++i) {
    const Connection& c = connections[i];
    for (const bool forward : {true, false}) {
      const std::uint32_t begin = forward ? c.from : c.to;
      const std::uint32_t end = forward ? c.to : c.from;
      const std::int64_t cost = (forward ? c.forward : c.backward).value();
      if (begin != at || !may_enter[end] || remaining[end] == unreachable) continue;
      if (remaining[at] == cost + remaining[end]) return {i, forward};
    }
  }
  MEMSIM_CHECK(false, "the cheapest way ends before its destination");
  return {};
}

}  // namespace

Path cheapest_path(const std::vector<bool>& forwards, const std::vector<Connection>& connections,
                   std::uint32_t from, std::uint32_t to) {
  MEMSIM_CHECK(from != to, "a way from a node to itself");
  MEMSIM_CHECK(from < forwards.size() && to < forwards.size(), "a way between unknown nodes");
  const Graph graph = against_travel(forwards.size(), connections);
  const boost::filtered_graph usable(graph, MayLeave{&graph, &forwards, from});

  std::vector<std::int64_t> remaining(forwards.size(), unreachable);
  boost::dijkstra_shortest_paths(usable, to,
                                 boost::weight_map(boost::get(&Arc::cost, graph))
                                     .distance_map(remaining.data())
                                     .distance_inf(unreachable));
  if (remaining[from] == unreachable) return {};

  std::vector<bool> may_enter = forwards;
  may_enter[to] = true;
  Path path{sim::Duration(remaining[from]), {}};
  for (std::uint32_t at = from; at != to;) {
    const Crossing crossing = next_crossing(connections, remaining, may_enter, at);
    path.crossings.push_back(crossing);
    const Connection& crossed = connections[crossing.connection];
    at = crossing.forward ? crossed.to : crossed.from;
  }
  return path;
}

}  // namespace memsim::models
