// Private to kernels/: a region (a computation used as a scalar function) as a straight list of row operations, for
// operators that apply it in an order: sort, scatter, reductions without monoid.
#pragma once

#include <span>
#include <vector>

#include "kernels/numbers/rows.h"
#include "models/op/op.h"

namespace gg::kernels {

/// Elements that the kernels which apply a region evaluate at a time.
inline constexpr std::int64_t kRegionRow = 256;

class RegionProgram {
 public:
  /// Rows are at most `longest` elements. Throws InternalError on expressions that no region has (folds, index forms).
  RegionProgram(const Arena& arena, const Region& region, NumberMode mode, std::int64_t longest);

  /// Evaluates all results on rows of n parameters. A parameter row may be read until the next run.
  void run(std::span<const Row> parameters, std::int64_t n, TieCounter& ties);
  std::size_t results() const { return results_.size(); }
  /// Row of result k of the last run; it may be a row of a parameter.
  Row result(std::size_t k) const { return registers_[results_[k]].row; }
  Storage result_storage(std::size_t k) const { return registers_[results_[k]].storage; }

 private:
  struct Register {
    Row row{nullptr, 0};
    Storage storage;
    ElementType type;
    Buffer buffer;       ///< of functions and literals
    int parameter = -1;  ///< >= 0: the row of that parameter
  };
  struct Step {
    ScalarFn fn;
    std::size_t target;
    std::vector<std::size_t> arguments;
  };
  std::size_t add(const Arena& arena, ExprId id, NumberMode mode, std::int64_t longest);
  std::size_t literal(const Scalar& value, NumberMode mode);

  NumberMode mode_;
  std::vector<Register> registers_;
  std::vector<std::pair<ExprId, std::size_t>> known_;  ///< expressions already evaluated
  std::vector<Step> steps_;
  std::vector<std::size_t> results_;
  std::vector<Row> rows_;  ///< scratch of one step
  std::vector<Storage> storages_;
  std::vector<ElementType> types_;
};

}  // namespace gg::kernels
