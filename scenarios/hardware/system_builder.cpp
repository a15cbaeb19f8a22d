#include "scenarios/hardware/system_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "scenarios/hardware/node_names.hpp"
#include "scenarios/schema/quantity.hpp"

namespace memsim::scenarios {
namespace {

using models::NodeKind;
using models::NodeRef;

// The switch that joins all NVLinks of a system exists as soon as a link names it.
constexpr std::string_view implied_switch = "nvswitch";

constexpr std::size_t most_links = 65536;

class SystemBuilder {
 public:
  SystemBuilder(const SystemFile& file, const Node& tree, const Faults& faults,
                Diagnostics& diagnostics)
      : file_(file), tree_(tree), faults_(faults), diagnostics_(diagnostics) {}

  std::optional<models::SystemSpec> build() {
    const std::size_t before = diagnostics_.errors_added();
    spec_.name = file_.name;
    spec_.host = file_.host.spec;
    spec_.tenant_memory = file_.tenant_memory;
    add_host();
    add_parts(file_.gpus, "gpu", NodeKind::gpu, spec_.gpus);
    add_parts(file_.drives, "drive", NodeKind::drive, spec_.drives);
    add_parts(file_.nics, "nic", NodeKind::nic, spec_.nics);
    add_switches();
    add_implied_switch();
    add_links();
    if (all_joined_) check_reach();
    if (diagnostics_.errors_added() > before) return std::nullopt;
    return spec_;
  }

 private:
  // The table that entry `index` of a list was read from.
  [[nodiscard]] const Node& item(std::string_view list, std::size_t index) const {
    return tree_.find(list)->items.at(index);
  }

  void report(std::string_view code, Location location, std::string message, std::string label,
              std::string suggestion = "") {
    diagnostics_.add({.code = std::string(code),
                      .location = location,
                      .message = std::move(message),
                      .label = std::move(label),
                      .notes = {},
                      .help = "",
                      .suggestion = std::move(suggestion)});
  }

  void add_host() {
    std::uint32_t numas = 0;
    for (const models::SocketSpec& socket : spec_.host.sockets) {
      numas += static_cast<std::uint32_t>(socket.numa.size());
    }
    const auto sockets = static_cast<std::uint32_t>(spec_.host.sockets.size());
    if (faults_.hide("host.socket")) {
      leave_out("socket");
      return leave_out("numa");
    }
    names_.add({"socket", NodeKind::socket, 0, sockets});
    for (std::uint32_t i = 0; i < sockets; ++i)
      if (faults_.hide(fmt::format("host.socket[{}].numa", i))) return leave_out("numa");
    names_.add({"numa", NodeKind::numa, 0, numas});
    if (!faults_.hide("host.socket[*]") && !faults_.hide("other_tenants.memory")) check_tenants();
  }

  // A group of nodes: how many it has is not known, and maybe (empty) not even its id.
  void leave_out(std::string_view id = "") {
    left_out_.emplace_back(id);
    all_joined_ = false;
  }

  // Whether a reference may be to a node that was left out.
  [[nodiscard]] bool may_be_left_out(std::string_view pattern) const {
    return std::ranges::any_of(left_out_, [&](const std::string& id) {
      const bool is_selection =
          pattern.find_first_not_of("0123456789.*[]", id.size()) == std::string_view::npos;
      return id.empty() || (pattern.starts_with(id) && is_selection);
    });
  }

  void check_tenants() {
    sim::Bytes usable;
    for (const models::SocketSpec& socket : spec_.host.sockets) {
      for (const models::NumaSpec& numa : socket.numa) usable += numa.memory.usable;
    }
    if (spec_.tenant_memory < usable) return;
    const std::string all = format_quantity(usable.value(), Dimension::bytes);
    report("E135", tree_.find("other_tenants")->value_location("memory"),
           "other tenants hold all of the host's memory", fmt::format("{} are usable", all));
  }

  bool add_group(const NodeGroup& group, const Node& entry) {
    const bool plain = !group.id.empty() && group.id.find_first_of("[]. \t") == std::string::npos;
    if (plain && names_.add(group)) return true;
    report(
        "E142", entry.value_location("id"),
        plain ? fmt::format("id `{}` is taken", group.id) : fmt::format("`{}` is no id", group.id),
        plain ? "names of nodes: " + names_.all() : "expected a word without brackets and dots");
    leave_out();
    return false;
  }

  // Whether the id and the count of an entry were read.
  bool is_named(std::string_view list, std::size_t index, std::string_view id) {
    const auto known = [&](std::string_view key) {
      return !faults_.hide(fmt::format("{}[{}].{}", list, index, key));
    };
    if (known("id") && known("count")) return true;
    leave_out(known("id") ? id : "");
    return false;
  }

  template <class Entry, class Placed>
  void add_parts(const std::vector<Entry>& entries, std::string_view list, NodeKind kind,
                 std::vector<Placed>& placed) {
    if (faults_.hide(list)) leave_out();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (!is_named(list, i, entries[i].id)) continue;
      const NodeGroup group{entries[i].id, kind, static_cast<std::uint32_t>(placed.size()),
                            static_cast<std::uint32_t>(entries[i].count)};
      if (!add_group(group, item(list, i))) continue;
      for (std::uint32_t n = 0; n < group.count; ++n)
        placed.push_back({group.name(n), entries[i].spec});
    }
  }

  void add_switches() {
    if (faults_.hide("switch")) leave_out();
    for (std::size_t i = 0; i < file_.switches.size(); ++i) {
      if (!is_named("switch", i, file_.switches[i].id)) continue;
      const NodeGroup group{file_.switches[i].id, NodeKind::fabric,
                            static_cast<std::uint32_t>(spec_.switches.size()),
                            static_cast<std::uint32_t>(file_.switches[i].count)};
      if (!add_group(group, item("switch", i))) continue;
      for (std::uint32_t n = 0; n < group.count; ++n) spec_.switches.push_back(group.name(n));
    }
  }

  void add_implied_switch() {
    const bool named = std::any_of(file_.links.begin(), file_.links.end(), [](const LinkEntry& l) {
      return l.from == implied_switch || l.to == implied_switch;
    });
    const auto index = static_cast<std::uint32_t>(spec_.switches.size());
    if (named && names_.add({std::string(implied_switch), NodeKind::fabric, index, 1})) {
      spec_.switches.emplace_back(implied_switch);
    }
  }

  void add_links() {
    if (faults_.hide("link")) all_joined_ = false;
    for (std::size_t i = 0; i < file_.links.size(); ++i) {
      const auto ends = [&](std::string_view key, const std::string& pattern) {
        if (faults_.hide(fmt::format("link[{}].{}", i, key))) return std::vector<NodeRef>();
        return nodes(pattern, name(file_.links[i]), item("link", i).value_location(key));
      };
      const std::vector<NodeRef> from = ends("from", file_.links[i].from);
      const std::vector<NodeRef> to = ends("to", file_.links[i].to);
      if (from.empty() || to.empty()) all_joined_ = false;
      join(from, to, file_.links[i], item("link", i));
    }
  }

  static std::string name(const LinkEntry& entry) {
    return entry.part.empty() ? "link" : fmt::format("link `{}`", entry.part);
  }

  void join(const std::vector<NodeRef>& from, const std::vector<NodeRef>& to,
            const LinkEntry& entry, const Node& table) {
    if (from.size() * to.size() > most_links - std::min(most_links, spec_.links.size())) {
      report("E124", table.value_location("to"),
             fmt::format("{} stands for {} links", name(entry), from.size() * to.size()),
             fmt::format("a system has at most {}", most_links));
      all_joined_ = false;
      return;
    }
    for (const NodeRef a : from) {
      for (const NodeRef b : to) {
        if (a == b) {
          report("E143", table.value_location("to"),
                 fmt::format("{} joins a node with itself", name(entry)),
                 "expected a node that `from` does not name");
          all_joined_ = false;
          return;
        }
        spec_.links.push_back({a, b, entry.spec});
      }
    }
  }

  std::vector<NodeRef> nodes(const std::string& pattern, const std::string& what, Location at) {
    NamedNodes found = names_.find(pattern);
    switch (found.fault) {
      case NameFault::none:
        break;
      case NameFault::malformed:
        report("E143", at, fmt::format("`{}` names no node", pattern),
               "expected NAME, NAME[0], NAME[0..3] or NAME[*]");
        break;
      case NameFault::which_one:
        report("E143", at, fmt::format("`{}` names several nodes", pattern),
               fmt::format("write {0}[0], {0}[0..1] or {0}[*]", pattern));
        break;
      case NameFault::undefined:
        if (may_be_left_out(pattern)) break;
        report("E140", at, fmt::format("{} ends at undefined node `{}`", what, pattern),
               "defined nodes: " + names_.all());
        break;
    }
    return std::move(found.nodes);
  }

  // By kind and index: what links lead to from the sockets.
  using Reach = std::map<NodeKind, std::vector<bool>>;

  [[nodiscard]] Reach reach(bool through_gpus) const {
    Reach reach{{NodeKind::fabric, std::vector<bool>(spec_.switches.size())},
                {NodeKind::gpu, std::vector<bool>(spec_.gpus.size())},
                {NodeKind::drive, std::vector<bool>(spec_.drives.size())},
                {NodeKind::nic, std::vector<bool>(spec_.nics.size())}};
    const auto leads_on = [&](NodeRef node) -> bool {
      if (node.kind == NodeKind::drive || node.kind == NodeKind::nic) return false;
      const auto seen = reach.find(node.kind);
      if (seen == reach.end()) return true;  // sockets and their NUMA nodes
      return (node.kind == NodeKind::fabric || through_gpus) && seen->second[node.index];
    };
    for (bool grew = true; grew;) {
      grew = false;
      for (const models::PlacedLink& link : spec_.links) {
        for (const auto& [near, far] : {std::pair(link.from, link.to), {link.to, link.from}}) {
          const auto seen = reach.find(far.kind);
          if (seen == reach.end() || !leads_on(near)) continue;
          grew = grew || !seen->second[far.index];
          seen->second[far.index] = true;
        }
      }
    }
    return reach;
  }

  // GPUs forward nothing, so each device needs a way of its own; a switch may serve GPUs only.
  void check_reach() {
    const Reach direct = reach(false);
    report_unreached("gpu", default_gpu_id, NodeKind::gpu, direct);
    report_unreached("drive", default_drive_id, NodeKind::drive, direct);
    report_unreached("nic", default_nic_id, NodeKind::nic, direct);
    report_unreached("switch", "", NodeKind::fabric, reach(true));
  }

  void report_unreached(std::string_view list, std::string_view default_id, NodeKind kind,
                        const Reach& reach) {
    const Node* entries = tree_.find(list);
    const std::vector<bool>& seen = reach.at(kind);
    for (const NodeGroup& group : names_.groups()) {
      if (group.kind != kind) continue;
      std::string unreached;
      for (std::uint32_t i = 0; i < group.count; ++i) {
        if (seen[group.first + i]) continue;
        unreached += (unreached.empty() ? "" : ", ") + group.name(i);
      }
      if (unreached.empty()) continue;
      Location at = tree_.key_location("link");
      for (std::size_t i = 0; entries != nullptr && i < entries->items.size(); ++i) {
        const Node* id = entries->items[i].find("id");
        if ((id != nullptr ? id->text : default_id) != group.id) continue;
        at = entries->items[i].value_location(id != nullptr ? "id" : "part");
      }
      report("E141", at, fmt::format("no link reaches {}", unreached),
             "expected a way from a socket");
    }
  }

  const SystemFile& file_;
  const Node& tree_;
  const Faults& faults_;
  Diagnostics& diagnostics_;
  std::vector<std::string> left_out_;  // ids of groups of nodes; empty: the id is not known
  bool all_joined_ = true;             // neither groups nor links were left out
  NodeNames names_;
  models::SystemSpec spec_;
};

}  // namespace

std::optional<models::SystemSpec> build_system(const SystemFile& file, const Node& tree,
                                               const Faults& faults, Diagnostics& diagnostics) {
  return SystemBuilder(file, tree, faults, diagnostics).build();
}

}  // namespace memsim::scenarios
