// What is NaN wherever a number is (certificate.md, C10): there nothing hangs on what a case by whether it is NaN gives. So a logarithm of a sum
// of exponentials that takes zero for a largest element that is no number is the one that takes it as it is.
#include <algorithm>

#include "prover/term/parts.h"

namespace gg::prover {
namespace {

constexpr int kNanLevels = 12;  ///< one inside the other, of both
constexpr int kMaxPairs = 400;  ///< pairs that are looked at

ScalarFn function_of(const TermNode& n) { return static_cast<ScalarFn>(n.op); }
bool is_extremum(const TermNode& n) { return n.sort == Sort::Real && (function_of(n) == ScalarFn::Max || function_of(n) == ScalarFn::Min); }

/// Is x NaN wherever m is? Each pair is looked at once.
class NanWhere {
 public:
  explicit NanWhere(Terms& t) : t_(t) {}

  bool operator()(TermId x, TermId m, int levels = kNanLevels) {
    x = t_.content(x).second;
    m = t_.content(m).second;
    if (x == m) return true;
    if (levels == 0 || seen_.find({raw(x), raw(m)}) != nullptr || ++looked_ > kMaxPairs) return false;
    seen_.set({raw(x), raw(m)}, true);
    return by_parts(x, m, levels - 1) || of_parts(x, m, levels - 1);
  }

 private:
  /// The earliest of the values that a term reads: what is computed before it reads none of them.
  AnchorId first_read(TermId m) {
    if (const AnchorId* known = first_.find(raw(m))) return *known;
    const std::vector<TermId> reads = t_.reads_in(m);
    const auto first = std::ranges::min_element(reads, {}, [&](TermId read) { return t_.anchor_of(read); });
    first_.add(raw(m), first == reads.end() ? 0 : t_.anchor_of(*first));
    return first == reads.end() ? 0 : t_.anchor_of(*first);
  }

  /// x is NaN where one of its parts is.
  bool by_parts(TermId x, TermId m, int levels) {
    const TermNode n = t_[x];
    const auto kid = [&](std::size_t k) { return (*this)(t_.kid(x, k), m, levels); };
    if (n.sort != Sort::Real) return false;
    switch (n.kind) {
      case Kind::Read: {
        const auto inside = t_.anchor_of(x) > first_read(m) ? t_.definition(x, TermId::True) : std::nullopt;
        return inside && (*this)(*inside, m, levels);
      }
      case Kind::Poly:
        for (const Summand& s : t_.summands(x))
          for (const Factor& f : t_.factors(s.mono))
            if ((*this)(f.term, m, levels)) return true;
        return false;
      case Kind::Fn: {
        const ScalarFn f = function_of(n);
        if (!is_extremum(n) && f != ScalarFn::Exp && f != ScalarFn::Log && f != ScalarFn::Abs) return false;
        for (std::size_t k = 0; k < n.n; ++k)
          if (kid(k)) return true;
        return false;
      }
      case Kind::Case: return kid(1) && kid(2);
      case Kind::Fold: return of_elements(x, m, levels);
      default: return false;
    }
  }

  /// A sum or an extremum over a box, that is not empty, of what is NaN there; or of elements that are NaN where those of m are, of which one is.
  bool of_elements(TermId x, TermId m, int levels) {
    const FoldParts own = t_.fold_parts(x), other = t_[m].kind == Kind::Fold ? t_.fold_parts(m) : FoldParts{};
    if (own.op != ScalarFn::Add && own.op != ScalarFn::Max && own.op != ScalarFn::Min) return false;
    const Opened open = t_.open(x);
    if (own.guard == TermId::True && (*this)(open.bodies[0], m, levels)) return true;
    if (t_[m].kind != Kind::Fold || !is_extremum(t_[m]) || other.extents != own.extents) return false;
    const Terms::Map there(other.first, std::span(open.vars.begin(), open.vars.end()));
    return t_.substitute(other.guard, there) == open.guard && (*this)(open.bodies[0], t_.substitute(other.body, there), levels);
  }

  /// m is NaN where one of its parts is, and nowhere else: x is NaN where any of them is.
  bool of_parts(TermId x, TermId m, int levels) {
    const TermNode n = t_[m];
    const auto all = [&](std::size_t from) {
      for (std::size_t k = from; k < n.n; ++k)
        if (!(*this)(x, t_.kid(m, k), levels)) return false;
      return true;
    };
    if (n.kind == Kind::Fn) return is_extremum(n) && all(0);
    if (n.kind == Kind::Case) return n.sort == Sort::Real && all(1);
    if (n.kind == Kind::Read) {
      const auto inside = t_.definition(m, TermId::True);
      return inside && (*this)(x, *inside, levels);
    }
    if (n.kind != Kind::Poly) return false;
    for (const Summand& s : t_.summands(m)) {  // sums and products of what is finite or NaN
      for (const Factor& f : t_.factors(s.mono)) {
        const Attributes a = t_.attributes(f.term);
        const bool power = t_.q.sign(f.exp) > 0 && t_.q.is_integer(f.exp);
        if (!a.no_inf || !power || (!a.finite && !(*this)(x, f.term, levels))) return false;
      }
    }
    return true;
  }

  Terms& t_;
  int looked_ = 0;
  PairMap<bool> seen_;
  SmallMap<AnchorId> first_;
};

/// The conditions `m = m` inside, that have no binders of what is inside.
std::vector<TermId> tests_in(const Terms& t, TermId real) {
  constexpr VarSet kBinders = bit(kFirstTemp) - bit(kFirstBound);
  std::vector<TermId> found;
  const auto collect = [&](TermId part) {
    const TermNode& n = t[part];
    if (n.kind == Kind::Fn && function_of(n) == ScalarFn::CompareEq && t.kid(part, 0) == t.kid(part, 1) && (n.free & kBinders) == 0) found.push_back(part);
    return false;
  };
  some_part(t, real, false, collect, [&](TermId part) { return (t[part].flags & kTestsNan) != 0; });
  return found;
}

/// What is 0, or NaN where one of these numbers is NaN, each finite otherwise: 0 * x, cases of it and of 0, sums over a box.
bool nan_or_zero(Terms& t, TermId x, std::vector<TermId>& where) {
  const TermNode n = t[x];
  if (x == TermId::Zero) return true;
  if ((n.flags & kTestsNan) == 0 || n.sort != Sort::Real) return false;
  if (n.kind == Kind::Fn && function_of(n) == ScalarFn::Multiply) return where.push_back(t.kid(x, 1)), t.kid(x, 0) == TermId::Zero && t.attributes(t.kid(x, 1)).no_inf;
  if (n.kind == Kind::Case) return nan_or_zero(t, t.kid(x, 1), where) && nan_or_zero(t, t.kid(x, 2), where);
  if (n.kind != Kind::Fold || function_of(n) != ScalarFn::Add) return false;
  const Opened open = t.open(x);
  const std::size_t before = where.size();
  if (!nan_or_zero(t, open.bodies[0], where)) return false;
  for (std::size_t k = before; k < where.size(); ++k) where[k] = t.fold(ScalarFn::Max, open.vars, TermId::True, where[k]);
  return true;
}

/// A sum without a summand that is 0, or NaN where the others are NaN.
std::optional<TermId> without_zeros(Terms& t, TermId sum) {
  const std::vector<Summand> list = t[sum].kind == Kind::Poly ? t.summands(sum) : std::vector<Summand>();
  for (std::size_t k = 0; k < list.size() && list.size() > 1; ++k) {
    const std::vector<Factor> own = t.factors(list[k].mono);
    std::vector<TermId> where;
    if (own.size() != 1 || own[0].exp != RatId::One || !nan_or_zero(t, own[0].term, where)) continue;
    const TermId others = t.sum(without(list, k));
    if (!std::ranges::all_of(where, [&](TermId m) { return NanWhere(t)(others, m); })) continue;
    return t.count(LemmaId::NanBesideZero), others;
  }
  return std::nullopt;
}

}  // namespace

TermId Terms::without_nan_tests(TermId real) {
  if (((*this)[real].flags & kTestsNan) == 0 || (*this)[real].sort != Sort::Real) return real;
  if (const TermId known = store_->nan_memo.get(raw(real)); known != TermId::Unknown) return known;
  store_->nan_memo.set(raw(real), real);
  if (const auto others = without_zeros(*this, real)) return store_->nan_memo.set(raw(real), *others), *others;
  for (const TermId test : tests_in(*this, real)) {
    const TermId m = kid(test, 0), one = assume(real, test), other = assume(real, negate(test));
    if (one == real || other == real || !NanWhere(*this)(one, m) || !NanWhere(*this)(other, m)) continue;
    count(LemmaId::NanEitherWay);
    store_->nan_memo.set(raw(real), one);
    return one;
  }
  return real;
}

}  // namespace gg::prover
