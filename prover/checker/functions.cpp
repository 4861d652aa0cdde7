#include "prover/checker/functions.h"

#include <algorithm>
#include <map>

#include "prover/checker/index.h"
#include "prover/checker/rewrite.h"

namespace gg::checker {
namespace {

constexpr std::int64_t kMaxFunction = 8192;  ///< points, of which all values are kept

class Respelling : public Rewriter {
 public:
  explicit Respelling(Terms& t) : Rewriter(t) {}
  using Rewriter::operator();
  Index operator()(Index a) override {
    const Index made = Rewriter::operator()(a);
    return multiples(t_[made]) || has_data(t_, made) ? made : first_of(made);
  }

 protected:
  bool unchanged(VarSet) override { return false; }

 private:
  /// Multiples of variables alone, which stay: a quotient may be the first of its values, v/4 that of v/2 - (v+2)/4 for v < 8.
  bool multiples(const IndexNode& node) const {
    return std::ranges::all_of(node.parts, [&](const Part& p) { return t_[p.atom].kind == AtomKind::Variable; });
  }

  /// The first form of the same values; above its value at the origin, so that forms which differ by a number are one function.
  Index first_of(Index a) {
    const std::vector<Var> vars = t_[t_[a].free];
    const std::vector<Size> values = values_of(t_, a, vars, kMaxFunction);
    if (values.empty()) return a;
    std::vector<std::int64_t> key;
    for (const Size& value : values) {
      if (!small(value - values[0], INT64_MAX)) return a;  // a size that is free is no number
      key.push_back(at_text(value - values[0]));
    }
    for (const Var v : vars) key.push_back(v.id);
    return offset(t_, spellings_.try_emplace(std::move(key), offset(t_, a, -values[0])).first->second, values[0]);
  }

  std::map<std::vector<std::int64_t>, Index> spellings_;  // by values and variables
};

}  // namespace

std::vector<Size> values_of(const Terms& t, Index a, const std::vector<Var>& vars, std::int64_t most) {
  std::int64_t box = 1;
  for (const Var v : vars) {
    if (!small(t[v].extent, most / box)) return {};
    box *= static_cast<std::int64_t>(t[v].extent);
  }
  std::vector<std::int64_t> at(vars.size(), 0);
  const auto point = [&](Var v) { return at[static_cast<std::size_t>(std::lower_bound(vars.begin(), vars.end(), v) - vars.begin())]; };
  std::vector<Size> values;
  while (static_cast<std::int64_t>(values.size()) < box) {
    values.push_back(evaluate(t, a, point));
    for (std::size_t k = 0; k < vars.size() && ++at[k] == static_cast<std::int64_t>(t[vars[k]].extent); ++k) at[k] = 0;
  }
  return values;
}

bool spelled_alike(Terms& t, Value a, Value b) {
  Respelling spell(t);
  return spell(a) == spell(b);
}

}  // namespace gg::checker
