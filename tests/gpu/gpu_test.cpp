// Device kernels against plain loops on the host, over all their types and edge shapes, and cuBLAS dots against sums in
// double. Prints one line a check; without a device: "skipped N checks", exit 77.
#include <cmath>
#include <cstring>
#include <functional>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/dot.h"
#include "runtime/cuda/cuda_device.h"
#include "runtime/cuda/device.h"
#include "runtime/cuda/library.h"
#include "runtime/inputs.h"
#include "tests/gpu/device_rows.h"
#include "tests/gpu/throughput.h"

namespace gg::cuda {
namespace {

constexpr std::int64_t kCounts[] = {0, 1, 3, 255, 256, 257, 100'003};

template <class T>
DeviceMemory upload(const std::vector<T>& values) {
  DeviceMemory memory(values.size() * sizeof(T));
  memory.from_host(values.data(), values.size() * sizeof(T));
  return memory;
}

template <class T>
std::vector<T> download(const DeviceMemory& memory) {
  memory.check();
  std::vector<T> values(memory.bytes() / sizeof(T));
  memory.to_host(values.data(), memory.bytes());
  return values;
}

template <class T>
std::vector<T> draw(std::int64_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values;
  for (std::int64_t k = 0; k < count; ++k) {
    const auto word = static_cast<std::int64_t>(random() % 2001) - 1000;
    values.push_back(static_cast<T>(static_cast<double>(word) / (std::is_integral_v<T> ? 1 : 7)));
  }
  return values;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class T>
bool check_binary(DeviceType type) {
  for (const std::int64_t count : kCounts) {
    const auto a = draw<T>(count, 1), b = draw<T>(count, 2);
    const DeviceMemory left = upload(a), right = upload(b);
    DeviceMemory out(static_cast<std::size_t>(count) * sizeof(T));
    for (const auto fn : {BinaryFn::Add, BinaryFn::Subtract, BinaryFn::Multiply, BinaryFn::Maximum, BinaryFn::Minimum}) {
      if (binary(fn, type, left.data(), right.data(), out.data(), count, nullptr) != 0) return false;
      std::vector<T> expected;
      for (std::size_t k = 0; k < a.size(); ++k) {
        const T x = a[k], y = b[k];
        expected.push_back(fn == BinaryFn::Add        ? static_cast<T>(x + y)
                           : fn == BinaryFn::Subtract ? static_cast<T>(x - y)
                           : fn == BinaryFn::Multiply ? static_cast<T>(x * y)
                           : fn == BinaryFn::Maximum  ? std::max(x, y)
                                                      : std::min(x, y));
      }
      if (!same_bits(download<T>(out), expected)) return false;
    }
  }
  return true;
}

template <class T>
bool check_fold(DeviceType type) {
  for (const std::int64_t reduced : {1, 2, 33, 500}) {
    const std::int64_t outer = 7, inner = 5;
    const auto x = draw<T>(outer * reduced * inner, 3);
    const DeviceMemory in = upload(x);
    DeviceMemory out(static_cast<std::size_t>(outer * inner) * sizeof(T)), all(x.size() * sizeof(T));
    if (fold(BinaryFn::Add, type, in.data(), out.data(), outer, reduced, inner, nullptr) != 0) return false;
    if (scan(BinaryFn::Add, type, in.data(), all.data(), outer, reduced, inner, nullptr) != 0) return false;
    std::vector<T> sums, prefixes(x.size());
    for (std::int64_t k = 0; k < outer * inner; ++k) {
      T sum{};
      for (std::int64_t r = 0; r < reduced; ++r) {
        const auto at = static_cast<std::size_t>(k / inner * reduced * inner + r * inner + k % inner);
        sum = r == 0 ? x[at] : static_cast<T>(sum + x[at]);
        prefixes[at] = sum;
      }
      sums.push_back(sum);
    }
    if (!same_bits(download<T>(out), sums) || !same_bits(download<T>(all), prefixes)) return false;
  }
  return true;
}

template <class T>
bool check_remap(DeviceType type) {
  // [5, 4] transposed, its rows reversed, padded by one before and two behind.
  const auto x = draw<T>(20, 4);
  Remap map;
  map.dims = 2;
  map.extents[0] = 7, map.extents[1] = 5;
  map.strides[0] = 1, map.strides[1] = -4;
  map.low[0] = 1, map.high[0] = 5;
  map.low[1] = 0, map.high[1] = 5;
  map.offset = 16 - 1;
  const DeviceMemory in = upload(x), fill = upload(std::vector<T>{static_cast<T>(9)});
  DeviceMemory out(35 * sizeof(T));
  if (remap(map, type, in.data(), fill.data(), out.data(), nullptr) != 0) return false;
  std::vector<T> expected;
  for (std::int64_t i = 0; i < 7; ++i) {
    for (std::int64_t j = 0; j < 5; ++j) {
      expected.push_back(i >= 1 && i < 5 ? x[static_cast<std::size_t>((4 - j) * 4 + i - 1)] : static_cast<T>(9));
    }
  }
  return same_bits(download<T>(out), expected);
}

bool check_philox() {
  constexpr std::int64_t kBlocks = 1000;
  DeviceMemory out(kBlocks * 16);
  const std::uint64_t first = 0xfffffff0ULL, key = 0x123456789abcdefULL;
  if (philox_blocks(key, 5, first, kBlocks, static_cast<std::uint32_t*>(out.data()), nullptr) != 0) return false;
  std::vector<std::uint32_t> expected;
  for (std::uint64_t k = 0; k < kBlocks; ++k) {
    const std::uint64_t index = first + k;
    const auto block = philox({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), 5, 0}, key);
    expected.insert(expected.end(), block.begin(), block.end());
  }
  return same_bits(download<std::uint32_t>(out), expected);
}

bool check_compare() {
  auto a = draw<double>(5000, 6), b = a;
  b[1234] = std::nextafter(b[1234], 1e9);
  b[4000] = std::nan("");
  a[17] = b[17] = std::nan("");
  const DeviceMemory left = upload(a), right = upload(b);
  DeviceMemory out = upload(std::vector<Comparison>{Comparison{}});
  if (compare(DeviceType::F64, left.data(), right.data(), 5000, static_cast<Comparison*>(out.data()), nullptr) != 0) {
    return false;
  }
  const Comparison found = download<Comparison>(out)[0];
  return found.first == 1234 && found.count == 2 && found.nan == 1 && found.largest_ulp == 1;
}

bool check_dot() {
  const Library library({"libcublas.so.13", "libcublas.so.12", "libcublas.so"});
  if (!library.open()) throw DeviceError{library.text()};
  Blas blas([&](const char* name) { return library.symbol(name); });
  for (const DotShape& s : {DotShape{1, 1, 1, 1}, DotShape{2, 3, 5, 7}, DotShape{4, 64, 33, 129}, DotShape{1, 2, 3, 0}}) {
    const auto a = draw<double>(s.batch * s.m * s.k, 7), w = draw<double>(s.batch * s.k * s.n, 8);
    const DeviceMemory left = upload(a), right = upload(w);
    DeviceMemory out(static_cast<std::size_t>(s.batch * s.m * s.n) * sizeof(double));
    if (blas.dot(DeviceType::F64, DeviceType::F64, s, left.data(), right.data(), out.data(), nullptr) != 0) return false;
    const auto c = download<double>(out);
    for (std::int64_t k = 0; k < s.batch * s.m * s.n; ++k) {
      const std::int64_t b = k / (s.m * s.n), i = k / s.n % s.m, j = k % s.n;
      double sum = 0, scale = 0;
      for (std::int64_t r = 0; r < s.k; ++r) {
        const double term = a[static_cast<std::size_t>((b * s.m + i) * s.k + r)] *
                            w[static_cast<std::size_t>((b * s.k + r) * s.n + j)];
        sum += term;
        scale += std::abs(term);
      }
      if (std::abs(c[static_cast<std::size_t>(k)] - sum) > 1e-15 * static_cast<double>(s.k + 1) * scale) return false;
    }
  }
  return true;
}

struct Check {
  const char* name;
  std::function<bool()> run;
};

}  // namespace
}  // namespace gg::cuda

int main(int argc, char** argv) {
  using namespace gg::cuda;
  std::vector<Check> checks = {
      {"binary f64", [] { return check_binary<double>(DeviceType::F64); }},
      {"binary f32", [] { return check_binary<float>(DeviceType::F32); }},
      {"binary s64", [] { return check_binary<std::int64_t>(DeviceType::S64); }},
      {"binary s32", [] { return check_binary<std::int32_t>(DeviceType::S32); }},
      {"fold and scan f64", [] { return check_fold<double>(DeviceType::F64); }},
      {"fold and scan f32", [] { return check_fold<float>(DeviceType::F32); }},
      {"fold and scan s64", [] { return check_fold<std::int64_t>(DeviceType::S64); }},
      {"remap f64", [] { return check_remap<double>(DeviceType::F64); }},
      {"remap s32", [] { return check_remap<std::int32_t>(DeviceType::S32); }},
      {"philox", check_philox},
      {"compare", check_compare},
      {"cuBLAS dots", check_dot},
  };
  const std::vector<gg::device::RowCheck> rows = gg::device::device_rows();
  if (device_count() == 0) {
    std::cout << "skipped " << checks.size() + rows.size() << " checks: no GPU that can be used\n";
    return 77;
  }
  if (argc == 2 && std::string(argv[1]) == "--throughput") return print_throughput();
  use_device(0);
  std::cout << describe(0) << "\n";
  int failed = 0;
  for (const Check& check : checks) {
    bool right = false;
    try {
      right = check.run();
    } catch (const DeviceError& error) {
      std::cout << error.message << "\n";
    }
    std::cout << (right ? "ok      " : "FAILED  ") << check.name << "\n";
    failed += right ? 0 : 1;
  }
  const auto device = make_cuda_device(0);
  for (const gg::device::RowCheck& row : rows) {
    std::string wrong;
    try {
      wrong = row.run(*device);
    } catch (const gg::device::Failure& failure) {
      wrong = failure.message;
    }
    std::cout << (wrong.empty() ? "ok      " : "FAILED  ") << row.name << (wrong.empty() ? "" : ": " + wrong) << "\n";
    failed += wrong.empty() ? 0 : 1;
  }
  std::cout << failed << " of " << checks.size() + rows.size() << " failed\n";
  return failed == 0 ? 0 : 1;
}
