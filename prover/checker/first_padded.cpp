// Index forms where a condition holds (docs/certificate.md, R, Joins): the places of a padded row.
#include <map>

#include "prover/checker/choice.h"
#include "prover/checker/first.h"

namespace gg::checker {
namespace {

constexpr std::int64_t kMostPoints = 65536;

// The variables' values at the k-th point of their box, the first variable fastest.
std::map<Var, Size> point_of(const Terms& t, const std::vector<Var>& vars, std::int64_t k) {
  std::map<Var, Size> at;
  for (const Var v : vars) {
    const std::int64_t n = at_text(t[v].extent);
    at[v] = k % n;
    k /= n;
  }
  return at;
}

}  // namespace

Index affine_where(Terms& t, Index form, Literal g) {
  const TestNode test = t[g.test];
  if (test.kind == TestKind::Truth || has_data(t, form) || has_data(t, test.index)) return form;
  const std::vector<Var> vars = t[t.unite(t[form].free, test.free)];
  std::int64_t points = 1;
  for (const Var v : vars) {
    if (!small(t[v].extent, kMostPoints)) return form;
    points *= at_text(t[v].extent);
    if (points > kMostPoints) return form;
  }
  std::map<std::int64_t, Size> values;
  for (std::int64_t k = 0; k < points; ++k) {
    t.step();
    const std::map<Var, Size> at = point_of(t, vars, k);
    const auto value = [&](Var v) { return at.at(v); };
    const Size tested = evaluate(t, test.index, value);
    if ((test.kind == TestKind::Ge ? tested >= 0 : same(tested, 0)) == g.holds) values.emplace(k, evaluate(t, form, value));
  }
  if (values.empty()) return form;
  Index fit = constant(t, values.begin()->second);
  const std::map<Var, Size> first = point_of(t, vars, values.begin()->first);
  std::int64_t stride = 1;
  for (const Var v : vars) {
    const std::int64_t n = at_text(t[v].extent);
    for (const auto& [k, value] : values) {
      const auto next = k / stride % n + 1 < n ? values.find(k + stride) : values.end();
      if (next == values.end()) continue;
      fit = axpy(t, next->second - value, offset(t, variable(t, v), -first.at(v)), fit);
      break;
    }
    stride *= n;
  }
  for (const auto& [k, value] : values) {
    const std::map<Var, Size> at = point_of(t, vars, k);
    if (!same(evaluate(t, fit, [&](Var v) { return at.at(v); }), value)) return form;
  }
  return fit;
}

}  // namespace gg::checker
