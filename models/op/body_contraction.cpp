// Bodies of dot and convolution: sums of products.
#include "models/op/body_support.h"
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

namespace {

/// The type in which products are taken and summed: the widest of operands and result, f32 where two narrow float
/// types do not contain each other.
ElementType product_type(const Call& call, ElementType result) {
  ElementType wide = result;
  for (const Type* operand : call.operands) {
    const ElementInfo& a = info(wide);
    const ElementInfo& b = info(operand->element);
    if (is_float(wide)) {
      const bool contained = a.significand >= b.significand && a.high >= b.high && a.low <= b.low;
      const bool contains = b.significand >= a.significand && b.high >= a.high && b.low <= a.low;
      if (!contained) wide = contains ? operand->element : ElementType::F32;
    } else if (b.bits > a.bits) {
      wide = operand->element;
    }
  }
  return wide;
}

ExprId product(Lift& lift, ElementType wide, std::span<const LinId> lhs, std::span<const LinId> rhs) {
  const ExprId both[] = {lift.convert(lift.read(0, lhs), wide), lift.convert(lift.read(1, rhs), wide)};
  return lift.arena.fn(ScalarFn::Multiply, wide, both);
}

ExprId sum(Lift& lift, ElementType wide, std::span<const std::int64_t> extents, GuardId guard, ExprId body) {
  const ExprId zero = unit_of(lift.arena, ScalarFn::Add, wide);
  return lift.convert(lift.arena.fold(ScalarFn::Add, zero, lift.depth(), extents, guard, body), lift.type.element);
}

}  // namespace

Body dot_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const Attributes& attributes = *call.attributes;
  const IntList& lhs_batch = attributes.ints(Attr::LhsBatchDims);
  const IntList& rhs_batch = attributes.ints(Attr::RhsBatchDims);
  const IntList& lhs_contracting = attributes.ints(Attr::LhsContractingDims);
  const IntList& rhs_contracting = attributes.ints(Attr::RhsContractingDims);
  std::vector<LinId> lhs(call.operands[0]->dims.size()), rhs(call.operands[1]->dims.size());
  std::size_t next = 0;
  for (std::size_t k = 0; k < lhs_batch.size(); ++k, ++next) {
    lhs[at(lhs_batch[k])] = rhs[at(rhs_batch[k])] = lift.index[next];
  }
  std::vector<std::int64_t> extents;
  for (std::size_t k = 0; k < lhs_contracting.size(); ++k) {
    extents.push_back(call.operands[0]->dims[at(lhs_contracting[k])]);
    lhs[at(lhs_contracting[k])] = rhs[at(rhs_contracting[k])] = lift.fold_var(static_cast<int>(k), extents.back());
  }
  for (std::size_t d = 0; d < lhs.size(); ++d) {
    const auto dim = static_cast<std::int64_t>(d);
    if (!contains(lhs_batch, dim) && !contains(lhs_contracting, dim)) lhs[d] = lift.index[next++];
  }
  for (std::size_t d = 0; d < rhs.size(); ++d) {
    const auto dim = static_cast<std::int64_t>(d);
    if (!contains(rhs_batch, dim) && !contains(rhs_contracting, dim)) rhs[d] = lift.index[next++];
  }
  const ElementType wide = product_type(call, lift.type.element);
  return lift.finish(sum(lift, wide, extents, arena.always(), product(lift, wide, lhs, rhs)));
}

Body convolution_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const DimLabels& labels = call.attributes->dim_labels();
  const Type& input = *call.operands[0];
  const Type& kernel = *call.operands[1];
  const std::int64_t feature_groups = call.attributes->integer(Attr::FeatureGroupCount, 1);
  const std::int64_t batch_groups = call.attributes->integer(Attr::BatchGroupCount, 1);
  const std::int64_t out_features = kernel.dims[at(labels.rhs_output)];
  const std::int64_t group_features = kernel.dims[at(labels.rhs_input)];
  const LinId out_feature = lift.at(labels.out_feature);

  std::vector<LinId> lhs(input.dims.size()), rhs(kernel.dims.size());
  std::vector<std::int64_t> extents;
  std::vector<GuardId> inside;
  for (std::size_t k = 0; k < labels.lhs_spatial.size(); ++k) {
    const WindowDim& window = call.attributes->window()[k];
    const LinId tap = lift.fold_var(static_cast<int>(k), window.size);
    extents.push_back(window.size);
    const LinId place = arena.offset(
        arena.axpy(window.stride, lift.at(labels.out_spatial[k]), arena.scale(window.window_dilation, tap)),
        -window.pad_low);
    const std::int64_t n = input.dims[at(labels.lhs_spatial[k])];
    inside.push_back(arena.between(0, place, dilated(call, n, window.base_dilation)));
    inside.push_back(arena.eq0(arena.mod(place, window.base_dilation)));
    lhs[at(labels.lhs_spatial[k])] = arena.div(place, window.base_dilation);
    rhs[at(labels.rhs_spatial[k])] = window.reversal ? arena.sub(arena.constant(window.size - 1), tap) : tap;
  }
  const LinId feature = lift.fold_var(static_cast<int>(extents.size()), group_features);
  extents.push_back(group_features);
  // Group g of features reads its own input features; group g of batches reads its own part of the batch.
  const LinId feature_group = arena.div(out_feature, std::max<std::int64_t>(1, out_features / feature_groups));
  const LinId batch_group = arena.div(out_feature, std::max<std::int64_t>(1, out_features / batch_groups));
  const std::int64_t group_batch = input.dims[at(labels.lhs_batch)] / batch_groups;
  lhs[at(labels.lhs_feature)] = feature_groups == 1 ? feature : arena.axpy(group_features, feature_group, feature);
  lhs[at(labels.lhs_batch)] =
      batch_groups == 1 ? lift.at(labels.out_batch) : arena.axpy(group_batch, batch_group, lift.at(labels.out_batch));
  rhs[at(labels.rhs_input)] = feature;
  rhs[at(labels.rhs_output)] = out_feature;
  const ElementType wide = product_type(call, lift.type.element);
  return lift.finish(sum(lift, wide, extents, arena.all(inside), product(lift, wide, lhs, rhs)));
}

}  // namespace gg
