#include "validate/import/log_statistics.hpp"

#include "tests/support/catch.hpp"

namespace memsim::validate {

TEST_CASE("the statistics of a log are the peaks over both pools and the calls, after END") {
  const LogStatistics found = read_log_statistics(
      "1 alloc 7f0000000000 512\n"
      "  reserved_bytes.all current=1 peak=9 allocated=9 freed=0\n"
      "END\n"
      "  allocated_bytes.all current=512 peak=1024 allocated=2048 freed=1536\n"
      "  allocated_bytes.small current=512 peak=512 allocated=512 freed=0\n"
      "  num_ooms=3 num_device_alloc=1 max_split_size=-1\n"
      "  S 7f0000000000 2097152 small stream=0 allocated=512\n");
  CHECK(found.faults.empty());
  CHECK(found.values == std::map<std::string, std::int64_t>{{"allocated_bytes.all.peak", 1024},
                                                            {"num_device_alloc", 1},
                                                            {"num_ooms", 3}});
}

TEST_CASE("a statistic that is no number is told with its line") {
  const LogStatistics found = read_log_statistics("END\n  num_ooms=three num_device_alloc=1\n");
  REQUIRE(found.faults.size() == 1);
  CHECK(found.faults[0].line == 2);
  CHECK(found.faults[0].message == "num_ooms is 'three'; expected an integer");
  CHECK(found.values == std::map<std::string, std::int64_t>{{"num_device_alloc", 1}});
}

}  // namespace memsim::validate
