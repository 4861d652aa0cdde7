// Folds that depend on few of the output's levels: the mean in a norm, the maximum in a softmax, seen from every element
// of a row. Inside the loops they would be folded anew for each element; taken out they are folded once into a buffer.
#include "kernels/plan/rewrite.h"
#include "models/body/reads.h"
#include "models/type/type.h"

namespace gg::plan {

namespace {

constexpr std::int64_t kWorthwhile = 4;  // elements of a fold's box

// Only below functions, which evaluate all their arguments: a branch of a case may read out of range elsewhere.
class Hoister final : public FoldTaker<FoldSource> {
  using FoldTaker::FoldTaker;

  ExprId fold(ExprId id, const Expr& e) override {
    const Mask used = levels_.of(id);
    std::int64_t repeated = 1;
    for (std::size_t l = 0; l < extents_.size(); ++l) repeated *= (used & bit(static_cast<int>(l))) == 0 ? extents_[l] : 1;
    // An unknown value belongs to an output element, not to a fold.
    if (element_count(arena_.extents(id)) < kWorthwhile || repeated == 1 || has_unknown(arena_, id)) return id;
    return taken({id, used}, e.type);
  }
};

}  // namespace

ExprId take_folds(Arena& arena, ExprId root, std::span<const std::int64_t> extents, int first_buffer,
                  std::vector<FoldSource>& folds) {
  if (arena[root].kind != ExprKind::Fn) return root;
  return Hoister(arena, false, extents, first_buffer, folds).rewrite(root);
}

}  // namespace gg::plan
