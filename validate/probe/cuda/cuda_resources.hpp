// What CUDA hands out, given back at the end of its scope. Failed calls throw ProbeError; giving
// back ignores failures: after a lost device there is nothing to give back.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace memsim::probe {

// The primary context of a GPU, current in this thread; its end takes all that was made in it.
class PrimaryContext {
 public:
  explicit PrimaryContext(int gpu);
  ~PrimaryContext() { cudaDeviceReset(); }
  PrimaryContext(const PrimaryContext&) = delete;
  PrimaryContext& operator=(const PrimaryContext&) = delete;
};

// Device memory; empty at first.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  ~DeviceMemory() {
    if (address_ != nullptr) cudaFree(address_);
  }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Requires: empty.
  void allocate(std::int64_t bytes);
  void release();

 private:
  void* address_ = nullptr;
};

// A stream that does not wait for the default stream.
class Stream {
 public:
  Stream();
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  [[nodiscard]] cudaStream_t get() const { return stream_; }
  void synchronize() const;

 private:
  cudaStream_t stream_ = nullptr;
};

// A moment on a stream.
class Event {
 public:
  Event();
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(const Stream& stream);
  // Whether the stream has got there.
  [[nodiscard]] bool reached() const;
  // From `start` to this one, to about half a microsecond. Requires: both were reached.
  [[nodiscard]] std::int64_t since_ns(const Event& start) const;

 private:
  cudaEvent_t event_ = nullptr;
};

// Memory that the current GPU has free, for all processes.
std::int64_t free_bytes();

// What a probe may hold at one time: half of that, so that others on the GPU do not run out.
inline std::int64_t most_to_take() { return free_bytes() / 2; }

}  // namespace memsim::probe
