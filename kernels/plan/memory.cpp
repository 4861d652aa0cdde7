// Moving elements: three loops, instantiated for each storage.
#include "kernels/plan/memory.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "models/base/check.h"

namespace gg::plan {

namespace {

template <class T>
T* as(void* p) {
  return static_cast<T*>(p);
}
template <class T>
const T* as(const void* p) {
  return static_cast<const T*>(p);
}

// Doubles what is written: memcpy is faster than a loop of stores.
template <class T>
void fill(T* to, const T& value, std::int64_t n) {
  constexpr std::int64_t kFirst = 8;
  for (std::int64_t k = 0; k < std::min(n, kFirst); ++k) to[k] = value;
  for (std::int64_t done = kFirst; done < n; done *= 2) {
    std::memcpy(to + done, to, static_cast<std::size_t>(std::min(done, n - done)) * sizeof(T));
  }
}

template <class T>
void copy_two(T* to, const T* from, const CopyLoop& a, const CopyLoop& b) {
  for (std::int64_t i = 0; i < a.extent; ++i, to += a.to, from += a.from) {
    if (b.to == 1 && b.from == 1) {
      std::memcpy(to, from, static_cast<std::size_t>(b.extent) * sizeof(T));
    } else if (b.to == 1 && b.from == 0) {
      fill(to, *from, b.extent);
    } else if (b.to == 1) {
      for (std::int64_t k = 0; k < b.extent; ++k) to[k] = from[k * b.from];
    } else {
      for (std::int64_t k = 0; k < b.extent; ++k) to[k * b.to] = from[k * b.from];
    }
  }
}

template <class T>
void copy_loops(T* to, const T* from, std::span<const CopyLoop> loops) {
  if (loops.empty()) {
    *to = *from;
  } else if (loops.size() == 1) {
    copy_two(to, from, {1, 0, 0}, loops[0]);
  } else if (loops.size() == 2) {
    copy_two(to, from, loops[0], loops[1]);
  } else {
    for (std::int64_t i = 0; i < loops[0].extent; ++i) {
      copy_loops(to + i * loops[0].to, from + i * loops[0].from, loops.subspan(1));
    }
  }
}

}  // namespace

void copy_box(Storage storage, void* to, const void* from, std::span<const CopyLoop> loops) {
  std::vector<CopyLoop> order;
  for (const CopyLoop& l : loops) {
    if (l.extent == 0) return;
    if (l.extent != 1) order.push_back(l);
  }
  // The loop that writes contiguously goes inside, unless it is very short and another reads contiguously.
  std::stable_sort(order.begin(), order.end(), [](const CopyLoop& a, const CopyLoop& b) {
    const auto rank = [](const CopyLoop& l) { return (l.to == 1 ? 2 : 0) + (l.from == 1 && l.extent >= 8 ? 1 : 0); };
    return rank(a) < rank(b);
  });
  with_storage(storage, [&](auto cell) {
    using T = decltype(cell);
    copy_loops(as<T>(to), as<T>(from), std::span<const CopyLoop>(order));
  });
}

void gather_row(Storage storage, void* to, const void* from, const std::int64_t* address, std::int64_t n,
                std::int64_t count) {
  std::int64_t least = 0, most = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    least = std::min(least, address[k]);
    most = std::max(most, address[k]);
  }
  GG_CHECK(least >= 0 && most < count, "read out of range");
  with_storage(storage, [&](auto cell) {
    using T = decltype(cell);
    for (std::int64_t k = 0; k < n; ++k) as<T>(to)[k] = as<T>(from)[address[k]];
  });
}

void store_row(Storage storage, void* to, std::int64_t stride, Row in, std::int64_t n) {
  if (stride == 1) return row_copy(storage, to, in, n);
  with_storage(storage, [&](auto cell) {
    using T = decltype(cell);
    for (std::int64_t k = 0; k < n; ++k) as<T>(to)[k * stride] = as<T>(in.data)[k * in.stride];
  });
}

}  // namespace gg::plan
