// Shapes and strides, by hand.
#include "models/training/eager/layout.hpp"

#include <array>

#include "models/training/eager/unfit.hpp"
#include "tests/support/catch.hpp"

namespace memsim::models {
namespace {

Layout elementwise(std::initializer_list<Layout> operands, const Dims& shape) {
  std::array<const Layout*, 4> pointers{};
  std::size_t count = 0;
  for (const Layout& operand : operands) pointers[count++] = &operand;
  return elementwise_layout({pointers.data(), count}, shape);
}

TEST_CASE("contiguous strides run from the inside out, extents of 1 do not matter") {
  CHECK(contiguous_layout({2, 3, 4}).strides == Dims{12, 4, 1});
  CHECK(contiguous_layout({}).strides.empty());
  CHECK(is_contiguous({{2, 1, 4}, {4, 77, 1}}));
  CHECK_FALSE(is_contiguous({{2, 3}, {1, 2}}));
  CHECK(element_count({2, 3, 4}) == 24);
  CHECK(element_count({}) == 1);
}

TEST_CASE("a transposed tensor is dense, a slice and an expansion are not") {
  CHECK(is_dense({{3, 2}, {1, 3}}));
  CHECK_FALSE(is_dense({{2, 2}, {4, 1}}));
  CHECK_FALSE(is_dense({{2, 3}, {0, 1}}));
}

TEST_CASE("a view splits and merges dimensions that lie next to each other") {
  const Layout plain = contiguous_layout({4, 6});
  CHECK(view_strides(plain, {24}) == Dims{1});
  CHECK(view_strides(plain, {2, 2, 3, 2}) == Dims{12, 6, 2, 1});
  CHECK(view_strides(plain, {4, 1, 6}) == Dims{6, 6, 1});
  // [4, 6] with its dimensions swapped: rows cannot be merged, but split.
  const Layout swapped = transpose_layout(plain, 0, 1);
  CHECK_FALSE(view_strides(swapped, {24}).has_value());
  CHECK(view_strides(swapped, {3, 2, 4}) == Dims{2, 1, 6});
  // Heads of a projection: [B, T, 3 H d] cut in three along the last dimension.
  const Layout part{{2, 5, 8}, {120, 24, 1}};
  CHECK(view_strides(part, {2, 5, 4, 2}) == Dims{120, 24, 2, 1});
  CHECK(view_strides({{}, {}}, {1, 1}).has_value());
  CHECK(view_strides(contiguous_layout({0, 3}), {3, 0}).has_value());
}

TEST_CASE("one extent of a shape may be left open") {
  CHECK(infer_rest({-1, 4}, 24) == Dims{6, 4});
  CHECK(infer_rest({2, 12}, 24) == Dims{2, 12});
  CHECK_THROWS_AS(infer_rest({-1, 5}, 24), UnfitOperand);
  CHECK_THROWS_AS(infer_rest({-1, -1}, 24), UnfitOperand);
  CHECK_THROWS_AS(infer_rest({5}, 24), UnfitOperand);
}

TEST_CASE("operands broadcast from the last dimension") {
  CHECK(broadcast({2, 1, 4}, {3, 1}) == Dims{2, 3, 4});
  CHECK(broadcast({4}, {2, 3, 4}) == Dims{2, 3, 4});
  CHECK(broadcast({}, {2}) == Dims{2});
  CHECK_THROWS_AS(broadcast({2, 3}, {2}), UnfitOperand);
}

TEST_CASE("expanded dimensions have stride 0") {
  CHECK(expand_layout(contiguous_layout({3, 1}), {2, 3, 4}).strides == Dims{0, 1, 0});
  CHECK_THROWS_AS(expand_layout(contiguous_layout({3}), {4}), UnfitOperand);
  CHECK_THROWS_AS(expand_layout(contiguous_layout({2, 3}), {3}), UnfitOperand);
}

TEST_CASE("an elementwise result nests its dimensions as its operands do") {
  const Layout plain = contiguous_layout({4, 6});
  const Layout swapped = transpose_layout(contiguous_layout({6, 4}), 0, 1);
  CHECK(elementwise({plain, plain}, {4, 6}).strides == Dims{6, 1});
  CHECK(elementwise({swapped, swapped}, {4, 6}).strides == Dims{1, 4});
  // The first operand that tells dimensions apart decides.
  CHECK(elementwise({swapped, plain}, {4, 6}).strides == Dims{1, 4});
  CHECK(elementwise({plain, swapped}, {4, 6}).strides == Dims{6, 1});
  // A broadcast operand tells nothing about its stretched dimension.
  CHECK(elementwise({contiguous_layout({6}), swapped}, {4, 6}).strides == Dims{1, 4});
  // Gaps of a slice close.
  CHECK(elementwise({Layout{{4, 3}, {6, 1}}}, {4, 3}).strides == Dims{3, 1});
}

TEST_CASE("dimensions are counted from the end if negative, and there are six at most") {
  CHECK(wrap(-1, 3) == 2);
  CHECK(wrap(0, 3) == 0);
  CHECK_THROWS_AS(wrap(3, 3), UnfitOperand);
  CHECK_THROWS_AS(wrap(-4, 3), UnfitOperand);
  Dims dims{1, 2, 3, 4, 5, 6};
  CHECK_THROWS_AS(dims.push_back(7), UnfitOperand);
  dims.erase(0);
  CHECK(dims == Dims{2, 3, 4, 5, 6});
  dims.insert(0, 9);
  CHECK(dims == Dims{9, 2, 3, 4, 5, 6});
}

TEST_CASE("permutations take every dimension once") {
  CHECK(permute_layout(contiguous_layout({2, 3, 4}), {2, 0, 1}).strides == Dims{1, 12, 4});
  CHECK_THROWS_AS(permute_layout(contiguous_layout({2, 3}), {0, 0}), UnfitOperand);
  CHECK_THROWS_AS(permute_layout(contiguous_layout({2, 3}), {0}), UnfitOperand);
}

}  // namespace
}  // namespace memsim::models
