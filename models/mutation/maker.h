// Instructions that a patch adds, each with the type and the attributes that it needs.
#pragma once

#include <array>
#include <vector>

#include "models/mutation/patch.h"

namespace gg::mutation {

/// What reductions over ranks combine with.
inline constexpr Op kSum = Op::Add, kLargest = Op::Maximum, kSmallest = Op::Minimum;
inline constexpr std::array kReductions = {kSum, kLargest, kSmallest};
inline constexpr Op kRemainder = Op::Remainder;
/// What all_gather makes.
inline constexpr Op kGather = Op::AllGather;

using RankGroups = std::vector<std::vector<std::int64_t>>;

/// Makes values in a patch of `module`, all three of which it refers to. Results have no layout; element types of operands are the caller's
/// care.
class Maker {
 public:
  Maker(const Module& module, RankLayout layout, Patch& patch) : module_(module), layout_(layout), patch_(patch) {}

  /// Without its layout.
  Type type(Ref value) const;

  Ref constant(ConstantArray values);
  /// A number spread over the dimensions.
  Ref full(Scalar number, const IntList& dims);
  Ref whole(ElementType element, std::int64_t number, const IntList& dims = {}) { return full(Scalar::whole(element, number), dims); }
  /// 0, 1, ... along the one dimension.
  Ref count(ElementType element, std::int64_t extent);

  /// Element by element; the type is that of the last operand.
  Ref apply(Op op, std::vector<Ref> operands);
  Ref sum(Ref a, Ref b);
  Ref difference(Ref a, Ref b);
  Ref product(Ref a, Ref b);
  Ref exponential(Ref a);
  Ref both(Ref a, Ref b);
  Ref select(Ref mask, Ref a, Ref b);
  Ref compare(Ref a, Ref b, const char* direction);
  Ref convert(Ref value, ElementType element);
  /// value * factor; divided by the whole number where the factor is below 1.
  Ref scaled(Ref value, double factor);

  Ref reshape(Ref value, IntList dims);
  /// Laid into the dimensions `at` of a wider array.
  Ref broadcast(Ref value, const IntList& dims, const IntList& at);
  /// Dimension d of the result is dimension `order[d]` of the value.
  Ref transpose(Ref value, const IntList& order);
  Ref concatenate(const std::vector<Ref>& parts, std::size_t dim);
  /// [start, limit) of one dimension.
  Ref slice(Ref value, std::size_t dim, std::int64_t start, std::int64_t limit);
  /// A part of these extents, from the scalars `begins` on.
  Ref part(Ref value, const IntList& dims, const std::vector<Ref>& begins);
  Ref element(Ref tuple, std::size_t index, const Type& type);

  Ref all_reduce(Ref value, const RankGroups& groups, Op reducer);
  /// Blocks of the ranks of each group, joined along a dimension.
  Ref all_gather(Ref value, const RankGroups& groups, std::size_t dim);
  Ref permute(Ref value, PairList pairs);
  /// Scalar u32: the number of the own rank, as the module numbers ranks.
  Ref rank();
  /// Scalar: this rank's entry of a table of one a rank.
  Ref by_rank(const std::vector<std::int64_t>& entries, ElementType element);
  /// Scalar: the entry of this rank in the row of `round`, an integer scalar; the last row after it.
  Ref by_round(const std::vector<std::int64_t>& entries, Ref round, ElementType element);
  /// Scalar: the position of the own rank in its group, times `step`.
  Ref position(const RankGroups& groups, ElementType element, std::int64_t step = 1);

 private:
  Ref add(Op op, const Type& type, std::vector<Ref> operands, Attributes attributes = {}, std::optional<Reducer> reducer = {});
  Ref entry(Ref table, const std::vector<Ref>& at);
  Ref table(const std::vector<std::int64_t>& entries, const IntList& dims, ElementType element);
  bool by_partition() const { return layout_.partitions > 1; }

  const Module& module_;
  RankLayout layout_;
  Patch& patch_;
};

/// Attributes of a collective with these groups, in the way of numbering ranks that the layout asks for.
Attributes group_attributes(const RankGroups& groups, RankLayout layout);

}  // namespace gg::mutation
