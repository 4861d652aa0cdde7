// The fixed point: borders of sums and cuts of products spread between the classes that share them.
#include <algorithm>
#include <tuple>

#include "models/base/check.h"
#include "models/size/system.h"

namespace gg {
namespace {

constexpr std::size_t kMaxBorders = 64;

bool same_factors(const std::vector<SizeFactor>& a, const std::vector<SizeFactor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const SizeFactor& x, const SizeFactor& y) {
    return x.var == y.var && x.constant == y.constant;
  });
}

bool less_factors(const std::vector<SizeFactor>& a, const std::vector<SizeFactor>& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return std::tie(x.var, x.constant) < std::tie(y.var, y.constant);
  });
}

}  // namespace

// Constraints over roots, each once.
void SizeSystem::canonicalize() {
  for (SizeVar v = 0; v < parents_.size(); ++v) parents_[v] = find(v);
  for (Product& p : products_) {
    p.whole = find(p.whole);
    for (SizeFactor& f : p.factors) {
      if (f.var != kNoSize) f = {find(f.var), 1};
    }
  }
  std::stable_sort(products_.begin(), products_.end(), [](const Product& a, const Product& b) {
    return a.whole != b.whole ? a.whole < b.whole : less_factors(a.factors, b.factors);
  });
  products_.erase(std::unique(products_.begin(), products_.end(),
                              [](const Product& a, const Product& b) {
                                return a.whole == b.whole && same_factors(a.factors, b.factors);
                              }),
                  products_.end());
  for (Span& s : spans_) {
    s.whole = find(s.whole);
    if (sizes_[s.part] > small_) s.part = find(s.part);
  }
  const auto key = [this](const Span& s) {
    return std::make_tuple(s.whole, s.start, s.end, sizes_[s.part] > small_ ? s.part : 0);
  };
  std::stable_sort(spans_.begin(), spans_.end(), [&](const Span& a, const Span& b) { return key(a) < key(b); });
  spans_.erase(std::unique(spans_.begin(), spans_.end(), [&](const Span& a, const Span& b) { return key(a) == key(b); }),
               spans_.end());
  for (Linear& l : linears_) {
    for (auto& term : l.zero.terms) term.second = find(term.second);
  }
  std::map<SizeVar, std::pair<std::int64_t, std::int64_t>> margins;
  for (const auto& [v, margin] : margins_) {
    auto& all = margins[find(v)];
    all = {std::max(all.first, margin.first), std::max(all.second, margin.second)};
  }
  margins_ = std::move(margins);
}

// Parts at an end from which another part keeps its distance.
void SizeSystem::keep_margins() {
  for (const auto& [whole, margin] : margins_) {
    const auto found = atoms_.find(whole);
    if (found == atoms_.end()) continue;
    for (const auto& [start, part] : found->second) {
      const bool first = start + sizes_[part] <= margin.first, last = start >= sizes_[whole] - margin.second;
      if (first || last) keep(part, "a shift by so many places", {});
    }
  }
}

// A part that is another part of the same class, one or two places further, has no borders of its own: it moves with the
// other one. Otherwise its borders would wander from copy to copy until every position is one.
void SizeSystem::drop_shifted() {
  std::map<std::pair<SizeVar, SizeVar>, std::vector<std::size_t>> alike;
  for (std::size_t k = 0; k < spans_.size(); ++k) {
    if (sizes_[spans_[k].part] > small_) alike[{spans_[k].whole, spans_[k].part}].push_back(k);
  }
  std::set<std::size_t> dropped;
  for (auto& [pair, list] : alike) {
    // What lies between blocks stays: ends, and starts that are multiples of the part.
    std::stable_sort(list.begin(), list.end(), [&](std::size_t a, std::size_t b) {
      const auto off = [&](const Span& s) { return s.start % (s.end - s.start) != 0 && s.end != sizes_[s.whole]; };
      return off(spans_[a]) < off(spans_[b]);
    });
    std::vector<std::int64_t> starts;
    for (const std::size_t k : list) {
      const std::int64_t start = spans_[k].start;
      if (std::any_of(starts.begin(), starts.end(), [&](std::int64_t s) { return s != start && std::abs(s - start) <= kNear; })) dropped.insert(k);
      else starts.push_back(start);
    }
  }
  std::vector<Span> left;
  for (std::size_t k = 0; k < spans_.size(); ++k) {
    if (dropped.count(k) == 0) left.push_back(spans_[k]);
  }
  spans_ = std::move(left);
}

void SizeSystem::spread_borders() {
  borders_.clear();
  for (const auto& [whole, margin] : margins_) {
    if (margin.first > kNear) borders_[whole].insert(margin.first);
    if (margin.second > kNear) borders_[whole].insert(sizes_[whole] - margin.second);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Span& s : spans_) {
      auto& whole = borders_[s.whole];
      const std::size_t before = whole.size();
      if (before > kMaxBorders) continue;
      if (s.start > 0) whole.insert(s.start);
      if (s.end < sizes_[s.whole]) whole.insert(s.end);
      if (sizes_[s.part] > small_) {
        auto& part = borders_[s.part];
        const std::size_t part_before = part.size();
        for (const std::int64_t b : whole) {
          if (b > s.start && b < s.end) part.insert(b - s.start);
        }
        for (const std::int64_t b : part) whole.insert(s.start + b);
        changed |= part.size() != part_before;
      }
      changed |= whole.size() != before;
    }
  }
}

// Every interval between neighbouring borders gets an unknown: the part of a span that is just it, or a new one.
void SizeSystem::make_atoms() {
  atoms_.clear();
  std::map<std::tuple<SizeVar, std::int64_t, std::int64_t>, SizeVar> parts;
  for (const Span& s : spans_) parts.emplace(std::make_tuple(s.whole, s.start, s.end), s.part);
  for (const auto& [whole, borders] : borders_) {
    if (borders.empty()) continue;
    if (borders.size() > kMaxBorders) {
      keep(whole, "too many borders", {});
      for (const Span& s : spans_) {
        if (s.whole == whole) keep(s.part, "too many borders", s.origin);
      }
      continue;
    }
    std::vector<std::int64_t> ends(borders.begin(), borders.end());
    ends.push_back(sizes_[whole]);
    std::int64_t start = 0;
    for (const std::int64_t end : ends) {
      const auto found = parts.find({whole, start, end});
      SizeVar part = found != parts.end() ? found->second : kNoSize;
      if (part == kNoSize) {
        part = add(end - start);
        spans_.push_back({whole, start, end, part, {}});
      }
      atoms_[whole].emplace_back(start, part);
      start = end;
    }
  }
}

// A part's own parts are those of the whole in its interval.
void SizeSystem::link_atoms() {
  for (const Span& s : spans_) {
    const auto whole = atoms_.find(s.whole), part = atoms_.find(s.part);
    if (sizes_[s.part] <= small_ || whole == atoms_.end() || part == atoms_.end()) continue;
    auto mine = part->second.begin();
    for (const auto& [start, atom] : whole->second) {
      if (start < s.start || start >= s.end || mine == part->second.end()) continue;
      GG_CHECK(mine->first == start - s.start && sizes_[mine->second] == sizes_[atom], "parts that do not line up");
      if (sizes_[atom] > small_) unite(mine->second, atom);
      ++mine;
    }
  }
}

// Parts that are the same interval of the same class are one. True if anything was united.
bool SizeSystem::close_spans() {
  canonicalize();
  bool united = false;
  for (std::size_t k = 1; k < spans_.size(); ++k) {
    const Span &a = spans_[k - 1], &b = spans_[k];
    if (std::tie(a.whole, a.start, a.end) != std::tie(b.whole, b.start, b.end) || sizes_[a.part] <= small_) continue;
    united |= find(a.part) != find(b.part);
    unite(a.part, b.part);
  }
  return united;
}

/// The classes as lists of grains, products as equations between them; one that has no common grains with those before it goes, and its
/// members keep their sizes.
void SizeSystem::make_grains() {
  for (;;) {
    sizes::Grains table;
    std::map<SizeVar, sizes::GrainList> lists;
    for (SizeVar v = 0; v < sizes_.size(); ++v) {
      if (parents_[v] == v && sizes_[v] > small_) lists[v] = table.dimension(sizes_[v]);
    }
    const auto bad = std::find_if(products_.begin(), products_.end(), [&](const Product& product) { return !unify(table, lists, product); });
    if (bad == products_.end()) return number_grains(table, lists);
    keep(bad->whole, "factorizations without common grains", bad->origin);
    for (const SizeFactor& f : bad->factors) {
      if (f.var != kNoSize) keep(f.var, "factorizations without common grains", bad->origin);
    }
    products_.erase(bad);
  }
}

bool SizeSystem::unify(sizes::Grains& table, const std::map<SizeVar, sizes::GrainList>& lists, const Product& product) const {
  sizes::GrainList factors;
  for (const SizeFactor& f : product.factors) {
    if (f.var != kNoSize) {
      factors.insert(factors.end(), lists.at(f.var).begin(), lists.at(f.var).end());
      continue;
    }
    factors.push_back(table.add(f.constant));
    table.fix(factors.back());
  }
  return table.unify(lists.at(product.whole), factors);
}

/// Grains in the order in which the classes have them.
void SizeSystem::number_grains(const sizes::Grains& table, const std::map<SizeVar, sizes::GrainList>& lists) {
  grains_.clear();
  grain_extents_.clear();
  grain_kept_.clear();
  std::map<sizes::GrainId, std::uint32_t> numbers;
  for (const auto& [v, list] : lists) {
    for (const sizes::GrainId d : table.resolve(list)) {
      const auto [number, fresh] = numbers.emplace(d, static_cast<std::uint32_t>(numbers.size()));
      grains_[v].push_back(number->second);
      if (!fresh) continue;
      grain_extents_.push_back(table.extent(d));
      grain_kept_.push_back(table.fixed(d) || table.extent(d) <= small_ ? 1 : 0);
    }
  }
}

// A class with borders and several grains: borders must lie between blocks of minor grains, whose number stays.
void SizeSystem::keep_crossings() {
  const auto atoms = atoms_;
  for (const auto& [whole, parts] : atoms) {
    if (sizes_[whole] <= small_ || grains_.at(whole).size() < 2) continue;
    const Grains& grains = grains_.at(whole);
    const std::int64_t size = sizes_[whole];
    std::int64_t block = 1, stride = 1;
    bool inner = false;
    for (std::size_t k = grains.size(); k-- > 1;) {
      stride *= grain_extents_[grains[k]];
      const bool fits = std::all_of(parts.begin(), parts.end(), [&](const auto& p) { return p.first % stride == 0; });
      if (fits) block = stride;
    }
    for (const auto& part : parts) inner |= part.first > kNear && size - part.first > kNear;
    if (!inner || !aligned_.insert(whole).second) continue;
    if (block <= small_ || !borders_move_) {
      keep(whole, "borders across grains", {});
      continue;
    }
    const SizeVar unit = add(block);
    factor(whole, {{kNoSize, size / block}, {unit, 1}}, {});
    for (const auto& [start, part] : parts) factor(part, {{kNoSize, sizes_[part] / block}, {unit, 1}}, {});
  }
}

void SizeSystem::mark_kept() {
  kept_roots_.clear();
  std::vector<SizeVar> work;
  for (const KeptSize& k : keeps_) work.push_back(find(k.var));
  while (!work.empty()) {
    const SizeVar v = work.back();
    work.pop_back();
    if (sizes_[v] <= small_ || !kept_roots_.insert(v).second) continue;
    if (const auto found = atoms_.find(v); found != atoms_.end()) {
      for (const auto& part : found->second) work.push_back(find(part.second));
    }
    for (const std::uint32_t d : grains_.at(v)) grain_kept_[d] = 1;
  }
}

void SizeSystem::resolve() {
  constexpr int kMaxRounds = 100;
  for (int round = 0; round < kMaxRounds; ++round) {
    while (close_spans()) {
    }
    canonicalize();
    drop_shifted();
    spread_borders();
    const std::size_t known = sizes_.size();
    make_atoms();
    const std::int64_t unions = unions_;
    link_atoms();
    if (sizes_.size() != known || unions != unions_ || close_spans()) continue;
    make_grains();
    const auto before = std::pair(products_.size(), unions_);
    keep_crossings();
    if (before == std::pair(products_.size(), unions_)) break;
    GG_CHECK(round + 1 < kMaxRounds, "sizes do not settle");
  }
  keep_margins();
  mark_kept();
}

}  // namespace gg
