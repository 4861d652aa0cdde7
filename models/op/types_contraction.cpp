// Type rules of dot and convolution.
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

namespace {

/// Both operands are floats or both are integers, and so is the result that the text states (dot and convolution may
/// have a wider or narrower result, XLA's preferred_element_type).
ElementType product_element(const Call& call) {
  const Type& lhs = array_operand(call, 0);
  const Type& rhs = array_operand(call, 1);
  const ElementType element = call.result != nullptr ? stated_array(call).element : lhs.element;
  const bool floats = is_float(lhs.element);
  if (is_float(rhs.element) != floats) {
    refuse_operand(name_of(call) + ": products of " + to_string(lhs) + " and " + to_string(rhs) + " are not defined");
  }
  if (is_float(element) != floats) {
    refuse(DiagCode::TypeMismatch, name_of(call) + ": a result of type " + std::string(info(element).name) +
                                       " for operands of type " + std::string(info(lhs.element).name));
  }
  return element;
}

void need_equal_extents(const Call& call, const IntList& lhs_dims, const IntList& rhs_dims, std::string_view what) {
  const Type& lhs = *call.operands[0];
  const Type& rhs = *call.operands[1];
  if (lhs_dims.size() != rhs_dims.size()) {
    refuse_attribute(name_of(call) + ": lhs_" + std::string(what) + "=" + list(lhs_dims) + " and rhs_" +
                     std::string(what) + "=" + list(rhs_dims) + " differ in number");
  }
  for (std::size_t k = 0; k < lhs_dims.size(); ++k) {
    const std::int64_t a = lhs.dims[static_cast<std::size_t>(lhs_dims[k])];
    const std::int64_t b = rhs.dims[static_cast<std::size_t>(rhs_dims[k])];
    if (a != b) {
      refuse_operand(name_of(call) + ": " + std::string(what) + " pair dimension " + std::to_string(lhs_dims[k]) +
                     " of " + to_string(lhs) + " with dimension " + std::to_string(rhs_dims[k]) + " of " +
                     to_string(rhs));
    }
  }
}

/// The numbers of one side of dim_labels are a permutation of 0..rank-1.
void need_labels(const Call& call, int first, int second, const std::vector<int>& spatial, const Type& type,
                 std::string_view side) {
  IntList all = {first, second};
  all.insert(all.end(), spatial.begin(), spatial.end());
  if (static_cast<int>(all.size()) != type.rank()) {
    refuse_attribute("convolution: dim_labels give the " + std::string(side) + " " + std::to_string(all.size()) +
                     " dimensions, but it is " + to_string(type));
  }
  need_dimensions(call, all, type.rank(), "dim_labels");
}

void need_divisible(std::int64_t extent, std::int64_t groups, std::string_view what, std::string_view count) {
  if (extent % groups != 0) {
    refuse_attribute("convolution: " + std::string(what) + " of extent " + std::to_string(extent) +
                     " is not divisible by " + std::string(count) + "=" + std::to_string(groups));
  }
}

}  // namespace

Type dot_type(const Call& call) {
  const Type& lhs = array_operand(call, 0);
  const Type& rhs = array_operand(call, 1);
  const IntList& lhs_batch = call.attributes->ints(Attr::LhsBatchDims);
  const IntList& rhs_batch = call.attributes->ints(Attr::RhsBatchDims);
  const IntList& lhs_contracting = call.attributes->ints(Attr::LhsContractingDims);
  const IntList& rhs_contracting = call.attributes->ints(Attr::RhsContractingDims);
  need_dimensions(call, lhs_batch, lhs.rank(), "lhs_batch_dims");
  need_dimensions(call, rhs_batch, rhs.rank(), "rhs_batch_dims");
  need_dimensions(call, lhs_contracting, lhs.rank(), "lhs_contracting_dims");
  need_dimensions(call, rhs_contracting, rhs.rank(), "rhs_contracting_dims");
  need_disjoint(call, lhs_batch, lhs_contracting, "lhs_batch_dims", "lhs_contracting_dims");
  need_disjoint(call, rhs_batch, rhs_contracting, "rhs_batch_dims", "rhs_contracting_dims");
  need_equal_extents(call, lhs_batch, rhs_batch, "batch_dims");
  need_equal_extents(call, lhs_contracting, rhs_contracting, "contracting_dims");
  std::vector<std::int64_t> dims;
  for (const std::int64_t d : lhs_batch) dims.push_back(lhs.dims[static_cast<std::size_t>(d)]);
  for (int d = 0; d < lhs.rank(); ++d) {
    if (!contains(lhs_batch, d) && !contains(lhs_contracting, d)) dims.push_back(lhs.dims[at(d)]);
  }
  for (int d = 0; d < rhs.rank(); ++d) {
    if (!contains(rhs_batch, d) && !contains(rhs_contracting, d)) dims.push_back(rhs.dims[at(d)]);
  }
  return array_type(call, product_element(call), std::move(dims));
}

Type convolution_type(const Call& call) {
  const Type& lhs = array_operand(call, 0);
  const Type& rhs = array_operand(call, 1);
  const DimLabels& labels = call.attributes->dim_labels();
  const std::vector<WindowDim>& window = call.attributes->window();
  const std::size_t spatial = labels.lhs_spatial.size();
  need_labels(call, labels.lhs_batch, labels.lhs_feature, labels.lhs_spatial, lhs, "input");
  need_labels(call, labels.rhs_input, labels.rhs_output, labels.rhs_spatial, rhs, "kernel");
  if (labels.rhs_spatial.size() != spatial || labels.out_spatial.size() != spatial || window.size() != spatial) {
    refuse_attribute("convolution: " + std::to_string(spatial) + " spatial dimensions of the input, " +
                     std::to_string(labels.rhs_spatial.size()) + " of the kernel, " +
                     std::to_string(labels.out_spatial.size()) + " of the result, " + std::to_string(window.size()) +
                     " of the window");
  }
  IntList out_all = {labels.out_batch, labels.out_feature};
  out_all.insert(out_all.end(), labels.out_spatial.begin(), labels.out_spatial.end());
  need_dimensions(call, out_all, static_cast<int>(spatial) + 2, "dim_labels");

  const std::int64_t feature_groups = call.attributes->integer(Attr::FeatureGroupCount, 1);
  const std::int64_t batch_groups = call.attributes->integer(Attr::BatchGroupCount, 1);
  if (feature_groups < 1 || batch_groups < 1 || (feature_groups > 1 && batch_groups > 1)) {
    refuse_attribute("convolution: feature_group_count=" + std::to_string(feature_groups) +
                     " and batch_group_count=" + std::to_string(batch_groups) + " must be positive and one of them 1");
  }
  const std::int64_t in_features = lhs.dims[at(labels.lhs_feature)];
  const std::int64_t out_features = rhs.dims[at(labels.rhs_output)];
  need_divisible(in_features, feature_groups, "the input feature dimension", "feature_group_count");
  need_divisible(out_features, feature_groups, "the kernel's output feature dimension", "feature_group_count");
  need_divisible(lhs.dims[at(labels.lhs_batch)], batch_groups, "the batch dimension", "batch_group_count");
  need_divisible(out_features, batch_groups, "the kernel's output feature dimension", "batch_group_count");
  if (rhs.dims[at(labels.rhs_input)] != in_features / feature_groups) {
    refuse_operand("convolution: the kernel has " + std::to_string(rhs.dims[at(labels.rhs_input)]) +
                   " input features, but a group has " + std::to_string(in_features / feature_groups));
  }
  std::vector<std::int64_t> dims(spatial + 2);
  dims[at(labels.out_batch)] = lhs.dims[at(labels.lhs_batch)] / batch_groups;
  dims[at(labels.out_feature)] = out_features;
  for (std::size_t k = 0; k < spatial; ++k) {
    if (window[k].size != rhs.dims[at(labels.rhs_spatial[k])]) {
      refuse_attribute("convolution: the window has size " + std::to_string(window[k].size) + " in spatial dimension " +
                       std::to_string(k) + ", the kernel " + std::to_string(rhs.dims[at(labels.rhs_spatial[k])]));
    }
    dims[at(labels.out_spatial[k])] = window_places(call, window[k], lhs.dims[at(labels.lhs_spatial[k])]);
  }
  return array_type(call, product_element(call), std::move(dims));
}

}  // namespace gg
