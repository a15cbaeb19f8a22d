// The statistics that people look at, from what follows END in an allocator's log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace memsim::validate {

struct LogStatistics {
  struct Fault {
    std::size_t line = 0;  // of the log, from 1
    std::string message;
  };
  // "allocated_bytes.all.peak" (peaks over both pools), "num_ooms" (calls).
  std::map<std::string, std::int64_t> values;
  std::vector<Fault> faults;  // values that are no numbers
};

LogStatistics read_log_statistics(std::string_view log);

}  // namespace memsim::validate
