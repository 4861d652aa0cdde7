// Internal to the prover: flat tables for memos. Keys are compared in full; nothing here is iterated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/base/id_set.h"

namespace gg::prover {

inline std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h ^= v + 0x9E3779B97F4A7C15ULL + (h << 6) + (h >> 2);
  h *= 0xFF51AFD7ED558CCDULL;
  return h ^ (h >> 32);
}

struct PairKey {
  std::uint64_t a, b;
  friend bool operator==(const PairKey&, const PairKey&) = default;
};

/// Sequences of numbers to small values.
template <class V>
class SequenceMap {
 public:
  const V* find(std::span<const std::uint32_t> key) const {
    const std::uint32_t k = index(hash(key), key);
    return k == IdSet::kNoId ? nullptr : &entries_[k].value;
  }
  void set(std::span<const std::uint32_t> key, V value) {
    const std::uint64_t h = hash(key);
    const std::uint32_t k = index(h, key);
    if (k != IdSet::kNoId) {
      entries_[k].value = value;
      return;
    }
    set_.insert(h, static_cast<std::uint32_t>(entries_.size()));
    entries_.push_back({pool_.size(), key.size(), value});
    pool_.insert(pool_.end(), key.begin(), key.end());
  }

 private:
  struct Entry {
    std::size_t first, n;
    V value;
  };
  static std::uint64_t hash(std::span<const std::uint32_t> key) {
    std::uint64_t h = mix(17, key.size());
    for (const std::uint32_t k : key) h = mix(h, k);
    return h;
  }
  std::uint32_t index(std::uint64_t h, std::span<const std::uint32_t> key) const {
    return set_.find(h, [&](std::uint32_t id) {
      const Entry& e = entries_[id];
      if (e.n != key.size()) return false;
      for (std::size_t k = 0; k < e.n; ++k)
        if (pool_[e.first + k] != key[k]) return false;
      return true;
    });
  }
  IdSet set_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> pool_;
};

inline std::uint64_t hash_of(std::uint32_t key) { return mix(5, key); }
inline std::uint64_t hash_of(const PairKey& key) { return mix(mix(1, key.a), key.b); }

/// Keys to values: a list that becomes a hash table when it grows, for passes that touch few nodes.
template <class V, class Key = std::uint32_t>
class SmallMap {
 public:
  const V* find(const Key& key) const {
    if (entries_.size() > kList) {
      const std::uint32_t k = set_.find(hash_of(key), [&](std::uint32_t id) { return entries_[id].key == key; });
      return k == IdSet::kNoId ? nullptr : &entries_[k].value;
    }
    for (const Entry& e : entries_)
      if (e.key == key) return &e.value;
    return nullptr;
  }
  bool empty() const { return entries_.empty(); }
  void set(const Key& key, V value) {
    if (const V* known = find(key)) const_cast<V&>(*known) = value;
    else add(key, value);
  }
  /// The key has no value yet, or the same one.
  void add(const Key& key, V value) {
    entries_.push_back({key, value});
    if (entries_.size() <= kList) return;
    const std::size_t first = entries_.size() == kList + 1 ? 0 : entries_.size() - 1;
    for (std::size_t k = first; k < entries_.size(); ++k) set_.insert(hash_of(entries_[k].key), static_cast<std::uint32_t>(k));
  }

 private:
  static constexpr std::size_t kList = 16;
  struct Entry {
    Key key;
    V value;
  };
  std::vector<Entry> entries_;
  IdSet set_;
};
template <class V>
using PairMap = SmallMap<V, PairKey>;

/// Dense ids to values, with a value that means nothing is known.
template <class V>
class DenseMap {
 public:
  explicit DenseMap(V none) : none_(none) {}
  V get(std::uint32_t id) const { return id < values_.size() ? values_[id] : none_; }
  void set(std::uint32_t id, V value) {
    if (id >= values_.size()) values_.resize(id + id / 2 + 64, none_);
    values_[id] = value;
  }

 private:
  V none_;
  std::vector<V> values_;
};

}  // namespace gg::prover
