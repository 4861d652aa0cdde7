// What runs operators on a device: memory with sentinel words, copies, bodies as steps, matrix products. Two implementations:
// the host itself (for tests: the same steps, buffers and counts) and CUDA (runtime/cuda/cuda_device.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/device/code.h"
#include "kernels/plan/plan.h"

namespace gg::device {

/// How an element type of a run lies in device memory; nothing for types that devices do not take (4 bits, 8-bit floats, complex,
/// and reals beyond f64).
std::optional<Element> element_of(ElementType type, NumberMode mode);

/// A compiled body.
struct Code {
  std::vector<Step> steps;
  std::vector<std::int64_t> tables;
  Element type = Element::F64;
  std::int32_t result = 0, levels = 0;
  std::vector<std::int64_t> extents;
  std::int64_t elements = 0;
};

/// Nothing where the body needs more registers, operands or types than devices have: then the host runs it.
std::optional<Code> lower(const Arena& arena, const Body& body, std::span<const ElementType> types,
                          std::span<const std::vector<std::int64_t>> extents, NumberMode mode);

/// A run of the code; where its steps, tables, operands and result lie is for the device to say.
Launch launch_of(const Code& code);

/// c[b, m, n] = sum_k a[b, m, k] * w[b, k, n], row-major. Narrow floats accumulate in f32 and round once.
struct Product {
  Element in = Element::F32, out = Element::F32;
  std::int64_t batch = 1, m = 0, n = 0, k = 0;
};

/// What a device did, for reports and tests.
struct Counts {
  std::int64_t launches = 0, products = 0, uploads = 0, downloads = 0, upload_bytes = 0, download_bytes = 0;
  std::int64_t host_operators = 0;  ///< instructions that the host ran between
};

/// A piece of device memory, freed with its last owner.
class Block {
 public:
  virtual ~Block() = default;
  virtual void* data() = 0;
  virtual std::size_t bytes() const = 0;
};

/// The device failed or a sentinel word was overwritten; the sentence says which.
struct Failure {
  std::string message;
};

/// Calls run in order; results are complete when download returns. Everything throws Failure.
class Device {
 public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;  ///< `host`, `NVIDIA H100, ...`
  virtual std::shared_ptr<Block> allocate(std::size_t bytes) = 0;
  virtual void upload(Block& to, const void* from, std::size_t bytes) = 0;
  /// Also checks the sentinels of the block.
  virtual void download(const Block& from, void* to, std::size_t bytes) = 0;
  virtual void run(const Code& code, std::span<const Block* const> operands, Block& out) = 0;
  /// False where the device has no such product.
  virtual bool multiply(const Product& product, const Block& a, const Block& w, Block& c) = 0;
  Counts counts;
};

/// The host as a device.
std::unique_ptr<Device> host_device();

/// Values of a run (Double or Int64) as elements of device memory, and back.
std::vector<std::byte> to_elements(const Buffer& values, Element type);
void from_elements(std::span<const std::byte> bytes, Element type, Buffer& values);

}  // namespace gg::device
