#include "validate/import/gemm_measurements.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace memsim::validate {
namespace {

GemmMeasurement row(models::DataType type, std::int64_t m, std::int64_t n, std::int64_t k) {
  GemmMeasurement row;
  row.type = type;
  row.m = m;
  row.n = n;
  row.k = k;
  return row;
}

GemmMeasurements parse(const std::string& text, scenarios::Diagnostics& diagnostics) {
  const scenarios::SourceFile file("a.csv", text, scenarios::SourceRole::given, 0);
  return parse_gemm_measurements(file, diagnostics);
}

// What is wrong with a line, and where.
std::string fault(const std::string& line) {
  const std::string text = "dtype,m,n,k,time_us\n" + line + "\n";
  const scenarios::SourceFile file("a.csv", text, scenarios::SourceRole::given, 0);
  scenarios::Diagnostics diagnostics;
  CHECK(parse_gemm_measurements(file, diagnostics).rows.empty());
  REQUIRE(diagnostics.errors() == 1);
  return diagnostics.sorted().front().sentence();
}

TEST_CASE("measured products are read, whatever their types are called") {
  scenarios::Diagnostics diagnostics;
  const GemmMeasurements found = parse(
      "dtype,m,n,k,time_us\r\nbfloat16,1,32,64,2.4917\r\n\nfp8,8192,65536,128,1e3\nbf16,2,3,4,5\n",
      diagnostics);
  CHECK_FALSE(diagnostics.has_errors());
  REQUIRE(found.rows.size() == 3);
  CHECK(found.rows[0].type == models::DataType::bf16);
  CHECK(found.rows[0].m == 1);
  CHECK(found.rows[0].n == 32);
  CHECK(found.rows[0].k == 64);
  CHECK(found.rows[0].microseconds == 2.4917);
  CHECK(found.rows[1].type == models::DataType::fp8);
  CHECK(found.rows[1].microseconds == 1000);
  CHECK(found.rows[2].type == models::DataType::bf16);
}

TEST_CASE("a line that is no measured product is reported at what is wrong (E113)") {
  CHECK(fault("bfloat16,1,32,64") ==
        "E113 a.csv:2:1: a row of 4 fields; expected the 5 of dtype,m,n,k,time_us");
  CHECK(fault("bfloat16,1,32,64,2,3") ==
        "E113 a.csv:2:1: a row of 6 fields; expected the 5 of dtype,m,n,k,time_us");
  CHECK(fault("bfloat16,0,32,64,2") ==
        "E113 a.csv:2:10: m is '0'; expected a whole number from 1 to 16777216");
  CHECK(fault("bfloat16,1,3.5,64,2") ==
        "E113 a.csv:2:12: n is '3.5'; expected a whole number from 1 to 16777216");
  CHECK(fault("bfloat16,1,32,16777217,2") ==
        "E113 a.csv:2:15: k is '16777217'; expected a whole number from 1 to 16777216");
  for (const std::string time : {"", "0", "-1", "nan", "inf", "1e10", "2us", " 2"}) {
    CHECK(fault("bfloat16,1,32,64," + time) ==
          "E113 a.csv:2:18: time_us is '" + time +
              "'; expected a number above 0, at most 1000000000");
  }
  CHECK(fault("bfloat16,16777216,16777216,16777216,2") ==
        "E113 a.csv:2:1: more than 10^18 multiplications; expected a product that a GPU computes");
}

TEST_CASE("rows of types that memsim does not know are kept apart") {
  scenarios::Diagnostics diagnostics;
  const GemmMeasurements found =
      parse("dtype,m,n,k,time_us\nint4_wo,1,1,1,1\nbf16,1,1,1,1\n", diagnostics);
  CHECK_FALSE(diagnostics.has_errors());
  CHECK(found.rows.size() == 1);
  REQUIRE(found.foreigners.size() == 1);
  CHECK(found.foreigners[0].line == 2);
  CHECK(found.foreigners[0].type == "int4_wo");
}

TEST_CASE("another header is one error (E113)") {
  scenarios::Diagnostics diagnostics;
  CHECK(parse("m,n,k,dtype,time_us\n1,1,1,fp8,1\n", diagnostics).rows.empty());
  CHECK(diagnostics.errors() == 1);
  scenarios::Diagnostics of_nothing;
  CHECK(parse("", of_nothing).rows.empty());
  CHECK(of_nothing.errors() == 1);
}

TEST_CASE("the split follows from FNV-1a of a row's name") {
  // FNV-1a, 64 bits, computed apart: "bfloat16,1,32,32" gives 13854327886132546215,
  // "bfloat16,1,256,1024" 351802366844713111.
  const GemmMeasurement a = row(models::DataType::bf16, 1, 32, 32);
  CHECK(gemm_row_name(a) == "bfloat16,1,32,32");
  CHECK(gemm_fingerprint(a) == 0xc04475cf);
  CHECK_FALSE(is_held_out(a));
  const GemmMeasurement b = row(models::DataType::bf16, 1, 256, 1024);
  CHECK(gemm_row_name(b) == "bfloat16,1,256,1024");
  CHECK(gemm_fingerprint(b) == 0x04e1da63);
  CHECK(is_held_out(b));
}

TEST_CASE("the kernel of a measured product moves its operands once") {
  // 2 x 3 x 5 multiplications and additions each; (2 + 3) x 5 and 2 x 3 elements.
  const models::KernelWork bf16 = gemm_work(row(models::DataType::bf16, 2, 3, 5));
  CHECK(bf16.kind == models::KernelClass::gemm);
  CHECK(bf16.flops == 60);
  CHECK(bf16.read == sim::Bytes(50));
  CHECK(bf16.written == sim::Bytes(12));
  // Products of 8-bit operands come back in 16 bits.
  const models::KernelWork fp8 = gemm_work(row(models::DataType::fp8, 2, 3, 5));
  CHECK(fp8.read == sim::Bytes(25));
  CHECK(fp8.written == sim::Bytes(12));
  const models::KernelWork fp32 = gemm_work(row(models::DataType::fp32, 2, 3, 5));
  CHECK(fp32.read == sim::Bytes(100));
  CHECK(fp32.written == sim::Bytes(24));
}

}  // namespace
}  // namespace memsim::validate
