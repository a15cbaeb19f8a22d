// The whole probe on an imaginary GPU. Expected values follow from its rules (imaginary_gpu.hpp).
#include "validate/probe/cuda/device_probe.hpp"

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/validate/probe/imaginary_gpu.hpp"
#include "validate/probe/interrupt.hpp"

namespace memsim::probe {
namespace {

using nlohmann::json;

struct Answer {
  json document;
  int exit_code = 0;
};

// Runs the probe on gpu(), which has to be left as it was found.
Answer probe(const std::vector<std::string>& arguments = {}) {
  const Outcome outcome = run(device_probe(), arguments);
  CHECK_FALSE(gpu().holds());
  CHECK_FALSE(gpu().has_context);
  CHECK_FALSE(gpu().nvml_open);
  CHECK_FALSE(gpu().took_more_than_half);
  return {json::parse(outcome.text), outcome.exit_code};
}

// The nth call of `function` returns `code`.
void fail(const std::string& function, int nth, cudaError_t code) {
  gpu().intercept = [=](const std::string& name, int number) {
    return name == function && number >= nth ? code : cudaSuccess;
  };
}

TEST_CASE("the device probe measures everything and says that it is complete") {
  gpu() = {};
  REQUIRE(setenv("CUDA_LAUNCH_BLOCKING", "0=0", 1) == 0);
  const auto [document, code] = probe();
  CHECK(code == 0);
  CHECK(document["ended"] == "complete");
  CHECK(document["device"]["environment"]["CUDA_LAUNCH_BLOCKING"] == "0=0");
  CHECK(document["device"]["name"] == "Imaginary \"GPU\"");
  CHECK(document["device"]["memory_bytes"] == 8192 * mib);
  CHECK(document["device"]["pci_bus_id"] == "0000:3B:00.0");
  CHECK(document["device"]["nvml"]["driver_version"] == "580.65.06");
  CHECK(document["device"]["nvml"]["compute_processes"] == 2);
  CHECK(document["launch"]["sm_clock_after_mhz"] == 1755);
}

TEST_CASE("the device probe sees what each context takes, from outside and from inside") {
  gpu() = {};
  const json contexts = probe().document["context"];
  REQUIRE(contexts.size() == 4);
  CHECK(gpu().contexts == 5);  // and one for all other probes
  for (const json& one : contexts) {
    CHECK(one["used_before_bytes"] == 1024 * mib);
    CHECK(one["used_created_bytes"] == (1024 + 300) * mib);
    CHECK(one["used_kernel_bytes"] == (1024 + 304) * mib);
    CHECK(one["used_destroyed_bytes"] == 1024 * mib);
    CHECK(one["free_created_bytes"] == (8192 - 1024 - 300) * mib);
    CHECK(one["free_kernel_bytes"] == (8192 - 1024 - 304) * mib);
  }
}

TEST_CASE("the device probe without NVML says so, and sees contexts from inside only") {
  gpu() = {};
  gpu().has_nvml = false;
  const auto [document, code] = probe();
  CHECK(code == 0);
  CHECK(document["device"]["nvml"] == json{{"problem", "libnvidia-ml.so.1: cannot open"}});
  CHECK(document["context"][0]["used_before_bytes"].is_null());
  CHECK(document["context"][0]["free_created_bytes"] == (8192 - 1024 - 300) * mib);
  CHECK(document["launch"]["sm_clock_before_mhz"].is_null());
}

TEST_CASE("the device probe sees in which steps memory is handed out") {
  gpu() = {};
  const json granularity = probe().document["granularity"];
  CHECK_FALSE(gpu().left_to_reset);
  CHECK(granularity["virtual_memory"]["minimum_bytes"] == 2 * mib);
  CHECK(granularity["virtual_memory"]["recommended_bytes"] == 2 * mib);
  CHECK(granularity["observed_bytes"] == 2 * mib);
  const std::int64_t free = (8192 - 1024 - 300) * mib;
  REQUIRE(granularity["requests"].size() == 6);
  // 64 KiB: 32 of them share 2 MiB.
  const json small = granularity["requests"][1];
  CHECK(small["bytes"] == mib / 16);
  REQUIRE(small["free_bytes"].size() == 41);
  CHECK(small["free_bytes"][0] == free);
  CHECK(small["free_bytes"][1] == free - 2 * mib);
  CHECK(small["free_bytes"][32] == free - 2 * mib);
  CHECK(small["free_bytes"][33] == free - 4 * mib);
  // 3 MiB: each takes 4.
  CHECK(granularity["requests"][5]["free_bytes"][40] == free - 160 * mib);
}

TEST_CASE("the device probe times allocations of all sizes up to 1 GiB") {
  gpu() = {};
  const json sizes = probe().document["allocation"];
  REQUIRE(sizes.size() == 10);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    CHECK(sizes[i]["bytes"] == (2 * mib) << i);
    CHECK(sizes[i]["malloc_ns"].size() == 64);
    CHECK(sizes[i]["free_ns"].size() == 64);
  }
  CHECK(sizes[9]["bytes"] == 1024 * mib);
}

TEST_CASE("the device probe leaves out what would take more than half of the free memory") {
  gpu() = {};
  gpu().others = gpu().total - 600 * mib;  // 300 MiB are free once there is a context
  const auto [document, code] = probe();
  CHECK(code == 0);
  const json sizes = document["allocation"];
  CHECK(sizes[6]["bytes"] == 128 * mib);
  CHECK(sizes[6]["malloc_ns"].size() == 64);
  for (std::size_t i = 7; i < 10; ++i) {
    CHECK(sizes[i]["problem"] == "more than half of the free memory");
    CHECK_FALSE(sizes[i].contains("malloc_ns"));
  }
}

TEST_CASE("the device probe takes nothing from a GPU that is nearly full") {
  gpu() = {};
  gpu().others = gpu().total - 303 * mib;
  gpu().kernels = 0;
  const auto [document, code] = probe();
  CHECK(code == 0);
  CHECK(gpu().calls["cudaMalloc"] == 0);
  CHECK(gpu().calls["cuMemCreate"] == 0);
  CHECK(document["allocation"][0]["problem"] == "more than half of the free memory");
  CHECK(document["mapping"][0]["problem"] == "more than half of the free memory");
  CHECK(document["granularity"]["observed_bytes"] == 0);
}

TEST_CASE("the device probe times all steps of mapping a block of PyTorch's two sizes") {
  gpu() = {};
  const json sizes = probe().document["mapping"];
  REQUIRE(sizes.size() == 2);
  CHECK(sizes[0]["bytes"] == 2 * mib);
  CHECK(sizes[1]["bytes"] == 20 * mib);
  for (const json& size : sizes) {
    for (const char* step : {"create_ns", "map_ns", "set_access_ns", "unmap_ns", "release_ns"}) {
      CHECK(size[step].size() == 64);
    }
  }
}

TEST_CASE("the device probe without virtual memory management says so and maps nothing") {
  gpu() = {};
  gpu().has_virtual_memory = false;
  const auto [document, code] = probe();
  CHECK(code == 0);
  CHECK(document["granularity"]["virtual_memory"]["problem"] ==
        "this GPU has no virtual memory management");
  CHECK(document["mapping"].empty());
}

TEST_CASE("the device probe sees the time from start to start of kernels that wait in a queue") {
  gpu() = {};
  const json launch = probe().document["launch"];
  CHECK(launch["call_ns"].size() == 2048);
  CHECK(launch["clock_ns"].size() == 64);
  REQUIRE(launch["trains"].size() == 4);
  for (const json& train : launch["trains"]) {
    CHECK(train["held_too_shortly"] == 0);
    CHECK(train["queue_ns"].size() == 64);
    REQUIRE(train["train_ns"].size() == 64);
    for (const json& time : train["train_ns"]) {
      // The device's pace of 1.5 us, not the host's of 2 us.
      CHECK(time == train["kernels"].get<std::int64_t>() * 1500);
    }
  }
  CHECK(launch["trains"][0]["kernels"] == 128);
  CHECK(launch["trains"][1]["kernels"] == 512);
  CHECK(launch["trains"][0]["blocks"] == 1);
  CHECK(launch["trains"][2]["blocks"] == 132);
}

TEST_CASE("the device probe holds a stream for longer when a slow host needs that") {
  gpu() = {};
  gpu().launch_ns = 10'000;
  const json trains = probe().document["launch"]["trains"];
  // 128 launches take 1.28 ms of the 2 ms that the first hold lasts; 512 take 5.12 ms: 2, 4, 8.
  CHECK(trains[0]["held_too_shortly"] == 0);
  CHECK(trains[1]["held_too_shortly"] == 2);
  CHECK(trains[1]["train_ns"].size() == 64);
  CHECK(trains[1]["train_ns"][0] == 512 * 1500);
}

TEST_CASE("the device probe gives up on a host that no hold is long enough for") {
  gpu() = {};
  gpu().launch_ns = 1'000'000;  // 512 launches take 512 ms, the longest hold 200
  const auto [document, code] = probe();
  const json train = document["launch"]["trains"][1];
  CHECK(code == 0);
  CHECK(train["train_ns"].empty());
  CHECK(train["held_too_shortly"] == 8);  // 2, 4, ... 128 and 200 ms
}

TEST_CASE("the device probe on a machine without a driver or with an old one") {
  gpu() = {};
  gpu().driver_version = 0;
  Answer none = probe();
  CHECK(none.exit_code == 77);
  CHECK(none.document["error"]["kind"] == "no_driver");

  gpu() = {};
  gpu().driver_version = 11040;
  fail("cudaGetDeviceCount", 1, cudaErrorInsufficientDriver);
  Answer old = probe();
  CHECK(old.exit_code == 77);
  CHECK(old.document["error"]["kind"] == "no_driver");
  CHECK_THAT(old.document["error"]["message"].get<std::string>(),
             Catch::StartsWith("the driver knows CUDA 11.4; this program needs "));
}

TEST_CASE("the device probe on a machine without a GPU, or without that one") {
  gpu() = {};
  gpu().count = 0;
  Answer none = probe();
  CHECK(none.exit_code == 77);
  CHECK(none.document["error"]["kind"] == "no_device");

  gpu() = {};
  Answer second = probe({"--gpu", "1"});
  CHECK(second.exit_code == 77);
  CHECK(second.document["error"]["message"] ==
        "there is no GPU 1; they are numbered from 0, and there are 1");
  CHECK(gpu().contexts == 0);
}

TEST_CASE("the device probe that finds no memory for its context fails with that") {
  gpu() = {};
  fail("cudaSetDevice", 1, cudaErrorMemoryAllocation);
  const auto [document, code] = probe();
  CHECK(code == 1);
  CHECK(document["error"] == json::parse(R"({"kind": "out_of_memory",
      "message": "cudaSetDevice: out of memory", "call": "cudaSetDevice",
      "code": "cudaErrorMemoryAllocation"})"));
}

TEST_CASE("the device probe goes on where somebody else took the memory in the meantime") {
  gpu() = {};
  gpu().intercept = [](const std::string& name, int) {
    // The last size: 1 GiB.
    const bool last = gpu().calls["cudaFree"] >= 240 + 9 * 64 + 10;
    return name == "cudaMalloc" && last ? cudaErrorMemoryAllocation : cudaSuccess;
  };
  const auto [document, code] = probe();
  CHECK(code == 0);
  CHECK(document["allocation"][8]["malloc_ns"].size() == 64);
  CHECK(document["allocation"][9]["problem"] == "cudaMalloc: out of memory");
  CHECK(document["allocation"][9]["malloc_ns"].size() == 10);
  CHECK(document["launch"]["call_ns"].size() == 2048);
}

TEST_CASE("the device probe that loses its GPU keeps what it measured before") {
  gpu() = {};
  fail("cudaMalloc", 240 + 64 + 5, cudaErrorECCUncorrectable);
  const auto [document, code] = probe();
  CHECK(code == 1);
  CHECK(document["ended"] == "error");
  CHECK(document["error"]["kind"] == "device_lost");
  CHECK(document["error"]["call"] == "cudaMalloc");
  CHECK(document["context"].size() == 4);
  CHECK(document["allocation"][0]["malloc_ns"].size() == 64);
  CHECK_FALSE(document.contains("launch"));
}

TEST_CASE("the device probe gives back all that it holds whatever call fails") {
  gpu() = {};
  probe();
  const std::map<std::string, int> calls = gpu().calls;
  for (const auto& [function, count] : calls) {
    for (const int nth : {1, count / 2 + 1, count}) {
      INFO(function << " " << nth);
      gpu() = {};
      gpu().intercept = [&, function = function](const std::string& name, int number) {
        return name == function && number == nth ? cudaErrorLaunchFailure : cudaSuccess;
      };
      const auto [document, code] = probe();
      // At the end of a scope there is nobody to report to; so is the first cudaFree.
      const bool silent = function == "cudaDeviceReset" || (function == "cudaFree" && nth == 1);
      CHECK(code == (silent ? 0 : 1));
      CHECK(gpu().left_to_reset == (function == "cudaFree"));
    }
  }
}

TEST_CASE("Ctrl-C ends the device probe after the sample at hand") {
  note_interrupts();
  gpu() = {};
  gpu().intercept = [](const std::string& name, int number) {
    if (name == "cudaMalloc" && number == 240 + 64 + 5) std::raise(SIGINT);
    return cudaSuccess;
  };
  const auto [document, code] = probe();
  note_interrupts();
  CHECK(code == 128 + SIGINT);
  CHECK(document["ended"] == "interrupt");
  CHECK(document["allocation"][0]["malloc_ns"].size() == 64);
  CHECK(document["allocation"][1]["malloc_ns"].size() == 5);
  CHECK(document["allocation"][1]["free_ns"].size() == 5);
  CHECK(document["allocation"][2]["malloc_ns"].empty());
  CHECK_FALSE(document.contains("mapping"));
}

}  // namespace
}  // namespace memsim::probe
