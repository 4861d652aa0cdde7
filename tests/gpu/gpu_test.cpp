// A device against the operators' bodies, and cuBLAS dots against sums in double. Prints one line a check; without a device: "skipped N checks", exit 77.
#include <cmath>
#include <functional>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "kernels/cuda/dot.h"
#include "runtime/cuda/cuda_device.h"
#include "runtime/cuda/device.h"
#include "runtime/cuda/library.h"
#include "tests/gpu/device_rows.h"
#include "tests/gpu/throughput.h"

namespace gg::cuda {
namespace {

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

bool check_dot() {
  const Library library({"libcublas.so.13", "libcublas.so.12", "libcublas.so"});
  if (!library.open()) throw DeviceError{library.text()};
  Blas blas([&](const char* name) { return library.symbol(name); });
  for (const DotShape& s : {DotShape{1, 1, 1, 1}, DotShape{2, 3, 5, 7}, DotShape{4, 64, 33, 129}, DotShape{1, 2, 3, 0}}) {
    const auto a = draw<double>(s.batch * s.m * s.k, 7), w = draw<double>(s.batch * s.k * s.n, 8);
    const DeviceMemory left = upload(a), right = upload(w);
    DeviceMemory out(static_cast<std::size_t>(s.batch * s.m * s.n) * sizeof(double));
    if (blas.dot(device::Element::F64, device::Element::F64, s, left.data(), right.data(), out.data(), nullptr) != 0) return false;
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
