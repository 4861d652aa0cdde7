// What is zero where a sum of elements that are not negative is (certificate.md, F11): beside it, powers of that sum below zero leave a fold
// although they may be infinite, and a count over itself is one.
#include <algorithm>

#include "prover/term/filled.h"
#include "prover/term/fold_builder.h"
#include "prover/term/quantised.h"

namespace gg::prover {
namespace {

constexpr int kLevels = 3;  ///< definitions opened one inside the other

std::vector<TermId> reads_in(Terms& t, TermId guard) {
  std::vector<TermId> reads;
  t.replace_reads(guard, [&](TermId read, TermId) -> std::optional<TermId> {
    reads.push_back(read);
    return std::nullopt;
  });
  return reads;
}

/// x as a sum of elements that are not negative: a *count*, of positive ones under a condition, or a sum of reads.
std::optional<TermId> sum_of(Terms& t, TermId x) {
  if (t[x].kind == Kind::FromInt) {
    const LinId form = t.lin(x);
    if (t[form].n != 1 || t[form].c0 != 0 || t.terms(form)[0].coef != 1) return std::nullopt;
    x = t.integer(form);
  }
  if (t[x].kind == Kind::Read) x = t.definition(x, TermId::True).value_or(x);
  if (t[x].kind != Kind::Fold) return std::nullopt;
  std::optional<TermId> plain;
  for (const TermId sum : {x, t.expand_all(x, 1)}) {
    if (t[sum].kind != Kind::Fold || t.fold_parts(sum).op != ScalarFn::Add) continue;
    const TermId element = t.fold_parts(sum).body;
    const bool integral = t[sum].sort == Sort::Int, condition = t.fold_parts(sum).guard != TermId::True;
    if (condition && (integral ? t.int_range(element).first > 0 : t.attributes(element).positive && t.attributes(sum).finite)) return sum;
    if (!condition && !plain && !integral && t[element].kind == Kind::Read && t.attributes(element).nonnegative) plain = sum;
  }
  return plain;
}

/// Such a sum, taken apart.
class Summed {
 public:
  Summed(Terms& t, TermId sum) : t_(t), open_(t.open(sum)), counts_(open_.guard != TermId::True) {
    elements_ = counts_ ? reads_in(t, open_.guard) : open_.bodies;
  }
  bool counts() const { return counts_; }

  /// Is x zero (or NaN) wherever the facts hold and the sum is zero?
  bool idle(TermId x, TermId facts, int levels) {
    if (x == TermId::Zero || facts == TermId::False || (counts_ && some(facts))) return true;
    const TermNode n = t_[x];
    switch (n.kind) {
      case Kind::Poly: {
        const std::vector<Summand> list = t_.summands(x);
        return std::all_of(list.begin(), list.end(), [&](const Summand& s) { return idle_factor(t_.factors(s.mono), facts, levels); });
      }
      case Kind::Case: {
        const TermId g = t_.kid(x, 0);
        return idle(t_.kid(x, 1), t_.conj(facts, g), levels) && idle(t_.kid(x, 2), t_.conj(facts, t_.negate(g)), levels);
      }
      case Kind::Fold: {
        if (n.sort != Sort::Real || static_cast<ScalarFn>(n.op) != ScalarFn::Add) return false;
        const Opened o = t_.open(x);
        return idle(o.bodies[0], t_.conj(facts, o.guard), levels);
      }
      case Kind::Read: {
        if (!counts_ && point_of(t_, open_, open_.bodies[0], x)) return true;
        const auto inside = levels > 0 ? t_.definition(x, facts) : std::nullopt;
        return inside && idle(*inside, facts, levels - 1);
      }
      default: return false;
    }
  }

  /// By the facts, does the condition hold at some point of the box?
  bool some(TermId facts) {
    for (const TermId x : facts == TermId::True ? std::vector<TermId>() : reads_in(t_, facts))
      for (const TermId element : elements_) {
        const auto map = point_of(t_, open_, element, x);
        if (map && (t_[open_.guard].free & open_.set & ~map->domain) == 0 && t_.decide(t_.substitute(open_.guard, *map), facts) == true) return true;
      }
    return false;
  }

 private:
  bool idle_factor(const std::vector<Factor>& all, TermId facts, int levels) {
    return std::any_of(all.begin(), all.end(), [&](const Factor& f) { return t_.q.sign(f.exp) > 0 && idle(f.term, facts, levels); });
  }

  Terms& t_;
  const Opened open_;
  const bool counts_;
  std::vector<TermId> elements_;  ///< reads of which one point says that the sum is not zero
};

/// max(N, c): N as a factor, N as a sum (of integers, if it is one of these), and c.
struct Limited {
  TermId number, sum;
  RatId least;
};

std::optional<Limited> limited(Terms& t, TermId x) {
  if (t[x].kind == Kind::FromInt && t[t.lin(x)].n == 1 && t[t.lin(x)].c0 == 0) {
    const LinTerm only = t.terms(t.lin(x))[0];
    const AtomNode atom = t[only.atom];
    if (only.coef != 1 || atom.kind != AtomKind::Clamp || t[static_cast<LinId>(atom.arg)].hi > atom.hi) return std::nullopt;
    const auto form = static_cast<LinId>(atom.arg);
    const RatId least = t.q.of(atom.lo);
    const TermId number = t.from_int(form);
    return Limited{number, t.integer(form), least};
  }
  if (t[x].kind != Kind::Fn || static_cast<ScalarFn>(t[x].op) != ScalarFn::Max || t[x].n != 2) return std::nullopt;
  const TermId a = t.kid(x, 0), b = t.kid(x, 1);
  if (t.is_lit(a) == t.is_lit(b)) return std::nullopt;
  const TermId n = t.is_lit(a) ? b : a;
  return Limited{n, n, t.rat(t.is_lit(a) ? a : b)};
}

/// What no element of a count is below, a number above zero.
std::optional<RatId> least_counted(Terms& t, TermId sum) {
  const FoldParts p = t.fold_parts(sum);
  if (p.guard == TermId::True || !(t[sum].sort == Sort::Int ? t.is_num(t.as_lin(p.body)) : t.is_lit(p.body))) return std::nullopt;
  const RatId least = t[sum].sort == Sort::Int ? t.q.of(t.int_range(p.body).first) : t.rat(p.body);
  return t.q.sign(least) > 0 ? std::optional(least) : std::nullopt;
}

}  // namespace

std::optional<RatId> least_where(Terms& t, TermId sum, TermId facts) {
  const auto whole = sum_of(t, sum);
  const auto least = whole ? least_counted(t, *whole) : std::nullopt;
  return least && Summed(t, *whole).some(facts) ? least : std::nullopt;
}

/// Is `sum` one of elements that are not negative, and x zero (or NaN) where it is zero?
bool Terms::idle_without(TermId sum, TermId x) {
  const auto whole = sum_of(*this, sum);
  if (!whole) return false;
  Summed summed(*this, *whole);
  if (!summed.idle(x, TermId::True, kLevels)) return false;
  return count(summed.counts() ? LemmaId::InverseCountOut : LemmaId::InverseOut), true;
}

/// N * max(N, c)^-1 is 1 beside what is zero where N is zero, N a count of elements that are at least c.
bool Terms::drop_share(std::vector<Factor>& list) {
  for (std::size_t k = 0; k < list.size() && list.size() > 2; ++k) {
    const auto share = list[k].exp == q.of(-1) ? limited(*this, list[k].term) : std::nullopt;
    if (!share) continue;
    const auto own = std::find_if(list.begin(), list.end(), [&](const Factor& f) { return f == Factor{share->number, RatId::One}; });
    const auto sum = own != list.end() ? sum_of(*this, share->sum) : std::nullopt;
    const auto least = sum ? least_counted(*this, *sum) : std::nullopt;
    if (!least || q.sign(share->least) <= 0 || q.compare(*least, share->least) < 0) continue;
    const auto beside = [&](const Factor& f) { return q.sign(f.exp) > 0 && f.term != share->number && idle_without(share->sum, f.term); };
    if (std::none_of(list.begin(), list.end(), beside)) continue;
    count(LemmaId::ShareOfCount);
    const Factor both[2] = {*own, list[k]};
    std::erase_if(list, [&](const Factor& f) { return f == both[0] || f == both[1]; });
    return true;
  }
  return false;
}

/// A power below zero of a sum of nonnegative elements beside what is zero where that sum is: where the power is infinite there is 0 * inf
/// in every summand, and outside.
bool FoldBuilder::inverse_leaves(std::span<const Factor> all, const Factor& inverse) {
  if (t_.q.sign(inverse.exp) > 0 || guard_ != TermId::True || std::count(extents_.begin(), extents_.end(), 0) != 0) return false;
  return std::any_of(all.begin(), all.end(), [&](const Factor& f) { return t_.q.sign(f.exp) > 0 && t_.idle_without(inverse.term, f.term); });
}

}  // namespace gg::prover
