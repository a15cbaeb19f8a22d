#include "scenarios/hardware/allocator_choice.hpp"
#include "scenarios/hardware/figures.hpp"
#include "scenarios/hardware/hardware_schema.hpp"
#include "scenarios/hardware/physical_limits.hpp"
#include "scenarios/hardware/technologies.hpp"

namespace memsim::scenarios {
namespace {

using models::DataType;
using models::GpuSpec;
using models::KernelClass;

// Types that hardware computes in, in the order of data sheets.
constexpr std::array compute_types{DataType::bf16, DataType::fp16, DataType::tf32, DataType::fp32,
                                   DataType::fp64, DataType::fp8,  DataType::int8};

template <class Array>
auto element(std::size_t index) {
  return [index](Array& array) -> typename Array::value_type& { return array[index]; };
}

const Schema<models::GpuMemorySpec>& achieved_schema() {
  using models::GpuMemorySpec;
  static const Schema<GpuMemorySpec> schema =
      Schema<GpuMemorySpec>("memory efficiency")
          .field(
              "read", [](GpuMemorySpec& m) -> auto& { return m.achieved.read; },
              share_rules("share of bandwidth that pure reads reach", "0.93"))
          .field(
              "write", [](GpuMemorySpec& m) -> auto& { return m.achieved.write; },
              share_rules("share of bandwidth that pure writes reach", "0.90"))
          .field(
              "mixed", [](GpuMemorySpec& m) -> auto& { return m.achieved.mixed; },
              share_rules("share of bandwidth of two reads to one write", "0.87"))
          .field("gemm", &GpuMemorySpec::gemm,
                 share_rules("share of bandwidth of a matrix multiplication's operands", "0.8"))
          .shorthand({"read", "write", "mixed", "gemm"});
  return schema;
}

const Schema<models::GpuMemorySpec>& memory_schema() {
  using models::GpuMemorySpec;
  static const Schema<GpuMemorySpec> schema =
      Schema<GpuMemorySpec>("GPU memory")
          .field("kind", &GpuMemorySpec::kind,
                 {.help = "memory technology",
                  .required = true,
                  .example = "HBM2",
                  .ruled_by = "bandwidth"})
          .field("capacity", &GpuMemorySpec::capacity,
                 {.help = "memory as sold",
                  .required = true,
                  .example = "80 GB",
                  .aliases = {"memory", "size", "vram", "total"},
                  .least = figures::least_memory,
                  .most = figures::most_memory,
                  .usual = figures::usual_gpu_memory,
                  .each = "GPU"})
          .field("usable", &GpuMemorySpec::usable,
                 {.help = "what the driver lets processes see",
                  .same_as = "capacity",
                  .example = "79.15 GiB",
                  .aliases = {"free", "available"},
                  .least = figures::least_memory,
                  .most = 2 * figures::most_memory,
                  .follows = "capacity"})
          .field("bandwidth", &GpuMemorySpec::bandwidth,
                 {.help = "nominal; reads and writes share it",
                  .required = true,
                  .example = "1555 GB/s",
                  .aliases = {"bw"},
                  .least = figures::least_bandwidth,
                  .most = figures::most_bandwidth,
                  .usual = figures::usual_gpu_bandwidth,
                  .each = "GPU"})
          .field("page", &GpuMemorySpec::page,
                 {.help = "unit of mapping",
                  .fallback = "2 MiB",
                  .example = "2 MiB",
                  .least = 512,
                  .most = figures::gibibyte,
                  .usual = figures::usual_page})
          .table("achieved", [](GpuMemorySpec& m) -> GpuMemorySpec& { return m; },
                 achieved_schema(), {.help = "shares of bandwidth that are reached"})
          .check(check_gpu_memory_kind, {"kind"})
          .check(check_gpu_usable, {"usable", "capacity"});
  return schema;
}

const Schema<models::CacheSpec>& cache_schema() {
  using models::CacheSpec;
  static const Schema<CacheSpec> schema = Schema<CacheSpec>("cache")
                                              .field("size", &CacheSpec::size,
                                                     {.help = "capacity",
                                                      .fallback = "0 B",
                                                      .example = "40 MiB",
                                                      .most = figures::most_memory,
                                                      .usual = figures::usual_cache})
                                              .field("bandwidth", &CacheSpec::bandwidth,
                                                     {.help = "of reads that hit",
                                                      .fallback = "0 B/s",
                                                      .example = "4.8 TB/s",
                                                      .most = figures::most_bandwidth,
                                                      .usual = figures::usual_cache_bandwidth});
  return schema;
}

Range usual_rate(DataType type) {
  if (type == DataType::fp64) return figures::usual_fp64;
  if (type == DataType::fp32) return figures::usual_fp32;
  const bool is_8_bit = type == DataType::fp8 || type == DataType::int8;
  return is_8_bit ? figures::usual_8_bit : figures::usual_16_bit;
}

// A time that a GPU or its driver takes again and again.
FieldRules time_rules(std::string_view help, std::string_view fallback, const Range& usual) {
  return {.help = help,
          .fallback = fallback,
          .example = fallback,
          .most = figures::most_time,
          .usual = usual};
}

const Schema<models::RateByType>& peak_schema() {
  static const Schema<models::RateByType> schema = [] {
    Schema<models::RateByType> types("peak rate");
    for (const DataType type : compute_types) {
      types.field(models::name(type), element<models::RateByType>(static_cast<std::size_t>(type)),
                  {.help = "dense operations per second; a multiply-add is two",
                   .required = type == DataType::fp32,
                   .example = "312 TFLOP/s",
                   .least = figures::least_rate,
                   .most = figures::most_rate,
                   .usual = usual_rate(type)});
    }
    return types;
  }();
  return schema;
}

Schema<models::FractionByType> efficiency_by_type(std::string_view fallback) {
  Schema<models::FractionByType> types("efficiency");
  std::vector<std::string> keys;
  for (const DataType type : compute_types) {
    types.field(models::name(type), element<models::FractionByType>(static_cast<std::size_t>(type)),
                share_rules("share of peak that large problems reach", fallback));
    keys.emplace_back(models::name(type));
  }
  types.shorthand(std::move(keys));
  return types;
}

const Schema<models::ComputeSpec>& efficiency_schema() {
  using models::ComputeSpec;
  // For GPUs without measurements: 0.7 is within the fits for five GPUs (0.60 to 0.78), 0.5 is the
  // lower end of what fused attention reaches on A100.
  static const Schema<models::FractionByType> gemm = efficiency_by_type("0.7");
  static const Schema<models::FractionByType> attention = efficiency_by_type("0.5");
  static const Schema<ComputeSpec> schema =
      Schema<ComputeSpec>("efficiency")
          .table("gemm", &ComputeSpec::gemm_efficiency, gemm, {.help = "of matrix multiplications"})
          .table("attention", &ComputeSpec::attention_efficiency, attention,
                 {.help = "of fused attention"});
  return schema;
}

using StartByClass = std::array<sim::Duration, models::kernel_class_count>;

const Schema<StartByClass>& start_schema() {
  const auto of = [](KernelClass kind) {
    return element<StartByClass>(static_cast<std::size_t>(kind));
  };
  const auto rules = [](std::string_view fallback) {
    return time_rules("device-side fixed cost of one kernel", fallback, figures::usual_start);
  };
  // Fits of measured products give 1.8 to 4 us; the 1.3 us of small kernels is what a captured
  // graph of them takes each, where no host waits in between.
  static const Schema<StartByClass> schema =
      Schema<StartByClass>("kernel start")
          .field("gemm", of(KernelClass::gemm), rules("2.6 us"))
          .field("attention", of(KernelClass::attention), rules("3 us"))
          .field("streaming", of(KernelClass::streaming), rules("1.3 us"))
          .shorthand({"gemm", "attention", "streaming"});
  return schema;
}

const Schema<models::ComputeSpec>& compute_schema() {
  using models::ComputeSpec;
  static const Schema<ComputeSpec> schema =
      Schema<ComputeSpec>("GPU arithmetic")
          .table("peak", &ComputeSpec::peak, peak_schema(), {.help = "dense rate by data type"})
          .table("efficiency", [](ComputeSpec& c) -> ComputeSpec& { return c; },
                 efficiency_schema(), {.help = "shares of peak that are reached"})
          .table("start", &ComputeSpec::start, start_schema(),
                 {.help = "device-side fixed cost of a kernel"})
          .field("launch", &ComputeSpec::launch,
                 time_rules("host-side cost of one launch", "2.4 us", figures::usual_start))
          .field("multiprocessors", &ComputeSpec::multiprocessors,
                 {.help = "streaming multiprocessors or compute units; 0: not stated",
                  .fallback = "0",
                  .example = "108",
                  .most = figures::most_multiprocessors,
                  .usual = figures::usual_multiprocessors})
          .field("gemm", &ComputeSpec::gemm_table,
                 {.help = "table of measured matrix products; empty: a formula",
                  .fallback = "",
                  .example = "gemm/a100.table"});
  return schema;
}

const Schema<models::CopyEngineSpec>& engines_schema() {
  using models::CopyEngineSpec;
  static const Schema<CopyEngineSpec> schema =
      Schema<CopyEngineSpec>("copy engines")
          .field("host_to_device", &CopyEngineSpec::host_to_device,
                 {.help = "engines for copies from the host",
                  .fallback = "1",
                  .example = "1",
                  .least = 1,
                  .most = 64,
                  .usual = figures::usual_engines})
          .field("device_to_host", &CopyEngineSpec::device_to_host,
                 {.help = "engines for copies to the host",
                  .fallback = "1",
                  .example = "1",
                  .least = 1,
                  .most = 64,
                  .usual = figures::usual_engines})
          .field("peer", &CopyEngineSpec::peer,
                 {.help = "engines for copies between GPUs; 0: copies go through the host",
                  .fallback = "0",
                  .example = "2",
                  .most = 64,
                  .usual = figures::usual_engines});
  return schema;
}

const Schema<models::BounceSpec>& bounce_schema() {
  using models::BounceSpec;
  // Together they add 8.6 ps to each byte. Measured without peer access, beside the slower of both
  // links: RTX A-series 20 to 22.4 GB/s, RTX 4090 20.9 to 22.6, RTX 5090 38.2 to 38.9, H100 36.3 to
  // 38, A100 13.3 to 20.5 (7.5, 6.3, 7.8, 8.8 and 19.5 ps).
  static const Schema<BounceSpec> schema =
      Schema<BounceSpec>("bounce buffer")
          .field("chunk", &BounceSpec::chunk,
                 {.help = "of a copy between GPUs without peer access, in host memory",
                  .fallback = "1 MiB",
                  .example = "1 MiB",
                  .least = figures::kibibyte,
                  .most = figures::gibibyte,
                  .usual = figures::usual_page})
          .field("wait", &BounceSpec::wait,
                 time_rules("until the next chunk is handed over", "9 us", figures::usual_start));
  return schema;
}

// What [copy] of a GPU says.
const Schema<models::GpuSpec>& copy_schema() {
  using models::GpuSpec;
  static const Schema<GpuSpec> schema =
      Schema<GpuSpec>("copies")
          .table("engines", &GpuSpec::copy, engines_schema(), {.help = "copy engines by direction"})
          .table("bounce", &GpuSpec::bounce, bounce_schema(),
                 {.help = "copies between GPUs through the host"});
  return schema;
}

const Schema<models::DriverSpec>& driver_schema() {
  using models::DriverSpec;
  static const Schema<DriverSpec> schema =
      Schema<DriverSpec>("GPU driver")
          .field("context", &DriverSpec::context,
                 {.help = "memory of a process's context and loaded kernels",
                  .fallback = "480 MiB",
                  .example = "480 MiB",
                  .most = figures::most_memory,
                  .usual = figures::usual_context})
          .field("granularity", &DriverSpec::granularity,
                 {.help = "unit of device allocations",
                  .fallback = "2 MiB",
                  .example = "2 MiB",
                  .least = 512,
                  .most = figures::gibibyte,
                  .usual = figures::usual_page})
          .field("malloc", &DriverSpec::malloc,
                 time_rules("time of one cudaMalloc", "60 us", figures::usual_driver_call))
          .field("free", &DriverSpec::free,
                 time_rules("time of one cudaFree", "90 us", figures::usual_driver_call))
          .field("map", &DriverSpec::map,
                 time_rules("time to map one page", "25 us", figures::usual_driver_call))
          .field("unmap", &DriverSpec::unmap,
                 {.help = "time to unmap one page",
                  .same_as = "map",
                  .example = "25 us",
                  .most = figures::most_time,
                  .usual = figures::usual_driver_call})
          .field("wake", &DriverSpec::wake,
                 time_rules("from the end of a work until the thread that waits for it goes on",
                            "0 us", figures::usual_driver_call));
  return schema;
}

const Schema<models::LibrarySpec>& libraries_schema() {
  using models::CollectiveLibrarySpec;
  using models::LibrarySpec;
  static const Schema<CollectiveLibrarySpec> nccl =
      Schema<CollectiveLibrarySpec>("NCCL")
          .field("channels", &CollectiveLibrarySpec::channels,
                 {.help = "channels of a communicator",
                  .fallback = "0",
                  .example = "24",
                  .most = 1024,
                  .usual = figures::usual_channels_of_nccl})
          .field("buffer", &CollectiveLibrarySpec::buffer,
                 {.help = "per channel and peer",
                  .fallback = "0 B",
                  .example = "4 MiB",
                  .most = figures::most_memory,
                  .usual = figures::usual_workspace});
  static const Schema<LibrarySpec> schema =
      Schema<LibrarySpec>("libraries")
          .field("cublas_workspace", &LibrarySpec::cublas_workspace,
                 {.help = "per handle and stream",
                  .fallback = "8519680 B",
                  .example = "8519680 B",
                  .most = figures::most_memory,
                  .usual = figures::usual_workspace})
          .table("nccl", &LibrarySpec::nccl, nccl, {.help = "memory of collectives"});
  return schema;
}

const Schema<models::ManagedMemorySpec>& managed_schema() {
  using models::ManagedMemorySpec;
  static const Schema<ManagedMemorySpec> batch =
      Schema<ManagedMemorySpec>("fault batch")
          .field("count", &ManagedMemorySpec::fault_batch_count,
                 {.help = "faults served together at most",
                  .fallback = "256",
                  .example = "256",
                  .least = 1,
                  .most = 65536,
                  .usual = figures::usual_fault_batch})
          .field("latency", &ManagedMemorySpec::fault_batch_latency,
                 time_rules("of one visit to a block", "20 us", figures::usual_fault_latency));
  static const Schema<ManagedMemorySpec> schema =
      Schema<ManagedMemorySpec>("managed memory")
          .field("block", &ManagedMemorySpec::block,
                 {.help = "unit of migration",
                  .fallback = "2 MiB",
                  .example = "2 MiB",
                  .least = 4096,
                  .most = figures::gibibyte,
                  .usual = figures::usual_page})
          .table("fault_batch", [](ManagedMemorySpec& m) -> ManagedMemorySpec& { return m; }, batch,
                 {.help = "page faults served together"});
  return schema;
}

const Schema<models::AllocatorSpec>& allocator_schema() {
  using models::AllocatorSpec;
  static const Schema<AllocatorSpec> schema =
      Schema<AllocatorSpec>("allocator")
          .field("default", &AllocatorSpec::kind,
                 {.help = "allocator of device memory", .fallback = "torch", .example = "torch"})
          .field("options", &AllocatorSpec::options,
                 {.help = "as in PYTORCH_CUDA_ALLOC_CONF",
                  .fallback = "",
                  .example = "expandable_segments:True"})
          .check(check_allocator, {"default", "options"});
  return schema;
}

}  // namespace

const Schema<GpuSpec>& gpu_schema() {
  static const Schema<GpuSpec> schema =
      Schema<GpuSpec>("GPU")
          .field("name", &GpuSpec::name,
                 {.help = "name of the part",
                  .fallback = "",
                  .example = "a100-sxm4-40gb",
                  .most = longest_name})
          .table("memory", &GpuSpec::memory, memory_schema(), {.help = "device memory"})
          .table("l2", &GpuSpec::l2, cache_schema(), {.help = "last-level cache"})
          .table("compute", &GpuSpec::compute, compute_schema(), {.help = "arithmetic and kernels"})
          .table("copy", [](GpuSpec& g) -> GpuSpec& { return g; }, copy_schema(),
                 {.help = "copies"})
          .table("driver", &GpuSpec::driver, driver_schema(),
                 {.help = "memory and time of the driver"})
          .table("libraries", &GpuSpec::libraries, libraries_schema(),
                 {.help = "memory that no tensor owns"})
          .table("managed", &GpuSpec::managed, managed_schema(), {.help = "unified memory"})
          .table("allocator", &GpuSpec::allocator, allocator_schema(),
                 {.help = "allocator of tensors"})
          .check(check_context, {"driver.context", "memory.usable", "memory.capacity"});
  return schema;
}

}  // namespace memsim::scenarios
