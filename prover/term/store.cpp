// Interning and plain access of Terms.
#include "prover/term/store.h"

#include <algorithm>

#include "models/base/progress.h"
#include "prover/term/form_walk.h"

namespace gg::prover {

Terms::Terms() : store_(std::make_unique<Store>()) {
  make_lin(0, {});  // LinId::Zero
  const std::uint32_t zero = 0, one = 1;
  make({.kind = Kind::Lit, .sort = Sort::Real}, std::span(&zero, 1));
  make({.kind = Kind::Lit, .sort = Sort::Real}, std::span(&one, 1));
  make({.kind = Kind::True, .sort = Sort::Bool}, {});
  make({.kind = Kind::False, .sort = Sort::Bool}, {});
  make({.kind = Kind::Unknown, .sort = Sort::Any, .flags = kHasUnknown}, {});
  mono({});  // before all others: numbers stand first in sums
}
Terms::~Terms() = default;

void Terms::step(std::uint64_t n) {
  steps_ += n;
  if (steps_ > step_limit_) throw TermLimit("step limit");
  ask_deadline();
}

const LinNode& Terms::operator[](LinId id) const { return store_->lins[raw(id)]; }
const AtomNode& Terms::operator[](AtomId id) const { return store_->atoms[raw(id)]; }
const TermNode& Terms::operator[](TermId id) const { return store_->terms[raw(id)]; }

std::span<const LinTerm> Terms::terms(LinId id) const {
  const LinNode& n = (*this)[id];
  return std::span(store_->lin_terms).subspan(n.first, n.n);
}

std::span<const std::uint32_t> Terms::kids(TermId id) const {
  const TermNode& n = (*this)[id];
  return std::span(store_->kids).subspan(n.first, n.n);
}

const std::vector<std::int64_t>& Terms::table_values(std::uint32_t table) const { return store_->tables[table]; }

TermId Terms::make(TermNode node, std::span<const std::uint32_t> kids) {
  std::uint64_t h = mix(static_cast<std::uint64_t>(node.kind) * 977 + static_cast<std::uint64_t>(node.sort),
                        node.op * 257ULL + node.type);
  for (const std::uint32_t k : kids) h = mix(h, k);
  const std::uint32_t found = store_->term_set.find(h, [&](std::uint32_t id) {
    const TermNode& t = store_->terms[id];
    return t.kind == node.kind && t.sort == node.sort && t.op == node.op && t.type == node.type && t.n == kids.size() &&
           std::equal(kids.begin(), kids.end(), store_->kids.begin() + t.first);
  });
  if (found != IdSet::kNoId) return static_cast<TermId>(found);
  step();
  if (store_->terms.size() > 200'000'000 || node.height >= kFirstTemp - kFirstBound) throw TermLimit("term too deep");
  node.first = static_cast<std::uint32_t>(store_->kids.size());
  node.n = static_cast<std::uint32_t>(kids.size());
  const auto id = static_cast<std::uint32_t>(store_->terms.size());
  store_->kids.insert(store_->kids.end(), kids.begin(), kids.end());
  store_->terms.push_back(node);
  store_->term_set.insert(h, id);
  return static_cast<TermId>(id);
}

TermId Terms::of_terms(TermNode node, std::span<const TermId> list) {
  std::vector<std::uint32_t> raws;
  for (const TermId k : list) {
    absorb(node, k);
    raws.push_back(raw(k));
  }
  return make(node, raws);
}

AtomId Terms::make_atom(AtomNode node) {
  std::uint64_t h = mix(static_cast<std::uint64_t>(node.kind) * 131 + node.var, node.arg);
  h = mix(h, static_cast<std::uint64_t>(node.extent));
  h = mix(h, static_cast<std::uint64_t>(node.m) ^ (static_cast<std::uint64_t>(node.arg2) << 40));
  if (node.kind == AtomKind::Clamp)
    h = mix(mix(h, static_cast<std::uint64_t>(node.lo)), static_cast<std::uint64_t>(node.hi));
  const std::uint32_t found = store_->atom_set.find(h, [&](std::uint32_t id) {
    const AtomNode& t = store_->atoms[id];
    return t.kind == node.kind && t.var == node.var && t.arg == node.arg && t.arg2 == node.arg2 && t.m == node.m &&
           t.extent == node.extent && (node.kind != AtomKind::Clamp || (t.lo == node.lo && t.hi == node.hi));
  });
  if (found != IdSet::kNoId) return static_cast<AtomId>(found);
  const auto id = static_cast<std::uint32_t>(store_->atoms.size());
  store_->atoms.push_back(node);
  store_->atom_set.insert(h, id);
  return static_cast<AtomId>(id);
}

void Terms::absorb(TermNode& node, TermId kid) const {
  const TermNode& k = (*this)[kid];
  node.height = std::max(node.height, k.height);
  node.flags |= k.flags;
  node.free |= k.free;
  node.reads += k.reads;
  const std::uint64_t size = std::uint64_t{node.size} + k.size;
  node.size = size > 0xffffffffU ? 0xffffffffU : static_cast<std::uint32_t>(size);
}

void Terms::absorb(TermNode& node, LinId kid) const {
  const LinNode& k = (*this)[kid];
  node.height = std::max(node.height, k.height);
  node.flags |= lin_flags(kid);
  node.free |= k.free;
  if (node.size < 0xffff0000U) node.size += 1U + k.n;
}

std::uint16_t Terms::lin_flags(LinId a) const {
  std::uint16_t flags = 0;
  if (!(*this)[a].guards && !(*this)[a].data) return flags;
  if ((*this)[a].guards) flags |= kHasGuards;
  for_each_part(
      *this, a, [&](TermId part) { flags |= (*this)[part].flags; }, [&](LinId part) { flags |= lin_flags(part); });
  return flags;
}

AnchorId Terms::add_anchor(Anchor anchor) {
  store_->anchors.push_back(std::move(anchor));
  return static_cast<AnchorId>(store_->anchors.size() - 1);
}
Anchor& Terms::anchor(AnchorId id) { return store_->anchors[id]; }
const Anchor& Terms::anchor(AnchorId id) const { return store_->anchors[id]; }
std::size_t Terms::anchors() const { return store_->anchors.size(); }

Fresh Terms::fresh(std::span<const std::int64_t> extents) {
  std::vector<LinId> vars;
  vars.reserve(extents.size());
  for (const std::int64_t extent : extents) {
    if (extent < 1) throw TermLimit("a fold over an empty box");  // callers decide empty boxes
    const int number = kFirstTemp + store_->temps + static_cast<int>(vars.size());
    if (number >= kVars) throw TermLimit("folds nested too deeply");
    vars.push_back(var(static_cast<VarId>(number), extent));
  }
  store_->temps += static_cast<int>(vars.size());
  return {store_->temps, std::move(vars)};
}

}  // namespace gg::prover
