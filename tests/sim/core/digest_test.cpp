#include "sim/core/digest.hpp"

#include "tests/support/catch.hpp"

namespace memsim::sim {
namespace {

TEST_CASE("the digest of a text is its FNV-1a hash") {
  // Source: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, test vectors of the FNV draft.
  CHECK(Digest().value() == 0xcbf29ce484222325U);
  CHECK(Digest().add("a").value() == 0xaf63dc4c8601ec8cU);
  CHECK(Digest().add("foobar").value() == 0x85944171f73967e8U);
}

TEST_CASE("a word is mixed in whole: xor, multiply, fold the high half") {
  // By hand, from offset 0: (0 ^ 1) x prime = prime = 0x100000001b3; prime ^ (prime >> 32) ends in
  // 0x1b3 ^ 0x100 = 0x0b3.
  CHECK(Digest(0).add(std::uint64_t{1}).value() == 0x100000000b3U);
}

TEST_CASE("numbers of all kinds count by their value, and their order matters") {
  CHECK(Digest().add(Bytes(5)).value() == Digest().add(std::uint64_t{5}).value());
  CHECK(Digest().add(Time(5)).value() == Digest().add(std::int64_t{5}).value());
  CHECK(Digest().add(std::uint32_t{5}).value() == Digest().add(std::uint64_t{5}).value());
  CHECK(Digest().add(Bytes(1)).add(Bytes(2)).value() !=
        Digest().add(Bytes(2)).add(Bytes(1)).value());
}

}  // namespace
}  // namespace memsim::sim
