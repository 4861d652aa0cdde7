// The host as a device: memory of its own between sentinel words, so that transfers, counts and stray writes are those of a
// real device, and the same steps.
#include <cstring>

#include "kernels/device/device.h"
#include "kernels/device/interpret.h"

namespace gg::device {
namespace {

constexpr std::size_t kGuard = 64;
constexpr unsigned char kSentinel = 0xa5;

class HostBlock final : public Block {
 public:
  explicit HostBlock(std::size_t bytes) : bytes_(bytes), memory_(bytes + kGuard, std::byte{kSentinel}) {}
  void* data() override { return memory_.data(); }
  const std::byte* bytes_begin() const { return memory_.data(); }
  std::size_t bytes() const override { return bytes_; }
  void check() const {
    for (std::size_t k = bytes_; k < memory_.size(); ++k) {
      if (memory_[k] != std::byte{kSentinel}) throw Failure{"something wrote behind the end of a block of the host device"};
    }
  }

 private:
  std::size_t bytes_;
  std::vector<std::byte> memory_;
};

const HostBlock& of(const Block& block) { return static_cast<const HostBlock&>(block); }

template <class T>
T as_number(Element type, const Block& block, std::int64_t at) {
  const std::uint64_t bits = load(type, of(block).bytes_begin(), at);
  if constexpr (sizeof(T) == 8) return bits_as<double>(bits);
  else return single_of(bits);
}

template <class T>
void multiply_in(const Product& p, const Block& a, const Block& w, Block& c) {
  for (std::int64_t k = 0; k < p.batch * p.m * p.n; ++k) {
    const std::int64_t b = k / (p.m * p.n), i = k / p.n % p.m, j = k % p.n;
    T sum = 0;
    for (std::int64_t r = 0; r < p.k; ++r) {
      sum += as_number<T>(p.in, a, (b * p.m + i) * p.k + r) * as_number<T>(p.in, w, (b * p.k + r) * p.n + j);
    }
    std::uint64_t bits = 0;
    if constexpr (sizeof(T) == 8) bits = converted(p.out, Element::F64, bits_as<std::uint64_t>(sum));
    else bits = converted(p.out, Element::F32, bits_of_single(sum));
    store(p.out, c.data(), k, bits);
  }
}

class HostDevice final : public Device {
 public:
  std::string name() const override { return "host"; }
  std::shared_ptr<Block> allocate(std::size_t bytes) override { return std::make_shared<HostBlock>(bytes); }
  void upload(Block& to, const void* from, std::size_t bytes) override {
    if (bytes > to.bytes()) throw Failure{"an upload beyond the end of a block"};
    if (bytes != 0) std::memcpy(to.data(), from, bytes);
    ++counts.uploads;
    counts.upload_bytes += static_cast<std::int64_t>(bytes);
  }
  void download(const Block& from, void* to, std::size_t bytes) override {
    if (bytes > from.bytes()) throw Failure{"a download beyond the end of a block"};
    of(from).check();
    if (bytes != 0) std::memcpy(to, of(from).bytes_begin(), bytes);
    ++counts.downloads;
    counts.download_bytes += static_cast<std::int64_t>(bytes);
  }
  void run(const Code& code, std::span<const Block* const> operands, Block& out) override {
    Launch launch = launch_of(code);
    launch.steps = code.steps.data();
    launch.tables = code.tables.data();
    for (std::size_t k = 0; k < operands.size(); ++k) launch.operands[k] = of(*operands[k]).bytes_begin();
    launch.out = out.data();
    for (std::int64_t k = 0; k < code.elements; ++k) run_element(launch, launch.steps, launch.tables, k);
    ++counts.launches;
  }
  bool multiply(const Product& p, const Block& a, const Block& w, Block& c) override {
    if (!is_float(p.in) || !is_float(p.out)) return false;
    if (p.in == Element::F64) multiply_in<double>(p, a, w, c);
    else multiply_in<float>(p, a, w, c);
    ++counts.products;
    return true;
  }
};

}  // namespace

Launch launch_of(const Code& code) {
  Launch launch;
  launch.count = static_cast<std::int32_t>(code.steps.size());
  launch.result = code.result;
  launch.type = code.type;
  launch.dims = static_cast<std::int32_t>(code.extents.size());
  launch.levels = code.levels;
  for (std::size_t d = 0; d < code.extents.size(); ++d) launch.extents[d] = code.extents[d];
  launch.elements = code.elements;
  return launch;
}

std::unique_ptr<Device> host_device() { return std::make_unique<HostDevice>(); }

std::vector<std::byte> to_elements(const Buffer& values, Element type) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(values.count()) * static_cast<std::size_t>(bytes_of(type)));
  for (std::int64_t k = 0; k < values.count(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    std::uint64_t bits = 0;
    if (values.storage() == Storage::Int64) bits = static_cast<std::uint64_t>(values.as<std::int64_t>()[at]);
    else if (type == Element::F64) bits = bits_as<std::uint64_t>(values.as<double>()[at]);
    else bits = bits_of_single(rounded_from_f64(type, values.as<double>()[at]));
    store(type, bytes.data(), k, bits);
  }
  return bytes;
}

void from_elements(std::span<const std::byte> bytes, Element type, Buffer& values) {
  for (std::int64_t k = 0; k < values.count(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const std::uint64_t bits = load(type, bytes.data(), k);
    if (values.storage() == Storage::Int64) values.as<std::int64_t>()[at] = static_cast<std::int64_t>(bits);
    else values.as<double>()[at] = type == Element::F64 ? bits_as<double>(bits) : static_cast<double>(single_of(bits));
  }
}

}  // namespace gg::device
