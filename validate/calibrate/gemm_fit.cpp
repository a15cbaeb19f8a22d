#include "validate/calibrate/gemm_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/core/check.hpp"

namespace memsim::validate {
namespace {

using models::GemmGrid;

// The covariance of the logarithms of two products' times: alike(octaves apart) of the shapes, plus
// a tenth of that of their tiles. The variance of a single measurement's own deviation is 0.01, as
// 10 %. Chosen by cross-validation within the fitted rows; twice or half of each changes the errors
// by less than a tenth.
constexpr double octaves = 8;
constexpr double tile_variance = 0.1;
constexpr double noise_variance = 0.01;

constexpr int significant_bits = 3;
constexpr int significant_bits_of_k = 2;

// Least and largest efficiency that a table can hold.
constexpr double least_efficiency = 1e-6;
constexpr double largest_efficiency = 100;

double roofline_us(const models::GpuSpec& gpu, const models::KernelWork& work) {
  const auto peak = gpu.compute.peak[static_cast<std::size_t>(work.type)];
  const auto bytes = work.read + work.written;
  return 1e6 * std::max(static_cast<double>(work.flops) / static_cast<double>(peak.value()),
                        static_cast<double>(bytes.value()) /
                            static_cast<double>(gpu.memory.bandwidth.value()));
}

// log2 of how much longer a product takes because its last tiles and its last wave are not full.
double tile_loss(const GemmMeasurement& row, double tile_m, double tile_n, double processors) {
  const auto m = static_cast<double>(row.m);
  const auto n = static_cast<double>(row.n);
  const double tiles = std::ceil(m / tile_m) * std::ceil(n / tile_n);
  const double waves = std::ceil(tiles / processors);
  return std::log2(waves * processors * tile_m * tile_n / (m * n));
}

using Shape = Eigen::Vector4d;  // log2 of m, n, k, roofline
using Tiles = Eigen::Vector3d;

// Kriging with a constant mean.
class Surface {
 public:
  Surface(const models::GpuSpec& gpu, double start_us, std::span<const GemmMeasurement> rows)
      : gpu_(gpu), start_us_(start_us) {
    const auto count = static_cast<Eigen::Index>(rows.size());
    shapes_.resize(Shape::RowsAtCompileTime, count);
    tiles_.resize(Tiles::RowsAtCompileTime, count);
    Eigen::VectorXd slowness(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const GemmMeasurement& row = rows[static_cast<std::size_t>(i)];
      shapes_.col(i) = shape(row);
      tiles_.col(i) = tiles(row);
      slowness[i] = std::log(row.microseconds / ideal_us(row));
    }
    mean_ = slowness.mean();
    Eigen::MatrixXd covariance(count, count);
    for (Eigen::Index i = 0; i < count; ++i)
      covariance.col(i) = covariances(shapes_.col(i), tiles_.col(i));
    covariance.diagonal().array() += noise_variance;
    weights_ = covariance.llt().solve((slowness.array() - mean_).matrix());
  }

  [[nodiscard]] double efficiency(const GemmMeasurement& product) const {
    const double slowness = mean_ + weights_.dot(covariances(shape(product), tiles(product)));
    return std::clamp(std::exp(-slowness), least_efficiency, largest_efficiency);
  }

 private:
  [[nodiscard]] double ideal_us(const GemmMeasurement& row) const {
    return start_us_ + roofline_us(gpu_, gemm_work(row));
  }

  [[nodiscard]] Shape shape(const GemmMeasurement& row) const {
    return {std::log2(static_cast<double>(row.m)), std::log2(static_cast<double>(row.n)),
            std::log2(static_cast<double>(row.k)), std::log2(roofline_us(gpu_, gemm_work(row)))};
  }

  // Without a count of multiprocessors all products are alike in this.
  [[nodiscard]] Tiles tiles(const GemmMeasurement& row) const {
    const auto processors = static_cast<double>(gpu_.compute.multiprocessors);
    if (gpu_.compute.multiprocessors == 0) return Tiles::Zero();
    return {tile_loss(row, 128, 128, processors), tile_loss(row, 128, 256, processors),
            tile_loss(row, 256, 128, processors)};
  }

  // With every measured product.
  [[nodiscard]] Eigen::VectorXd covariances(const Shape& shape, const Tiles& tiles) const {
    const auto alike = [](const auto& points, const auto& point) {
      return ((points.colwise() - point).colwise().norm().array() * (-1 / octaves)).exp();
    };
    return (alike(shapes_, shape) + tile_variance * alike(tiles_, tiles)).matrix().transpose();
  }

  const models::GpuSpec& gpu_;
  double start_us_;
  double mean_ = 0;
  Eigen::Matrix<double, 4, Eigen::Dynamic> shapes_;  // a column a measured product
  Eigen::Matrix<double, 3, Eigen::Dynamic> tiles_;
  Eigen::VectorXd weights_;
};

// The nearest number with that many significant bits; the larger one half way.
std::int64_t rounded(std::int64_t number, int bits) {
  const int extra = 64 - std::countl_zero(static_cast<std::uint64_t>(number)) - bits;
  if (extra <= 0) return number;
  const std::int64_t step = std::int64_t{1} << extra;
  return (number + step / 2) / step * step;
}

template <class Number>
void sort_once_each(std::vector<Number>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

std::vector<std::int64_t> nodes(std::span<const GemmMeasurement> rows,
                                std::int64_t GemmMeasurement::* side, int bits) {
  std::vector<std::int64_t> found;
  for (const GemmMeasurement& row : rows) found.push_back(rounded(row.*side, bits));
  sort_once_each(found);
  return found;
}

std::vector<GemmMeasurement> chosen(models::DataType type, std::span<const GemmMeasurement> rows) {
  std::vector<GemmMeasurement> all;
  for (const GemmMeasurement& row : rows)
    if (row.type == type) all.push_back(row);
  std::ranges::stable_sort(all, {}, gemm_fingerprint);
  if (all.size() > most_fitted_rows) all.resize(most_fitted_rows);
  return all;
}

}  // namespace

GemmGrid fit_gemm(const models::GpuSpec& gpu, models::DataType type,
                  std::span<const GemmMeasurement> rows) {
  const std::vector<GemmMeasurement> fitted = chosen(type, rows);
  MEMSIM_CHECK(!fitted.empty(), "a fit needs measurements");
  GemmGrid grid;
  grid.type = type;
  grid.m = nodes(fitted, &GemmMeasurement::m, significant_bits);
  grid.n = nodes(fitted, &GemmMeasurement::n, significant_bits);
  grid.k = nodes(fitted, &GemmMeasurement::k, significant_bits_of_k);
  for (const GemmMeasurement& row : fitted) grid.fitted.push_back(gemm_fingerprint(row));
  sort_once_each(grid.fitted);

  const double least = std::ranges::min(fitted, {}, &GemmMeasurement::microseconds).microseconds;
  const auto start_ns = std::max<std::int64_t>(1, std::llround(least * 1000));
  grid.start = sim::Duration(start_ns * 1000);
  const Surface surface(gpu, static_cast<double>(start_ns) / 1000, fitted);
  GemmMeasurement product;
  product.type = type;
  for (const std::int64_t m : grid.m) {
    for (const std::int64_t n : grid.n) {
      for (const std::int64_t k : grid.k) {
        product.m = m;
        product.n = n;
        product.k = k;
        grid.efficiency.emplace_back(
            std::llround(surface.efficiency(product) * models::parts_per_million));
      }
    }
  }
  return grid;
}

}  // namespace memsim::validate
