// Folds of a body that do not depend on all of its levels (the mean in a norm, the maximum in a softmax), kept when single elements are made.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "kernels/plan/plan.h"

namespace gg {

/// Values of the folds of one body, while its operands stay what they are.
class KnownFolds {
 public:
  explicit KnownFolds(const Arena& arena);
  ~KnownFolds();
  /// The levels outside of a fold on which it depends, ascending.
  const std::vector<int>& levels(ExprId fold);
  /// Its value where the levels stand `at`: made by `make` when first asked.
  template <class Make>
  Cell value(ExprId fold, std::span<const std::int64_t> at, const Make& make) {
    std::vector<std::int64_t> key{fold.value};
    for (const int level : levels(fold)) key.push_back(at[static_cast<std::size_t>(level)]);
    const auto known = values_.find(key);
    return known != values_.end() ? known->second : values_.emplace(std::move(key), make()).first->second;
  }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::map<std::vector<std::int64_t>, Cell> values_;
};

}  // namespace gg
