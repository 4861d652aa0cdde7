// Storage types of modes, and the one allocator of run values with its count of live bytes.
#include "kernels/numbers/buffer.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "kernels/numbers/parallel.h"
#include "models/base/check.h"

namespace gg {
namespace {

constexpr std::size_t kAlignment = 64;
/// Bytes of all live blocks. The only state of this library that outlives a call: the memory budget reads it.
std::atomic<std::size_t> live_bytes{0};

/// From here on a block is mapped by itself: an allocator keeps what is freed, and holes of this size (a table of embeddings)
/// are seldom filled again.
constexpr std::size_t kMapped = std::size_t{256} << 20;

void* take(std::size_t padded) {
#ifdef __linux__
  if (padded >= kMapped) {
    void* const block = ::mmap(nullptr, padded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) throw std::bad_alloc();
    return block;
  }
#endif
  void* const block = std::aligned_alloc(kAlignment, padded);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void give_back(void* block, std::size_t padded) {
#ifdef __linux__
  if (padded >= kMapped) {
    ::munmap(block, padded);
    return;
  }
#endif
  static_cast<void>(padded);
  std::free(block);
}

/// A block is preceded by one aligned header that holds its size.
void* allocate(std::size_t bytes) {
  const std::size_t padded = (bytes + kAlignment - 1) / kAlignment * kAlignment + kAlignment;
  if (padded < bytes) throw std::bad_alloc();
  auto* block = static_cast<unsigned char*>(take(padded));
  std::memcpy(block, &padded, sizeof padded);
  live_bytes += padded;
  return block + kAlignment;
}

/// Fresh pages are made when they are first written, which takes longer than the zeros: on all cores where it matters.
void zero(void* block, std::size_t bytes) {
  constexpr std::size_t kPart = std::size_t{4} << 20;
  auto* const to = static_cast<unsigned char*>(block);
  if (bytes < 2 * kPart) {
    std::memset(to, 0, bytes);
    return;
  }
  for_each_part(static_cast<std::int64_t>((bytes + kPart - 1) / kPart), [=](std::int64_t part) {
    const std::size_t first = static_cast<std::size_t>(part) * kPart;
    std::memset(to + first, 0, std::min(kPart, bytes - first));
  });
}

template <class T>
bool holds(Storage storage) {
  return with_storage(storage, [](auto element) { return std::is_same_v<decltype(element), T>; });
}

}  // namespace

Storage storage_of(ElementType type, NumberMode mode) {
  if (is_integral(type)) return Storage::Int64;
  GG_CHECK(is_float(type), "no number storage for " + std::string(info(type).name));
  switch (mode) {
    case NumberMode::Real: return Storage::Bits128;
    case NumberMode::Real256: return Storage::Bits256;
    case NumberMode::Real512: return Storage::Bits512;
    default: return Storage::Double;
  }
}

std::optional<NumberMode> finer(NumberMode mode) {
  if (mode == NumberMode::Real) return NumberMode::Real256;
  if (mode == NumberMode::Real256) return NumberMode::Real512;
  return std::nullopt;
}

std::size_t bytes_of(Storage storage) {
  return with_storage(storage, [](auto element) { return sizeof element; });
}

void Buffer::Free::operator()(void* p) const {
  if (p == nullptr) return;
  auto* block = static_cast<unsigned char*>(p) - kAlignment;
  std::size_t padded = 0;
  std::memcpy(&padded, block, sizeof padded);
  live_bytes -= padded;
  give_back(block, padded);
}

Buffer::Buffer(Storage storage, std::int64_t count) : storage_(storage), count_(count) {
  GG_CHECK(count >= 0 && count <= kMaxElements, "buffer of " + std::to_string(count) + " elements");
  data_.reset(allocate(bytes()));
  zero(data_.get(), bytes());
}

Buffer Buffer::clone() const {
  Buffer copy;
  copy.storage_ = storage_;
  copy.count_ = count_;
  if (data_ != nullptr) {
    copy.data_.reset(allocate(bytes()));
    std::memcpy(copy.data_.get(), data_.get(), bytes());
  }
  return copy;
}

template <class T>
std::span<T> Buffer::as() {
  GG_CHECK(holds<T>(storage_), "buffer read as another storage type");
  return {static_cast<T*>(data_.get()), static_cast<std::size_t>(count_)};
}
template <class T>
std::span<const T> Buffer::as() const {
  GG_CHECK(holds<T>(storage_), "buffer read as another storage type");
  return {static_cast<const T*>(data_.get()), static_cast<std::size_t>(count_)};
}

#define GG_STORED(T)                  \
  template std::span<T> Buffer::as(); \
  template std::span<const T> Buffer::as() const;
GG_STORED(std::int64_t)
GG_STORED(double)
GG_STORED(Ball128)
GG_STORED(Ball256)
GG_STORED(Ball512)
#undef GG_STORED

std::size_t live_buffer_bytes() { return live_bytes; }

namespace {

template <class T>
double double_of(const T& x) {
  if constexpr (kIsBall<T>) return BallOps<T>::to_double(x);
  else return static_cast<double>(x);
}

}  // namespace

double number_at(const Buffer& values, std::size_t k) {
  return with_storage(values.storage(), [&](auto element) { return double_of(values.as<decltype(element)>()[k]); });
}

std::vector<double> numbers_of(const Buffer& values) {
  return with_storage(values.storage(), [&](auto element) {
    std::vector<double> out;
    out.reserve(static_cast<std::size_t>(values.count()));
    for (const auto& x : values.as<decltype(element)>()) out.push_back(double_of(x));
    return out;
  });
}

double radius_at(const Buffer& values, std::size_t k) {
  return with_storage(values.storage(), [&](auto element) {
    using T = decltype(element);
    if constexpr (kIsBall<T>) return BallOps<T>::radius(values.as<T>()[k]);
    else return 0.0;
  });
}

}  // namespace gg
