// The GPU that this process uses: memory, copies and the kernels of kernels/cuda, without CUDA's headers.
#pragma once

#include <cstddef>
#include <string>

namespace gg::cuda {

/// Number of devices that can be used; 0 without a driver.
int device_count();
/// `NVIDIA H100, 80 GiB, driver 13.0`
std::string describe(int device);
/// Chooses the device of this process. Throws DeviceError.
void use_device(int device);

/// Why a CUDA call failed: its name and CUDA's sentence.
struct DeviceError {
  std::string message;
};

/// An owned piece of device memory, with sentinel bytes behind it that check() inspects. Taken and given back in the order of the default stream. Move-only.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  explicit DeviceMemory(std::size_t bytes);
  ~DeviceMemory();
  DeviceMemory(DeviceMemory&& other) noexcept;
  DeviceMemory& operator=(DeviceMemory&& other) noexcept;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  void* data() { return data_; }
  const void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  void from_host(const void* source, std::size_t bytes, std::size_t offset = 0);
  void to_host(void* target, std::size_t bytes, std::size_t offset = 0) const;
  /// Throws DeviceError if something wrote behind the end.
  void check() const;

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A stream of this process. What it runs waits for what the default stream was given before, so that copies to the device have arrived.
class Stream {
 public:
  Stream();
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  void* handle() const { return handle_; }
  /// Done? Throws DeviceError when the device reports an error.
  bool done() const;
  void wait() const;

 private:
  void* handle_ = nullptr;
};

}  // namespace gg::cuda
