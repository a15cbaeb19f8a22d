#include "sim/memory/torch_rules.hpp"

#include "sim/memory/torch_message.hpp"
#include "tests/support/catch.hpp"

namespace memsim::sim {

namespace {
constexpr std::int64_t mib = 1 << 20;
}

TEST_CASE("requests are rounded up to 512 bytes") {
  CHECK(torch_block_size(1) == 512);
  CHECK(torch_block_size(512) == 512);
  CHECK(torch_block_size(513) == 1024);
  CHECK(torch_block_size(mib - 1) == mib);
  CHECK(torch_block_size(torch_request_limit - 1) == torch_request_limit);
}

TEST_CASE("with divisions a size is rounded up to a part of its power of two") {
  TorchDivisions divisions{};
  divisions[0] = 4;                                  // below 2 MiB
  divisions[3] = 8;                                  // 8 to 16 MiB
  divisions[15] = 2;                                 // from 32 GiB on
  CHECK(torch_block_size(2048, divisions) == 2048);  // not above 4 x 512
  CHECK(torch_block_size(2049, divisions) == 2560);  // 2048 + 2048 / 4
  CHECK(torch_block_size(mib + 1, divisions) == mib + mib / 4);
  CHECK(torch_block_size(mib, divisions) == mib);                    // a power of two stays
  CHECK(torch_block_size(3 * mib + 1, divisions) == 3 * mib + 512);  // 2 to 4 MiB: off
  CHECK(torch_block_size(9 * mib + 1, divisions) == 10 * mib);
  CHECK(torch_block_size(15 * mib + 1, divisions) == 16 * mib);
  CHECK(torch_block_size((65LL << 30) + 1, divisions) == 96LL << 30);
}

TEST_CASE(
    "segments are 2 MiB up to 1 MiB, 20 MiB below 10 MiB, then the request in units of 2 MiB") {
  CHECK(torch_segment_size(512) == 2 * mib);
  CHECK(torch_segment_size(mib) == 2 * mib);
  CHECK(torch_segment_size(mib + 512) == 20 * mib);
  CHECK(torch_segment_size(10 * mib - 512) == 20 * mib);
  CHECK(torch_segment_size(10 * mib) == 10 * mib);
  CHECK(torch_segment_size(10 * mib + 512) == 12 * mib);
}

TEST_CASE("small blocks are split for 512 bytes, large ones only for more than 1 MiB") {
  CHECK_FALSE(torch_splits(true, 0));
  CHECK(torch_splits(true, 512));
  CHECK_FALSE(torch_splits(false, mib));
  CHECK(torch_splits(false, mib + 512));
}

TEST_CASE("amounts are written with the unit of which there is more than one, two decimals") {
  CHECK(torch_format_size(0_B) == "0 bytes");
  CHECK(torch_format_size(1024_B) == "1024 bytes");
  CHECK(torch_format_size(1025_B) == "1.00 KiB");
  CHECK(torch_format_size(1_MiB) == "1024.00 KiB");
  CHECK(torch_format_size(1_MiB + 1_B) == "1.00 MiB");
  CHECK(torch_format_size(1_GiB) == "1024.00 MiB");
  CHECK(torch_format_size(1_GiB + 512_MiB) == "1.50 GiB");
  CHECK(torch_format_size(3_GiB + 64_MiB) == "3.06 GiB");  // 3.0625
  CHECK(torch_format_size(5000_GiB) == "5000.00 GiB");
}

TEST_CASE("amounts half way between two decimals go to the even one, as printf does") {
  // 1.125 GiB and 1.375 GiB are exact in binary.
  CHECK(torch_format_size(1_GiB + 128_MiB) == "1.12 GiB");
  CHECK(torch_format_size(1_GiB + 384_MiB) == "1.38 GiB");
}

TEST_CASE("the out-of-memory message has PyTorch's pieces in PyTorch's order") {
  // Line 457 of a recorded run, data/allocator/09_near_oom_retries.
  const TorchOomFacts facts{.segment = Bytes(35651584),
                            .device = 0,
                            .capacity = Bytes(1073741824),
                            .free = Bytes(31457280),
                            .process_known = false,
                            .process = 0_B,
                            .allocated = Bytes(994266112),
                            .reserved = Bytes(1042284544)};
  const std::string tail =
      "Of the allocated memory 948.21 MiB is allocated by PyTorch, and 45.79 MiB is reserved by "
      "PyTorch but unallocated. If reserved but unallocated memory is large try setting "
      "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation "
      "for Memory Management  "
      "(https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)";
  CHECK(torch_oom_message(facts) ==
        "CUDA out of memory. Tried to allocate 34.00 MiB. GPU 0 has a total capacity of 1024.00 "
        "MiB of which 30.00 MiB is free. " +
            tail);
  TorchOomFacts known = facts;
  known.device = 3;
  known.process_known = true;
  known.process = 856_MiB;
  CHECK(torch_oom_message(known) ==
        "CUDA out of memory. Tried to allocate 34.00 MiB. GPU 3 has a total capacity of 1024.00 "
        "MiB of which 30.00 MiB is free. Including non-PyTorch memory, this process has 856.00 MiB "
        "memory in use. " +
            tail);
}

}  // namespace memsim::sim
