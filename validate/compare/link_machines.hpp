// Machines of the catalogue by the words in which people name their hardware.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/machine/spec.hpp"
#include "scenarios/hardware/catalogue.hpp"
#include "scenarios/schema/setting.hpp"
#include "sim/core/result.hpp"
#include "validate/compare/link_questions.hpp"

namespace memsim::validate {

inline constexpr std::string_view other_machine =
    "more was measured than this machine's memory has: another machine is meant";

struct LinkMachine {
  models::SystemSpec spec;
  std::vector<std::string> sources;  // its figures, and the comments that say where they come from
  std::string linked;  // the part of its links to the sockets where the words name another one
  std::string unread;  // the first word of the hardware that is not understood; empty: none
};

class LinkMachines {
 public:
  // `scenarios` is the folder with hardware/.
  explicit LinkMachines(const std::filesystem::path& scenarios);

  // The machine that a question about such hardware is put to: the catalogue's system of that name,
  // or with that GPU and as many of them as are named; on another host or PCIe link where the words
  // name one. For memory of another socket a host with two. Of the memories of a GPU's variants one
  // that can reach `most` bytes per second. Errors: what is not known of it.
  [[nodiscard]] sim::Result<LinkMachine> find(std::string_view hardware,
                                              const LinkQuestion& question, double most = 0) const;

 private:
  struct Entry {
    std::string name;
    std::string about;  // plain words of its file's first comment
    LinkMachine machine;
  };
  struct HostEntry {
    std::string name;
    std::string about;  // plain words of its file's first comment: "two intel xeon (skylake)"
    models::HostSpec spec;
    std::vector<std::string> sources;
  };

  void load_systems();
  void load_hosts();
  // A machine that may be meant, by its parts; `least_gpus` are needed.
  template <class Fits>
  [[nodiscard]] const Entry* best(std::string_view hardware, std::size_t least_gpus,
                                  Fits fits) const;
  [[nodiscard]] const Entry* system_of(std::string_view hardware, std::size_t least_gpus,
                                       double most) const;
  // The system whose name of the catalogue is written: "gb200-nvl72".
  [[nodiscard]] const Entry* named(std::string_view hardware) const;
  [[nodiscard]] std::size_t systems_with(const std::string& gpu) const;
  [[nodiscard]] std::string unread(std::string_view hardware, const LinkMachine& machine,
                                   bool of_host) const;
  [[nodiscard]] std::string about(scenarios::HardwareKind kind, const std::string& name) const;
  [[nodiscard]] std::optional<std::string> gpu_of(std::string_view hardware, double most) const;
  [[nodiscard]] const HostEntry* host_of(std::string_view hardware, std::size_t sockets,
                                         bool memory) const;
  // Of a maker of processors whose model is not told: the first with memory of the time of the PCIe
  // generation.
  [[nodiscard]] const HostEntry* host_of_generation(std::string_view hardware,
                                                    const std::string& plain) const;
  // The host of two such sockets.
  [[nodiscard]] const HostEntry* sibling(const std::string& name) const;
  [[nodiscard]] sim::Result<void> set_links(std::string_view hardware, LinkMachine& machine) const;

  scenarios::Catalogue catalogue_;
  std::vector<Entry> systems_;
  std::vector<HostEntry> hosts_;
};

}  // namespace memsim::validate
