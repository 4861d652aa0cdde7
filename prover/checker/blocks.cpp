#include "prover/checker/blocks.h"

#include <algorithm>

#include "prover/checker/choice.h"
#include "prover/checker/index.h"
#include "prover/checker/memo.h"
#include "prover/checker/rewrite.h"

namespace gg::checker {
namespace {

struct Blocks {
  Var of;
  Size length;
  Size count;
};

// The variable with the fewest blocks. A comparison of several variables as they are is none of it: below, at or above zero is less to look at.
std::optional<Blocks> blocks_of(const Terms& t, Test test, std::int64_t most) {
  std::optional<Blocks> best;
  const std::vector<Part>& parts = t[t[test].index].parts;
  const auto plain = [&](const Part& p) { return t[p.atom].kind == AtomKind::Variable; };
  const std::vector<Var>& free = t[t[test].free];
  if (free.size() > 1 && std::all_of(parts.begin(), parts.end(), plain)) return best;
  for (const Var v : free) {
    Size length = 0;
    for (const Part& p : parts) {
      if (!t.contains(t[p.atom].free, v)) continue;
      const Size here = !plain(p) && one_variable(t, p.atom) ? t[p.atom].m : Size(1);
      length = same(length, 0) ? here : common(length, here);
    }
    if (!divides(length, t[v].extent)) length = 1;
    const Size count = t[v].extent / length;
    if (small(count, most) && (!best || at_text(count) < at_text(best->count))) best = {v, length, count};
  }
  return best;
}

}  // namespace

std::optional<std::vector<Block>> in_blocks(Terms& t, Test test, Value a, Value b, const std::vector<Literal>& known, std::int64_t most) {
  const auto blocks = blocks_of(t, test, most);
  if (!blocks) return std::nullopt;
  std::vector<Block> all;
  const VarNode v = t[blocks->of];
  for (Size k = 0; k < blocks->count; ++k) {
    Substitution here(t, {{blocks->of, offset(t, variable(t, t.var(v.space, v.number, blocks->length)), k * blocks->length)}});
    std::vector<Literal> path;
    bool excluded = false;
    for (const Literal& l : known) {
      const Value there = here.condition(l.test);
      excluded = excluded || there == boolean(t, !l.holds);
      if (const auto one = literal_of(t, there)) path.push_back({one->test, one->holds == l.holds});
    }
    if (!excluded) all.push_back({here(a), here(b), std::move(path)});
  }
  return all;
}

std::vector<Literal> at_ends(Terms& t, Test equality) {
  const Index l = t[equality].index;
  const std::vector<Part> parts = t[l].parts;
  for (const bool least : {true, false}) {
    Size total = t[l].c0;
    std::vector<Literal> all;
    bool known = true;
    for (const Part& p : parts) {
      const Index own = atom_form(t, p.atom);
      const Size end = least == (p.coef > 0) ? t[own].lo : t[own].hi;
      known = known && near(end);
      if (!known) break;
      total = total + p.coef * end;
      all.push_back({t.intern(TestNode{TestKind::Eq, offset(t, own, -end)}), true});
    }
    if (known && same(total, 0)) return all;
  }
  return {};
}

}  // namespace gg::checker
