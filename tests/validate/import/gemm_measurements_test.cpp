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

std::string reason(const std::string& line) {
  const GemmMeasurements found = parse_gemm_measurements("dtype,m,n,k,time_us\n" + line + "\n");
  CHECK(found.rows.empty());
  REQUIRE(found.problems.size() == 1);
  CHECK(found.problems[0].line == 2);
  return found.problems[0].reason;
}

TEST_CASE("measured products are read with their lines, whatever their types are called") {
  const GemmMeasurements found = parse_gemm_measurements(
      "dtype,m,n,k,time_us\r\nbfloat16,1,32,64,2.4917\r\n\nfp8,8192,65536,128,1e3\nbf16,2,3,4,5\n");
  CHECK(found.problems.empty());
  REQUIRE(found.rows.size() == 3);
  CHECK(found.rows[0].line == 2);
  CHECK(found.rows[0].type == models::DataType::bf16);
  CHECK(found.rows[0].m == 1);
  CHECK(found.rows[0].n == 32);
  CHECK(found.rows[0].k == 64);
  CHECK(found.rows[0].microseconds == 2.4917);
  CHECK(found.rows[1].line == 4);
  CHECK(found.rows[1].type == models::DataType::fp8);
  CHECK(found.rows[1].microseconds == 1000);
  CHECK(found.rows[2].type == models::DataType::bf16);
}

TEST_CASE("a line that is no measured product says why") {
  CHECK(reason("bfloat16,1,32,64") == "4 fields, expected 5: dtype,m,n,k,time_us");
  CHECK(reason("bfloat16,1,32,64,2,3") == "6 fields, expected 5: dtype,m,n,k,time_us");
  CHECK(reason("bfloat16,0,32,64,2") == "m is '0', expected a whole number from 1 to 16777216");
  CHECK(reason("bfloat16,1,3.5,64,2") == "n is '3.5', expected a whole number from 1 to 16777216");
  CHECK(reason("bfloat16,1,32,16777217,2") ==
        "k is '16777217', expected a whole number from 1 to 16777216");
  for (const char* const time : {"", "0", "-1", "nan", "inf", "1e10", "2us", " 2"}) {
    CHECK(reason("bfloat16,1,32,64," + std::string(time)) ==
          "time_us is '" + std::string(time) + "', expected a number above 0, at most 1000000000");
  }
  CHECK(reason("bfloat16,16777216,16777216,16777216,2") ==
        "more than 10^18 multiplications: no GPU computes that in one product");
  CHECK(reason("nvfp4,1,32,64,2") == "memsim knows no products of type 'nvfp4'");
}

TEST_CASE("types that memsim does not know are told from broken lines") {
  const GemmMeasurements found =
      parse_gemm_measurements("dtype,m,n,k,time_us\nint4_wo,1,1,1,1\nx\n");
  REQUIRE(found.problems.size() == 2);
  CHECK(found.problems[0].unknown_type);
  CHECK_FALSE(found.problems[1].unknown_type);
}

TEST_CASE("another header is one problem") {
  const GemmMeasurements found = parse_gemm_measurements("m,n,k,dtype,time_us\n1,1,1,fp8,1\n");
  CHECK(found.rows.empty());
  REQUIRE(found.problems.size() == 1);
  CHECK(found.problems[0].line == 1);
  CHECK(parse_gemm_measurements("").problems.size() == 1);
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
