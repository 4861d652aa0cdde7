// Storage of values in runs: which number type a run computes in, and owned arrays of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "kernels/numbers/real.h"
#include "models/type/type.h"

namespace gg {

/// Number type of a run (architecture.md, section 6). Integers and pred are exact int64 in every mode.
enum class NumberMode : std::uint8_t {
  Real,     ///< 113 bits, wide exponent: the exact run
  Real226,  ///< 226 bits: confirmation
  F64,      ///< every float type computed in double
  F32,      ///< every float type rounded to f32 after each operation
  Model,    ///< each float type rounded to itself after each operation; bf16/f16 accumulate in f32
};

enum class Storage : std::uint8_t { Int64, Double, Real113, Real226 };

/// Storage of an element type in a mode: integral -> Int64; floats -> Double (F64, F32, Model), Real113 or Real226.
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
  std::span<T> as();  ///< T matches storage(): std::int64_t, double, Real113, Real226
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

/// Bytes held by all live buffers, for the memory budget.
std::size_t live_buffer_bytes();

}  // namespace gg
