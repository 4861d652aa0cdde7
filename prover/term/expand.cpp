// Expansion of reads by the definitions of their anchors, where the guards around a read keep its indices in the box.
#include <algorithm>
#include <unordered_set>

#include "models/pair/certificate_line.h"
#include "prover/term/parts.h"
#include "prover/term/rebuild.h"

namespace gg::prover {
namespace {

class Expander : public Guarded {
 public:
  /// All reads by so many levels, or those of some anchors by theirs.
  Expander(Terms& terms, int all, Marks marks)
      : Guarded(terms, TermId::True), all_(all), marks_(std::move(marks)), holding_(terms, marks_) {}

  TermId term(TermId id) override {
    const TermNode n = t_[id];
    if ((n.flags & wanted_) == 0 || (!marks_.empty() && !holding_.term(id))) return id;
    const PairKey key{raw(id), raw(facts_)};
    if (const TermId* known = memo_.find(key)) return *known;
    const TermId result = n.kind == Kind::Read ? read(id) : inside(id);
    memo_.set(key, result);
    return result;
  }

  LinId lin(LinId id) override { return (t_.lin_flags(id) & wanted_) == 0 || (!marks_.empty() && !holding_.lin(id)) ? id : Rebuilder::lin(id); }

 protected:
  virtual TermId read(TermId id) {
    int levels = all_;
    for (const auto& [mark, k] : marks_)
      if (mark == t_.anchor_of(id)) levels = std::max(levels, k);
    std::optional<TermId> body;
    if (levels > 0) body = t_.definition(id, facts_);
    if (!body) return rebuild(id);
    return levels == 1 ? *body : Expander(t_, levels - 1, facts_).term(*body);
  }

  int wanted_ = kHasReads;

 private:
  Expander(Terms& terms, int all, TermId facts) : Guarded(terms, facts), all_(all), holding_(terms, marks_) {}

  int all_;
  Marks marks_;
  Holding holding_;
  PairMap<TermId> memo_;
};

/// Reads by what a function says of them; `inside`: those in its indices first.
class Replacer : public Expander {
 public:
  Replacer(Terms& terms, const Terms::ReadsBy& by, bool inside)
      : Expander(terms, 0, Marks()), by_(by), inside_(inside) {
    wanted_ = kHasReads | kHasInputs;
  }

 protected:
  TermId read(TermId id) override {
    const TermId now = inside_ ? rebuild(id) : id;
    const auto other = t_[now].kind == Kind::Read ? by_(now, facts_) : std::nullopt;
    return other ? *other : inside_ ? now
                                    : rebuild(id);
  }

 private:
  const Terms::ReadsBy& by_;
  bool inside_;
};

/// Some terms by others.
class Exchanger : public Guarded {
 public:
  Exchanger(Terms& terms, SmallMap<TermId> by) : Guarded(terms, TermId::True), memo_(std::move(by)) {}

  TermId term(TermId id) override {
    if (const TermId* known = memo_.find(raw(id))) return *known;
    const TermNode n = t_[id];
    if ((n.flags & (kHasReads | kHasInputs)) == 0) return id;
    const TermId result = n.kind == Kind::Fold || n.kind == Kind::Row ? binder(id) : rebuild(id);
    memo_.add(raw(id), result);
    return result;
  }

  LinId lin(LinId id) override { return (t_.lin_flags(id) & (kHasReads | kHasInputs)) == 0 ? id : Rebuilder::lin(id); }

 private:
  SmallMap<TermId> memo_;
};

/// Folds over few values as what they combine.
class Writer : public Rebuilder {
 public:
  Writer(Terms& terms, bool partly) : Rebuilder(terms), partly_(partly) {}

  TermId term(TermId id) override {
    if (const TermId* known = memo_.find(raw(id))) return *known;
    const TermId result = t_[id].kind == Kind::Fold ? fold(id) : t_[id].kind == Kind::Row ? id
                                                                                          : rebuild(id);
    memo_.add(raw(id), result);
    return result;
  }

 protected:
  LinId variable(const AtomNode&, AtomId id) override { return t_.atom_form(id); }

 private:
  /// Binders of few values, as many as there is room for; the others stay (partly) or all do.
  TermId fold(TermId id) {
    const FoldParts p = t_.fold_parts(id);
    std::int64_t points = 1;
    std::vector<std::size_t> written;
    std::vector<std::int64_t> rest;
    for (std::size_t k = 0; k < p.extents.size(); ++k) {
      const bool fits = p.extents[k] <= kMaxWritten && points * p.extents[k] <= (partly_ ? kMaxPoints : kMaxWritten);
      if (fits) written.push_back(k), points *= p.extents[k];
      else rest.push_back(p.extents[k]);
    }
    const Sort sort = t_[id].sort;
    if (written.empty() || (!partly_ && !rest.empty()) || !(sort == Sort::Real || (sort == Sort::Int && p.op == ScalarFn::Add))) return id;
    const Fresh vars = t_.fresh(rest);
    Terms::Map map;
    for (std::size_t k = 0, w = 0; k < p.extents.size(); ++k) {
      if (w < written.size() && written[w] == k) ++w;
      else map.set(static_cast<VarId>(p.first + k), vars[k - w]);
    }
    std::vector<TermId> parts;
    for (std::int64_t point = 0; point < points; ++point) {
      std::int64_t left = point;
      for (const std::size_t k : written) {
        map.set(static_cast<VarId>(p.first + k), t_.num(left % p.extents[k]));
        left /= p.extents[k];
      }
      const TermId guard = t_.substitute(p.guard, map), body = term(t_.substitute(p.body, map));
      parts.push_back(rest.empty() ? t_.choose(guard, body, t_.unit(p.op, sort)) : t_.fold(p.op, vars, guard, body));
    }
    return t_.together(p.op, parts);
  }

  static constexpr std::int64_t kMaxPoints = 64;
  bool partly_;
  SmallMap<TermId> memo_;
};

}  // namespace

TermId Terms::exchange(TermId id, SmallMap<TermId> by) { return Exchanger(*this, std::move(by)).term(id); }

TermId Terms::write_out(TermId id, bool partly) { return Writer(*this, partly).term(id); }

std::optional<TermId> Terms::definition(TermId read, TermId facts) {
  const AnchorId number = anchor_of(read);
  const Anchor& a = anchor(number);
  if (a.kind != AnchorKind::Value || a.form == TermId::Unknown) return std::nullopt;  // a carry before its loop is complete
  const std::vector<LinId> index = index_of(read);
  if (!in_box(index, a.extents, conjuncts(facts))) return std::nullopt;
  return substitute(anchor(number).form, Map(0, index));
}

/// Reads of values that can be expanded, where a line of the certificate could mark them (not in guards and indices); `numbers`: in integers that
/// are reals, too.
std::vector<TermId> Terms::reads_in(TermId t, bool numbers) const {
  std::vector<TermId> found;
  std::unordered_set<std::uint32_t> seen;
  const auto visit = [&](auto&& self, TermId id) -> void {
    const TermNode& n = (*this)[id];
    if ((n.flags & kHasReads) == 0 || n.kind == Kind::Row || !seen.insert(raw(id)).second) return;
    if (n.kind == Kind::Read) found.push_back(id);
    const TermId condition = condition_of(*this, id);
    for_each_part(
        *this, id, [&](TermId part) {
      if (part != condition) self(self, part); }, [&](LinId form, bool) {
      if (numbers && n.kind == Kind::FromInt)
        for_each_part(*this, form, [&](TermId part) { self(self, part); }, [](LinId) {}); });
  };
  visit(visit, t);
  return found;
}

TermId Terms::expand_all(TermId id, int levels) { return levels <= 0 ? id : Expander(*this, levels, Marks()).term(id); }

TermId Terms::replace_reads(TermId id, const ReadsBy& by, bool inside) { return Replacer(*this, by, inside).term(id); }

TermId Terms::expand_marked(TermId id, std::span<const std::pair<TermId, int>> marks) {
  Marks all;
  for (const auto& [read, levels] : marks) all.emplace_back(anchor_of(read), levels);
  return marks.empty() ? id : Expander(*this, 0, std::move(all)).term(id);
}

TermId Terms::open_anchor(TermId id, AnchorId which) { return Expander(*this, 0, {{which, 1}}).term(id); }

}  // namespace gg::prover
