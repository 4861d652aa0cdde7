#include "kernels/plan/known_folds.h"

#include "kernels/plan/rewrite.h"

namespace gg {

struct KnownFolds::Impl {
  explicit Impl(const Arena& given) : arena(given), levels(given) {}
  const Arena& arena;
  plan::Levels levels;
  std::unordered_map<std::uint32_t, std::vector<int>> of;
};

KnownFolds::KnownFolds(const Arena& arena) : impl_(std::make_unique<Impl>(arena)) {}
KnownFolds::~KnownFolds() = default;

const std::vector<int>& KnownFolds::levels(ExprId fold) {
  const auto [entry, fresh] = impl_->of.try_emplace(fold.value);
  if (fresh) {
    const auto mask = impl_->levels.of(fold);
    for (int level = 0; level < impl_->arena[fold].fold_level; ++level) {
      if ((mask & plan::bit(level)) != 0) entry->second.push_back(level);
    }
  }
  return entry->second;
}

}  // namespace gg
