#include "prover/checker/at_ends.h"

#include "prover/checker/classes.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/unfold.h"

namespace gg::checker {
namespace {

constexpr int kEndLevels = 3;  // of definitions

}  // namespace

bool positive_at_end(Terms& t, const ValueNode& node) {
  const ValueNode read = t[node.kids[0]];
  const auto inside = t[node.path].literals.empty() && read.kind == ValueKind::Read && t.defined(read.ref) ? t.anchors[read.ref].definition : std::nullopt;
  if (!inside || t[*inside].kind != ValueKind::Fn || t[*inside].fn != ScalarFn::Exp || !classes_of(t, node.kids[0]).nonnegative()) return false;
  for (const bool last : {false, true}) {
    std::vector<std::pair<Var, Index>> point;
    for (const Var v : node.vars) point.emplace_back(v, constant(t, last ? t[v].extent - 1 : Size(0)));
    Value element = Substitution(t, std::move(point))(node.kids[0]);
    for (int level = 0; level < kEndLevels; ++level) {
      element = unfold_all(t, element, 1);
      if (classes_of(t, element).positive()) return true;
    }
  }
  return false;
}

}  // namespace gg::checker
