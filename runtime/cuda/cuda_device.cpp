#include "runtime/cuda/cuda_device.h"

#include <cuda_runtime.h>

#include <stdexcept>

#include "kernels/cuda/dot.h"
#include "kernels/cuda/interpret.h"
#include "models/base/diag.h"
#include "runtime/cuda/device.h"
#include "runtime/cuda/library.h"

namespace gg::cuda {
namespace {

using device::Block;
using device::Code;
using device::Failure;
using device::Launch;
using device::Product;

class CudaBlock final : public Block {
 public:
  explicit CudaBlock(std::size_t bytes) : memory_(bytes) {}
  void* data() override { return memory_.data(); }
  std::size_t bytes() const override { return memory_.bytes(); }
  DeviceMemory& memory() { return memory_; }
  const DeviceMemory& memory() const { return memory_; }

 private:
  DeviceMemory memory_;
};

const DeviceMemory& memory_of(const Block& block) { return static_cast<const CudaBlock&>(block).memory(); }

template <class T>
DeviceMemory place(const std::vector<T>& values) {
  DeviceMemory memory(values.size() * sizeof(T));
  memory.from_host(values.data(), values.size() * sizeof(T));
  return memory;
}

class CudaDevice final : public device::Device {
 public:
  explicit CudaDevice(int number) : name_(describe(number)), library_({"libcublas.so.13", "libcublas.so.12", "libcublas.so"}) {
    use_device(number);
    if (library_.open()) {
      blas_ = std::make_unique<Blas>([this](const char* name) { return library_.symbol(name); });
    } else {
      name_ += ", no cuBLAS: " + library_.text();
    }
  }

  std::string name() const override { return name_; }
  std::shared_ptr<Block> allocate(std::size_t bytes) override {
    return guarded([&] { return std::make_shared<CudaBlock>(bytes); });
  }
  void upload(Block& to, const void* from, std::size_t bytes) override {
    guarded([&] { static_cast<CudaBlock&>(to).memory().from_host(from, bytes); });
    ++counts.uploads;
    counts.upload_bytes += static_cast<std::int64_t>(bytes);
  }
  void download(const Block& from, void* to, std::size_t bytes) override {
    guarded([&] {
      memory_of(from).check();
      memory_of(from).to_host(to, bytes);
    });
    ++counts.downloads;
    counts.download_bytes += static_cast<std::int64_t>(bytes);
  }

  void run(const Code& code, std::span<const Block* const> operands, Block& out) override {
    guarded([&] {
      Launch launch = device::launch_of(code);
      DeviceMemory steps, tables;
      if (!is_short(code.steps.size(), code.tables.size())) {
        steps = place(code.steps);
        tables = place(code.tables);
        launch.steps = static_cast<const device::Step*>(steps.data());
        launch.tables = static_cast<const std::int64_t*>(tables.data());
      }
      for (std::size_t k = 0; k < operands.size(); ++k) launch.operands[k] = memory_of(*operands[k]).data();
      launch.out = out.data();
      check(run_steps(launch, code.steps, code.tables, nullptr));
    });
    ++counts.launches;
  }

  bool multiply(const Product& p, const Block& a, const Block& w, Block& c) override {
    if (blas_ == nullptr || !Blas::multiplies(p.in) || !Blas::multiplies(p.out)) return false;
    const DotShape shape{p.batch, p.m, p.n, p.k};
    const int status = blas_->dot(p.in, p.out, shape, memory_of(a).data(), memory_of(w).data(), c.data(), nullptr);
    if (status != 0) throw Failure{"cuBLAS: status " + std::to_string(status)};
    ++counts.products;
    return true;
  }

 private:
  static void check(int error) {
    if (error != 0) throw DeviceError{cudaGetErrorString(static_cast<cudaError_t>(error))};
  }
  template <class F>
  static auto guarded(F f) -> decltype(f()) {
    try {
      return f();
    } catch (const DeviceError& error) {
      throw Failure{error.message};
    }
  }

  std::string name_;
  Library library_;
  std::unique_ptr<Blas> blas_;
};

}  // namespace

std::unique_ptr<device::Device> make_cuda_device(int number) {
  const int devices = device_count();
  if (devices == 0) throw InputError(DiagCode::Usage, {}, "--device cuda: no GPU that can be used");
  try {
    return std::make_unique<CudaDevice>(number % devices);
  } catch (const DeviceError& error) {
    throw InputError(DiagCode::Usage, {}, "--device cuda: " + error.message);
  } catch (const std::runtime_error& error) {
    throw InputError(DiagCode::Usage, {}, std::string("--device cuda: ") + error.what());
  }
}

}  // namespace gg::cuda
