// Internal to prover/term: the tables behind Terms.
#pragma once

#include <unordered_map>
#include <vector>

#include "models/base/check.h"
#include "prover/term/terms.h"

namespace gg::prover {

inline std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h ^= v + 0x9E3779B97F4A7C15ULL + (h << 6) + (h >> 2);
  h *= 0xFF51AFD7ED558CCDULL;
  return h ^ (h >> 32);
}

/// Open addressing: ids by hash; the caller compares contents.
class IdSet {
 public:
  template <class Equal>
  std::uint32_t find(std::uint64_t hash, Equal&& equal) const {
    if (slots_.empty()) return kNoId;
    for (std::size_t i = hash & mask();; i = (i + 1) & mask()) {
      const Slot& s = slots_[i];
      if (s.id == kNoId) return kNoId;
      if (s.hash == static_cast<std::uint32_t>(hash >> 32) && equal(s.id)) return s.id;
    }
  }
  void insert(std::uint64_t hash, std::uint32_t id) {
    if ((used_ + 1) * 2 > slots_.size()) grow();
    put({static_cast<std::uint32_t>(hash >> 32), id}, hash);
    hashes_.push_back(hash);
    ++used_;
  }
  static constexpr std::uint32_t kNoId = 0xffffffffU;

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t id = kNoId;
  };
  std::size_t mask() const { return slots_.size() - 1; }
  void put(Slot slot, std::uint64_t hash) {
    std::size_t i = hash & mask();
    while (slots_[i].id != kNoId) i = (i + 1) & mask();
    slots_[i] = slot;
  }
  void grow() {  // ids are dense: the k-th insertion has id k
    const std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.empty() ? 1024 : old.size() * 2, {});
    for (const Slot& s : old)
      if (s.id != kNoId) put(s, hashes_[s.id]);
  }
  std::vector<Slot> slots_;
  std::vector<std::uint64_t> hashes_;
  std::size_t used_ = 0;
};

struct PairKey {
  std::uint64_t a, b;
  friend bool operator==(const PairKey&, const PairKey&) = default;
};
struct PairKeyHash {
  std::size_t operator()(const PairKey& k) const { return mix(mix(1, k.a), k.b); }
};
template <class V>
using PairMap = std::unordered_map<PairKey, V, PairKeyHash>;

struct Terms::Store {
  std::vector<LinNode> lins;
  std::vector<LinTerm> lin_terms;
  IdSet lin_set;
  std::vector<AtomNode> atoms;
  IdSet atom_set;
  std::vector<TermNode> terms;
  std::vector<std::uint32_t> kids;
  IdSet term_set;
  std::vector<std::vector<std::int64_t>> tables;
  std::vector<Anchor> anchors;
  int temps = 0;  ///< temporaries in use
  int depth = 0;  ///< folds being normalised

  PairMap<LinId> div_memo;
  PairMap<TermId> mul_memo, assume_memo, pow_memo;
  std::unordered_map<std::uint32_t, LinId> refit_memo;
  std::unordered_map<std::uint32_t, Attributes> attribute_memo;
  std::unordered_map<std::uint32_t, std::pair<std::int64_t, std::int64_t>> range_memo;
  std::unordered_map<std::uint64_t, std::vector<std::pair<std::vector<std::uint32_t>, TermId>>> choose_memo, fold_memo;
};

inline std::uint32_t raw(TermId id) { return static_cast<std::uint32_t>(id); }
inline std::uint32_t raw(LinId id) { return static_cast<std::uint32_t>(id); }
inline std::uint32_t raw(AtomId id) { return static_cast<std::uint32_t>(id); }
inline std::uint32_t raw(RatId id) { return static_cast<std::uint32_t>(id); }

/// Checked arithmetic on index coefficients.
inline std::int64_t checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_mul_overflow(a, b, &r)) throw TermLimit("index coefficient overflow");
  return r;
}
inline std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_add_overflow(a, b, &r)) throw TermLimit("index coefficient overflow");
  return r;
}
/// Saturating, for ranges.
inline std::int64_t saturate_add(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_add_overflow(a, b, &r)) return a < 0 ? INT64_MIN : INT64_MAX;
  return r;
}
inline std::int64_t saturate_mul(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_mul_overflow(a, b, &r)) return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
  return r;
}
inline std::int64_t floor_div(std::int64_t a, std::int64_t m) {
  const std::int64_t d = a / m;
  return d * m > a ? d - 1 : d;
}
inline std::int64_t floor_mod(std::int64_t a, std::int64_t m) { return a - m * floor_div(a, m); }

}  // namespace gg::prover
