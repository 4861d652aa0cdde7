// The index of a table of distinct things: their numbers by hash. The table itself is the caller's, who compares contents.
#pragma once

#include <cstdint>
#include <vector>

namespace gg {

/// Open addressing, linear probes, at most half full.
class IdSet {
 public:
  static constexpr std::uint32_t kNoId = 0xffffffffU;

  /// The id for which `same(id)` holds, or kNoId.
  template <class Same>
  std::uint32_t find(std::uint64_t hash, const Same& same) const {
    return slots_.empty() ? kNoId : slots_[place_of(hash, same)].id;
  }
  /// Enters an id whose contents are not in it.
  void insert(std::uint64_t hash, std::uint32_t id) {
    find_or_add(
        hash, [](std::uint32_t) { return false; }, [&] { return id; });
  }
  /// The id for which `same(id)` holds, or `fresh()` entered under this hash. `fresh` may not enter into this set.
  template <class Same, class Fresh>
  std::uint32_t find_or_add(std::uint64_t hash, const Same& same, const Fresh& fresh) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place_of(hash, same)];
    if (slot.id != kNoId) return slot.id;
    ++used_;
    slot = {fresh(), tag_of(hash), hash};
    return slot.id;
  }

 private:
  struct Slot {
    std::uint32_t id = kNoId, tag = 0;
    std::uint64_t hash = 0;
  };
  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  /// Where it is, or would be.
  template <class Same>
  std::size_t place_of(std::uint64_t hash, const Same& same) const {
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at].id != kNoId && (slots_[at].tag != tag_of(hash) || !same(slots_[at].id))) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& s : old) {
      if (s.id != kNoId) slots_[place_of(s.hash, [](std::uint32_t) { return false; })] = s;
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace gg
