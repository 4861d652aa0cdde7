#include "tests/gpu/throughput.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include "kernels/cuda/dot.h"
#include "runtime/cuda/cuda_device.h"
#include "runtime/cuda/device.h"
#include "runtime/cuda/library.h"

namespace gg::cuda {
namespace {

constexpr int kRounds = 10;

/// Best of some rounds, in seconds, by the device's own clock.
double device_seconds(const std::function<void()>& work) {
  cudaEvent_t first = nullptr, last = nullptr;
  cudaEventCreate(&first);
  cudaEventCreate(&last);
  double best = 1e30;
  for (int round = 0; round < kRounds; ++round) {
    cudaEventRecord(first);
    work();
    cudaEventRecord(last);
    cudaEventSynchronize(last);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, first, last);
    best = std::min(best, milliseconds * 1e-3);
  }
  cudaEventDestroy(first);
  cudaEventDestroy(last);
  return best;
}

/// The same by the host's clock, with everything that a run does around the work.
double host_seconds(const std::function<void()>& work) {
  double best = 1e30;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    work();
    cudaDeviceSynchronize();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

double peak_bytes_a_second() {
  int clock = 0, width = 0;  // kHz, bits; two transfers a clock
  cudaDeviceGetAttribute(&clock, cudaDevAttrMemoryClockRate, 0);
  cudaDeviceGetAttribute(&width, cudaDevAttrGlobalMemoryBusWidth, 0);
  return 2.0 * clock * 1e3 * width / 8;
}

void copies(double peak) {
  const std::size_t bytes = std::size_t{1} << 28;
  DeviceMemory a(bytes), b(bytes);
  const double seconds = device_seconds([&] { cudaMemcpyAsync(b.data(), a.data(), bytes, cudaMemcpyDeviceToDevice); });
  const double rate = 2.0 * static_cast<double>(bytes) / seconds;
  std::printf("copy of %zu bytes: %.3f ms, %.0f GB/s, %.0f %% of %.0f GB/s\n", bytes, seconds * 1e3, rate * 1e-9, 100 * rate / peak, peak * 1e-9);
}

/// x + y of `count` elements as steps: by the host's clock, an operator after the other.
double addition(device::Device& device, std::int64_t count, int operators) {
  Arena arena;
  const std::vector<LinId> at = {arena.var(0, count)};
  const ExprId kids[] = {arena.read(0, ElementType::F32, at), arena.read(1, ElementType::F32, at)};
  const Body body{ElementType::F32, {count}, arena.fn(ScalarFn::Add, ElementType::F32, kids)};
  const std::vector<ElementType> types(2, ElementType::F32);
  const std::vector<std::vector<std::int64_t>> extents(2, {count});
  const auto code = device::lower(arena, body, types, extents, NumberMode::Model);
  const auto bytes = static_cast<std::size_t>(count) * 4;
  const auto a = device.allocate(bytes), b = device.allocate(bytes);
  const device::Block* const operands[] = {a.get(), b.get()};
  return host_seconds([&] {
           for (int k = 0; k < operators; ++k) device.run(*code, operands, *device.allocate(bytes));
         }) /
         operators;
}

void steps(device::Device& device, double peak) {
  const std::int64_t count = std::int64_t{1} << 24;
  const double seconds = addition(device, count, 1), rate = 12.0 * static_cast<double>(count) / seconds;
  std::printf("add f32[%lld] as steps of a body: %.3f ms, %.0f GB/s, %.0f %% of the device's\n", static_cast<long long>(count),
              seconds * 1e3, rate * 1e-9, 100 * rate / peak);
  constexpr int kOperators = 1000;
  std::printf("an operator of 64 elements, its result's memory taken and given back: %.1f us\n", addition(device, 64, kOperators) * 1e6);
}

void products(device::Device& device) {
  const Library library({"libcublas.so.13", "libcublas.so.12", "libcublas.so"});
  if (!library.open()) {
    std::printf("skipped products: %s\n", library.text().c_str());
    return;
  }
  Blas blas([&](const char* name) { return library.symbol(name); });
  const std::int64_t n = 4096;
  const auto bytes = static_cast<std::size_t>(n * n * 4);
  const auto a = device.allocate(bytes), b = device.allocate(bytes), c = device.allocate(bytes);
  const DotShape shape{1, n, n, n};
  const double alone = device_seconds([&] { blas.dot(device::Element::F32, device::Element::F32, shape, a->data(), b->data(), c->data(), nullptr); });
  const device::Product product{device::Element::F32, device::Element::F32, 1, n, n, n};
  const double whole = host_seconds([&] { device.multiply(product, *a, *b, *c); });
  std::printf("dot f32[%lld,%lld]: %.3f ms, cuBLAS alone %.3f ms, ratio %.2f\n", static_cast<long long>(n), static_cast<long long>(n),
              whole * 1e3, alone * 1e3, whole / alone);
}

}  // namespace

int print_throughput() {
  use_device(0);
  const auto device = make_cuda_device(0);
  std::printf("%s\n", device->name().c_str());
  const double peak = peak_bytes_a_second();
  copies(peak);
  steps(*device, peak);
  products(*device);
  return 0;
}

}  // namespace gg::cuda
