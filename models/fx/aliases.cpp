#include "models/fx/aliases.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gg::fx {
namespace {

constexpr View kViews[] = {{"_c10d_functional.wait_tensor.default", Inverse::Same},
                           {"aten._reshape_alias.default", Inverse::Shape},
                           {"aten._unsafe_view.default", Inverse::Shape},
                           {"aten.alias.default", Inverse::Same},
                           {"aten.as_strided.default", Inverse::None},
                           {"aten.detach.default", Inverse::Same},
                           {"aten.expand.default", Inverse::None},
                           {"aten.permute.default", Inverse::Permute},
                           {"aten.select.int", Inverse::Select},
                           {"aten.slice.Tensor", Inverse::Slice},
                           {"aten.split.Tensor", Inverse::Split},
                           {"aten.split_with_sizes.default", Inverse::SplitSizes},
                           {"aten.squeeze.default", Inverse::Shape},
                           {"aten.squeeze.dim", Inverse::Shape},
                           {"aten.squeeze.dims", Inverse::Shape},
                           {"aten.t.default", Inverse::Itself},
                           {"aten.transpose.int", Inverse::Itself},
                           {"aten.unbind.int", Inverse::Unbind},
                           {"aten.unsqueeze.default", Inverse::Shape},
                           {"aten.diagonal.default", Inverse::Diagonal},
                           {"aten.unfold.default", Inverse::None},
                           {"aten.unsafe_split.Tensor", Inverse::Split},
                           {"aten.unsafe_split_with_sizes.default", Inverse::SplitSizes},
                           {"aten.view.default", Inverse::Shape},
                           {"aten.unflatten.int", Inverse::Shape},
                           {"aten.view_as.default", Inverse::Shape},
                           {"aten.mT.default", Inverse::Itself},
                           {"aten.numpy_T.default", Inverse::Itself},
                           {"aten.broadcast_to.default", Inverse::None},
                           {"aten.chunk.default", Inverse::None},
                           {"aten.expand_as.default", Inverse::None},
                           {"aten.movedim.int", Inverse::None},
                           {"aten.narrow.default", Inverse::None},
                           {"aten.tensor_split.sections", Inverse::None},
                           {"aten._conj.default", Inverse::None},
                           {"aten.view_as_complex.default", Inverse::None},
                           {"aten.view_as_real.default", Inverse::None}};
/// Views or copies, as strides have it; the tensor itself or a copy, as types have it.
constexpr std::string_view kPerhaps[] = {"aten.channel_shuffle.default", "aten.contiguous.default", "aten.dropout.default", "aten.flatten.using_ints", "aten.pixel_shuffle.default", "aten.pixel_unshuffle.default",
                                         "aten.ravel.default", "aten.reshape.default", "aten.resolve_conj.default", "aten.to.dtype", "aten.to.dtype_layout", "aten.type_as.default"};

/// Writes of the shape alone: the tensor is from then on this view of what it was.
constexpr std::pair<std::string_view, std::string_view> kReshaping[] = {
    {"aten.squeeze_.default", "aten.squeeze.default"}, {"aten.squeeze_.dim", "aten.squeeze.dim"}, {"aten.squeeze_.dims", "aten.squeeze.dims"}, {"aten.swapaxes_.default", "aten.transpose.int"}, {"aten.swapdims_.default", "aten.transpose.int"}, {"aten.t_.default", "aten.t.default"}, {"aten.transpose_.default", "aten.transpose.int"}, {"aten.unsqueeze_.default", "aten.unsqueeze.default"}};

constexpr std::string_view kBatchNorm = "aten._native_batch_norm_legit_functional.default";
constexpr Updates kUpdates[] = {{"aten._batch_norm_with_update.default", "aten._batch_norm_with_update_functional.default", 3, 0, 4, false},
                                {"aten._native_batch_norm_legit.default", kBatchNorm, 3, 5, 3, false},
                                {"aten.batch_norm.default", kBatchNorm, 3, 5, 3, true},
                                {"aten.native_batch_norm.default", kBatchNorm, 3, 5, 3, false}};

/// Fused optimizers: parameters, first and second moments, largest second moments.
constexpr std::string_view kFused[] = {"aten._fused_adam_.default", "aten._fused_adamw_.default"};
constexpr std::size_t kOptimizerLists[] = {0, 2, 3, 4};

}  // namespace

bool writes(const Statement& statement) {
  if (statement.kind != Statement::Kind::Call) return false;
  const std::size_t dot = statement.target.rfind('.');
  const bool in_place = dot != std::string::npos && dot > 1 && statement.target[dot - 1] == '_' && statement.target[dot - 2] != '_';
  const std::string overload = dot == std::string::npos ? "" : "_" + statement.target.substr(dot + 1) + "_";
  const bool given = std::any_of(statement.keywords.begin(), statement.keywords.end(), [](const auto& k) { return k.first == "out"; });
  return in_place || given || overload.find("_out_") != std::string::npos;
}

const Updates* updates(const Statement& statement) {
  const auto found = std::find_if(std::begin(kUpdates), std::end(kUpdates), [&](const Updates& row) { return row.target == statement.target; });
  if (statement.kind != Statement::Kind::Call || found == std::end(kUpdates) || statement.arguments.size() <= found->statistics + 1) return nullptr;
  const auto& given = statement.arguments;
  const bool training = found->training == 0 || (found->training < given.size() && given[found->training].integer != 0);
  return training && given[found->statistics].kind == Argument::Kind::Name ? found : nullptr;
}

std::span<const std::size_t> written_lists(std::string_view target) {
  const bool fused = std::find(std::begin(kFused), std::end(kFused), target) != std::end(kFused);
  return fused ? std::span<const std::size_t>(kOptimizerLists) : std::span<const std::size_t>();
}

const View* view_of(std::string_view target) {
  const auto found = std::find_if(std::begin(kViews), std::end(kViews), [&](const View& v) { return v.target == target; });
  return found == std::end(kViews) ? nullptr : found;
}

bool perhaps_view(std::string_view target) { return std::find(std::begin(kPerhaps), std::end(kPerhaps), target) != std::end(kPerhaps); }

std::string_view reshaping(std::string_view target) {
  const auto found = std::find_if(std::begin(kReshaping), std::end(kReshaping), [&](const auto& row) { return row.first == target; });
  return found == std::end(kReshaping) ? std::string_view() : found->second;
}

bool may_alias(std::string_view target) { return view_of(target) != nullptr || perhaps_view(target); }

}  // namespace gg::fx
