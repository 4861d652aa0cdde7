// Cases by conditions on indices (`data`: by others) outside of what is computed with them: a*case(g, x, y) + b*case(g, z, w) is
// case(g, a*x + b*z, a*y + b*w), as the checker writes all its terms.
#include <unordered_set>

#include "prover/term/form_walk.h"
#include "prover/term/store.h"

namespace gg::prover {
namespace {

constexpr int kMaxOutside = 64;

/// The least comparison that a case outside of folds hangs on; the branches of both sides are then taken in one order.
class LeastTest {
 public:
  LeastTest(const Terms& terms, bool data) : t_(terms), data_(data) {}

  std::optional<TermId> of(TermId id) {
    visit(id);
    return least_;
  }

 private:
  void guard(TermId g) {
    const Kind kind = t_[g].kind;
    if (kind == Kind::And || kind == Kind::Or || kind == Kind::Not) {
      for (const std::uint32_t k : t_.kids(g)) guard(static_cast<TermId>(k));
    } else if (!least_ || g < *least_) {
      least_ = g;
    }
  }
  void visit(TermId id) {
    const TermNode& n = t_[id];
    if ((n.flags & kHasGuards) == 0 || n.sort != Sort::Real || !seen_.insert(raw(id)).second) return;
    if (n.kind == Kind::Case && t_.index_guard(t_.kid(id, 0)) != data_) guard(t_.kid(id, 0));
    if (n.kind == Kind::Fold || n.kind == Kind::Row) return;
    for_each_part(
        t_, id, [&](TermId k) { visit(k); }, [](LinId, bool) {});
  }

  const Terms& t_;
  bool data_;
  std::optional<TermId> least_;
  std::unordered_set<std::uint32_t> seen_;
};

std::optional<TermId> spread(Terms& t, TermId id, bool data, int& branches) {
  const auto test = LeastTest(t, data).of(id);
  if (!test) return id;
  if (--branches <= 0) return std::nullopt;
  const auto yes = spread(t, t.assume(id, *test), data, branches);
  const auto no = yes ? spread(t, t.assume(id, t.negate(*test)), data, branches) : std::nullopt;
  return no ? std::optional(t.choose(*test, *yes, *no)) : std::nullopt;
}

}  // namespace

TermId Terms::cases_outside(TermId id, bool data) {
  int branches = kMaxOutside;
  return spread(*this, id, data, branches).value_or(id);
}

}  // namespace gg::prover
