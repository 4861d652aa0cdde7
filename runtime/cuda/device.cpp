#include "runtime/cuda/device.h"

#include <cuda_runtime.h>

#include <array>
#include <utility>

namespace gg::cuda {
namespace {

constexpr std::size_t kGuardBytes = 256;
constexpr unsigned char kSentinel = 0xa5;
constexpr std::uint64_t kKept = std::uint64_t{1} << 28U;  ///< bytes that a process keeps of what it freed; others use the device too

void check_call(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw DeviceError{std::string(what) + ": " + cudaGetErrorString(error)};
}

cudaStream_t stream_of(void* handle) { return static_cast<cudaStream_t>(handle); }

}  // namespace

int device_count() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

std::string describe(int device) {
  cudaDeviceProp properties{};
  int driver = 0;
  check_call(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  check_call(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  return std::string(properties.name) + ", " + std::to_string(properties.totalGlobalMem >> 30U) + " GiB, driver " +
         std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
}

void use_device(int device) {
  check_call(cudaSetDevice(device), "cudaSetDevice");
  cudaMemPool_t pool = nullptr;
  check_call(cudaDeviceGetDefaultMemPool(&pool, device), "cudaDeviceGetDefaultMemPool");
  std::uint64_t kept = kKept;
  check_call(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept), "cudaMemPoolSetAttribute");
}

// From the device's pool, in the order of the default stream: neither taking memory nor giving it back waits for the device.
DeviceMemory::DeviceMemory(std::size_t bytes) : bytes_(bytes) {
  check_call(cudaMallocAsync(&data_, bytes + kGuardBytes, nullptr), "cudaMallocAsync");
  check_call(cudaMemsetAsync(static_cast<char*>(data_) + bytes, kSentinel, kGuardBytes, nullptr), "cudaMemsetAsync");
}

DeviceMemory::~DeviceMemory() {
  if (data_ != nullptr) cudaFreeAsync(data_, nullptr);
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void DeviceMemory::from_host(const void* source, std::size_t bytes, std::size_t offset) {
  if (bytes == 0) return;
  if (offset + bytes > bytes_) throw DeviceError{"a copy beyond the end of device memory"};
  check_call(cudaMemcpy(static_cast<char*>(data_) + offset, source, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
}

void DeviceMemory::to_host(void* target, std::size_t bytes, std::size_t offset) const {
  if (bytes == 0) return;
  if (offset + bytes > bytes_) throw DeviceError{"a copy beyond the end of device memory"};
  check_call(cudaMemcpy(target, static_cast<const char*>(data_) + offset, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
}

void DeviceMemory::check() const {
  if (data_ == nullptr) return;
  std::array<unsigned char, kGuardBytes> guard{};
  check_call(cudaMemcpy(guard.data(), static_cast<const char*>(data_) + bytes_, sizeof(guard), cudaMemcpyDeviceToHost), "cudaMemcpy");
  for (const unsigned char byte : guard) {
    if (byte != kSentinel) throw DeviceError{"a kernel wrote behind the end of its buffer"};
  }
}

Stream::Stream() {
  cudaStream_t stream = nullptr;
  check_call(cudaStreamCreateWithFlags(&stream, cudaStreamDefault), "cudaStreamCreate");
  handle_ = stream;
}

Stream::~Stream() {
  if (handle_ != nullptr) cudaStreamDestroy(stream_of(handle_));
}

bool Stream::done() const {
  const cudaError_t state = cudaStreamQuery(stream_of(handle_));
  if (state == cudaErrorNotReady) return false;
  check_call(state, "cudaStreamQuery");
  return true;
}

void Stream::wait() const { check_call(cudaStreamSynchronize(stream_of(handle_)), "cudaStreamSynchronize"); }

}  // namespace gg::cuda
