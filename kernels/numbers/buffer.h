// Storage of values in runs: which number type a run computes in, and owned arrays of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "kernels/numbers/ball.h"
#include "models/type/type.h"

namespace gg {

/// Number type of a run (docs/design.md). Integers and pred are exact int64 in every mode.
enum class NumberMode : std::uint8_t {
  Real,     ///< balls of 128 bits: encloses the exact run
  Real256,  ///< balls of 256 bits, for what those leave open
  Real512,  ///< and of 512
  F64,      ///< every float type computed in double
  F32,      ///< every float type rounded to f32 after each operation
  Model,    ///< each float type rounded to itself after each operation; bf16/f16 accumulate in f32
};

enum class Storage : std::uint8_t { Int64,
                                    Double,
                                    Bits128,
                                    Bits256,
                                    Bits512 };

/// f(T{}) for the type T that a storage holds.
template <class F>
decltype(auto) with_storage(Storage storage, const F& f) {
  switch (storage) {
    case Storage::Int64: return f(std::int64_t{});
    case Storage::Double: return f(double{});
    case Storage::Bits128: return f(Ball128{});
    case Storage::Bits256: return f(Ball256{});
    case Storage::Bits512: break;
  }
  return f(Ball512{});
}
template <class T>
inline constexpr bool kIsBall = std::is_same_v<T, Ball128> || std::is_same_v<T, Ball256> || std::is_same_v<T, Ball512>;

inline bool is_ball(Storage storage) { return storage >= Storage::Bits128; }

/// Is this a run of balls?
constexpr bool is_real(NumberMode mode) { return mode == NumberMode::Real || mode == NumberMode::Real256 || mode == NumberMode::Real512; }
/// The next precision; nothing after the last.
std::optional<NumberMode> finer(NumberMode mode);

/// Storage of an element type in a mode: integral -> Int64; floats -> Double (F64, F32, Model) or the mode's balls.
Storage storage_of(ElementType type, NumberMode mode);
std::size_t bytes_of(Storage storage);

/// An owned, 64-byte aligned array of one storage type. Move-only; zero-initialised.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Storage storage, std::int64_t count);
  Storage storage() const { return storage_; }
  std::int64_t count() const { return count_; }
  std::size_t bytes() const { return static_cast<std::size_t>(count_) * bytes_of(storage_); }
  template <class T>
  std::span<T> as();  ///< T matches storage()
  template <class T>
  std::span<const T> as() const;
  void* data() { return data_.get(); }
  const void* data() const { return data_.get(); }
  Buffer clone() const;

 private:
  struct Free {
    void operator()(void* p) const;
  };
  Storage storage_ = Storage::Double;
  std::int64_t count_ = 0;
  std::unique_ptr<void, Free> data_;
};

/// Element `k` of any storage, rounded to double.
double number_at(const Buffer& values, std::size_t k);
std::vector<double> numbers_of(const Buffer& values);
/// Of its ball; zero where the storage has none.
double radius_at(const Buffer& values, std::size_t k);

/// Bytes held by all live buffers, for the memory budget.
std::size_t live_buffer_bytes();

}  // namespace gg
