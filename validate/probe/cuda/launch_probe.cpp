#include "validate/probe/cuda/launch_probe.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

#include "validate/probe/cuda/cuda_check.hpp"
#include "validate/probe/cuda/cuda_resources.hpp"
#include "validate/probe/cuda/kernels.hpp"
#include "validate/probe/timing.hpp"

namespace memsim::probe {
namespace {

// With the hold and two events less than the 1024 launches that a stream's queue takes at least:
// more would wait for the hold to end.
constexpr int short_train = 128;
constexpr int long_train = 512;
constexpr std::size_t trains = 64;

constexpr int calls_between_waits = 256;
constexpr int call_batches = 8;

constexpr unsigned warp = 32;
constexpr std::int64_t shortest_hold_ns = 2'000'000;
constexpr std::int64_t longest_hold_ns = 200'000'000;

void launch(unsigned blocks, const Stream& stream) {
  check(launch_empty(blocks, warp, stream.get()), "cudaLaunchKernel");
}

void hold(std::int64_t nanoseconds, const Stream& stream) {
  check(launch_hold(nanoseconds, stream.get()), "cudaLaunchKernel");
}

// "model name" of /proc/cpuinfo; the host's part depends on it.
std::optional<std::string> host_cpu() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t value = line.find(": ");
    if (line.rfind("model name", 0) == 0 && value != std::string::npos) {
      return line.substr(value + 2);
    }
  }
  return std::nullopt;
}

// What the clock itself adds to each sample.
Samples clock_samples() {
  Samples samples;
  for (int i = 0; i < 64; ++i) samples.push_back(time_ns([] {}));
  return samples;
}

// The host's time of each launch. The queue never fills: it is emptied between batches.
Samples call_samples(const Budget::Share& share, const Stream& stream) {
  Samples samples;
  samples.reserve(std::size_t{calls_between_waits} * call_batches);
  repeat(share, call_batches, [&] {
    for (int i = 0; i < calls_between_waits; ++i) {
      samples.push_back(time_ns([&] { launch(1, stream); }));
    }
    stream.synchronize();
  });
  return samples;
}

// Empty kernels in one train, queued while a kernel before them holds the stream, so that the host
// cannot slow them down.
class TrainProbe {
 public:
  TrainProbe(const Stream& stream, unsigned blocks, int kernels)
      : stream_(stream), blocks_(blocks), kernels_(kernels) {}

  void measure(const Budget::Share& share) {
    while (train_ns_.size() < trains && !gave_up_ && share.lasts()) measure_once();
  }

  void write(JsonWriter& json) const {
    auto entry = json.object();
    json.member("blocks", blocks_);
    json.member("threads", warp);
    json.member("kernels", kernels_);
    json.member("train_ns", train_ns_);
    json.member("queue_ns", queue_ns_);
    json.member("held_too_shortly", too_soon_);
  }

 private:
  // One sample; none when the hold was over too soon. The next one is longer then.
  void measure_once() {
    hold(hold_ns_, stream_);
    start_.record(stream_);
    const std::int64_t queued = time_ns([&] {
      for (int i = 0; i < kernels_; ++i) launch(blocks_, stream_);
    });
    end_.record(stream_);
    const bool too_soon = start_.reached();
    stream_.synchronize();
    if (too_soon) {
      ++too_soon_;
      gave_up_ = hold_ns_ == longest_hold_ns;
      hold_ns_ = std::min(2 * hold_ns_, longest_hold_ns);
      return;
    }
    queue_ns_.push_back(queued);
    train_ns_.push_back(end_.since_ns(start_));
  }

  const Stream& stream_;
  unsigned blocks_;
  int kernels_;
  Event start_;
  Event end_;
  std::int64_t hold_ns_ = shortest_hold_ns;
  Samples train_ns_;
  Samples queue_ns_;
  int too_soon_ = 0;
  bool gave_up_ = false;
};

void probe_trains(const Device& device, const Budget::Share& share, const Stream& stream,
                  JsonWriter& json) {
  auto list = json.array("trains");
  int left = 4;
  for (const unsigned blocks : {1U, device.multiprocessors}) {
    for (const int kernels : {short_train, long_train}) {
      TrainProbe train(stream, blocks, kernels);
      train.measure(share.part(left--));
      train.write(json);
    }
  }
}

}  // namespace

void probe_launch(const Device& device, const Budget::Share& share, JsonWriter& json) {
  auto object = json.object("launch");
  const Stream stream;
  // Loads both kernels, and keeps the device busy until its clocks have risen.
  launch(1, stream);
  hold(longest_hold_ns, stream);
  stream.synchronize();
  json.member("sm_clock_before_mhz", device.nvml->sm_clock_mhz());
  json.member("host_cpu", host_cpu());
  json.member("clock_ns", clock_samples());
  json.member("call_ns", call_samples(share.part(2), stream));
  probe_trains(device, share, stream, json);
  json.member("sm_clock_after_mhz", device.nvml->sm_clock_mhz());
}

}  // namespace memsim::probe
