#include "prover/term/around.h"

namespace gg::prover {

std::optional<TermId> around(Terms& t, TermId guard, TermId a, TermId b) {
  if (t[guard].kind != Kind::Ge || !t[t.lin(guard)].data || a == TermId::Unknown || b == TermId::Unknown) return std::nullopt;
  for (const bool holds : {true, false}) {
    const LinId j = holds ? t.lin(guard) : t.offset(t.scale(-1, t.lin(guard)), -1);
    const TermId yes = holds ? a : b, no = holds ? b : a;
    const auto size = [&](LinId x, LinId y) -> std::int64_t {  // n, or 0
      const LinId apart = t.sub(y, x);
      return t.is_num(apart) && t[apart].c0 > 0 && t[j].lo >= -t[apart].c0 && t[j].hi < t[apart].c0 ? t[apart].c0 : 0;
    };
    if (t[yes].kind == Kind::Read && t[no].kind == Kind::Read && t[yes].sort != Sort::Int) {
      if (t.anchor_of(yes) != t.anchor_of(no)) continue;
      std::vector<LinId> at = t.index_of(yes);
      const std::vector<LinId> other = t.index_of(no);
      std::int64_t n = 0;
      bool one = true;
      for (std::size_t k = 0; k < at.size(); ++k) {
        if (at[k] == other[k]) continue;
        one = one && n == 0 && at[k] == j && (n = size(j, other[k])) > 0;
        if (one) at[k] = t.mod(j, n);
      }
      if (one && n > 0) return t.count(LemmaId::ReadAround), t.read(t.anchor_of(yes), at);
    } else if (t[yes].sort == Sort::Int && t[no].sort == Sort::Int) {
      const LinId x = t.as_lin(yes), more = t.sub(x, j);
      const std::int64_t n = t.is_num(more) ? size(x, t.as_lin(no)) : 0;
      if (n > 0) return t.count(LemmaId::IntegerAround), t.integer(t.add(t.mod(j, n), more));
    }
  }
  return std::nullopt;
}

}  // namespace gg::prover
