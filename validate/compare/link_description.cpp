// Questions in words.
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "validate/compare/link_questions.hpp"

namespace memsim::validate {
namespace {

std::string size_words(sim::Bytes size) {
  constexpr std::int64_t unit = 1024;
  std::int64_t value = size.value();
  std::size_t power = 0;
  constexpr std::array<std::string_view, 4> units{"B", "KiB", "MiB", "GiB"};
  while (power + 1 < units.size() && value % unit == 0) {
    value /= unit;
    ++power;
  }
  return fmt::format("{} {}", value, units[power]);
}

std::string devices_words(const LinkQuestion& question) {
  if (question.devices == 1) return "";
  const std::string count = question.devices == 0 ? "all" : fmt::format("{}", question.devices);
  return fmt::format(", {} of {} {}", question.each ? "each" : "sum", count,
                     question.at_once ? "at once" : "one at a time");
}

std::string pair_words(Pair pair) {
  constexpr std::array<std::string_view, 5> words{
      "", ", under one switch", ", under different switches", ", all to one", ", one to all"};
  return std::string(words[static_cast<std::size_t>(pair)]);
}

std::string mix_words(const Mix& mix) {
  if (mix.stream) return "triad";
  return fmt::format("{} read to {} written", mix.reads, mix.writes);
}

}  // namespace

std::string quantity_of(const LinkQuestion& question) {
  switch (question.subject) {
    case Subject::host_copy:
      if (question.pageable) return "pageable copy";
      if (question.remote) return "copy, other socket";
      if (question.at_once) return "copy, several GPUs";
      return question.both_ways ? "copy, both directions" : "copy, one direction";
    case Subject::peer_copy:
      return question.peer_access ? "between GPUs" : "between GPUs, no access";
    case Subject::device_memory:
      return "device memory";
    case Subject::cache:
      return "L2";
    case Subject::host_memory:
      return "host memory";
    case Subject::host_latency:
      return "host memory latency";
    case Subject::loaded_latency:
      return "loaded latency";
    case Subject::pinning:
      break;
  }
  return "pinning";
}

std::string description_of(const LinkQuestion& question) {
  const std::string where = question.remote ? ", other socket" : "";
  const std::string ways = !question.both_ways ? ""
                           : question.total    ? ", both directions in all"
                                               : " while the other runs";
  switch (question.subject) {
    case Subject::host_copy:
      return (question.up ? "device to host" : "host to device") + ways + where +
             (question.pageable ? ", pageable" : "") + pair_words(question.pair) +
             devices_words(question) + ", " + size_words(question.size);
    case Subject::peer_copy:
      return "GPU to GPU" + ways + (question.peer_access ? "" : ", through the host") +
             pair_words(question.pair) + devices_words(question) + ", " + size_words(question.size);
    case Subject::device_memory:
      return "memory of the GPU, " + mix_words(question.mix) +
             (question.half_traffic ? ", bytes copied" : "") + devices_words(question);
    case Subject::cache:
      return "L2, read and written";
    case Subject::host_memory:
      return "memory of the host, " + mix_words(question.mix) + where +
             (question.interleaved ? ", interleaved" : "") +
             (question.devices == 0 ? ", all nodes" : ", one node");
    case Subject::host_latency:
      return "idle latency of the host's memory" + where;
    case Subject::loaded_latency:
      return fmt::format("latency beside {:.6g} GB/s of reads", question.load * 1e-9);
    case Subject::pinning:
      break;
  }
  return fmt::format("pinning of {} by {} threads", size_words(question.size), question.threads);
}

}  // namespace memsim::validate
