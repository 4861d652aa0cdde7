// Hashing: mixing of words, and hash-consing sets of ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gg {

/// Mixes one word into a hash (the finaliser of splitmix64).
inline std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  h ^= x + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
  return h ^ (h >> 31);
}

/// Ids by the hash of what they stand for, which the caller compares: open addressing, a slot is id + 1 and a tag of the hash. Load at most one half.
class IdSet {
 public:
  /// The id for which `same(id)` holds, or `missing`.
  template <class Same>
  std::uint32_t find(std::uint64_t hash, const Same& same, std::uint32_t missing) const {
    if (slots_.empty()) return missing;
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    for (std::size_t at = hash & (slots_.size() - 1); slots_[at].id != 0; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].tag == tag && same(slots_[at].id - 1)) return slots_[at].id - 1;
    }
    return missing;
  }
  /// The id for which `same(id)` holds, or `fresh()` entered under this hash. `fresh` may not enter into this set.
  template <class Same, class Fresh>
  std::uint32_t find_or_add(std::uint64_t hash, const Same& same, const Fresh& fresh) {
    if (2 * (used_ + 1) > slots_.size()) rehash();
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at].id != 0; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].tag == tag && same(slots_[at].id - 1)) return slots_[at].id - 1;
    }
    const std::uint32_t id = fresh();
    slots_[at] = {id + 1, tag, hash};
    ++used_;
    return id;
  }

 private:
  struct Slot {
    std::uint32_t id = 0, tag = 0;
    std::uint64_t hash = 0;
  };
  void rehash() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& s : old) {
      if (s.id == 0) continue;
      std::size_t at = s.hash & (slots_.size() - 1);
      while (slots_[at].id != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = s;
    }
  }
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace gg
