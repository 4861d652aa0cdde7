#include "models/fx/aliases.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace gg::fx {
namespace {

constexpr View kViews[] = {{"aten._reshape_alias.default", Inverse::Shape}, {"aten._unsafe_view.default", Inverse::Shape}, {"aten.alias.default", Inverse::Same},
                           {"aten.as_strided.default", Inverse::None},      {"aten.detach.default", Inverse::Same},        {"aten.expand.default", Inverse::None},
                           {"aten.permute.default", Inverse::Permute},      {"aten.select.int", Inverse::Select},          {"aten.slice.Tensor", Inverse::Slice},
                           {"aten.split.Tensor", Inverse::Split},           {"aten.split_with_sizes.default", Inverse::SplitSizes}, {"aten.squeeze.default", Inverse::Shape},
                           {"aten.squeeze.dim", Inverse::Shape},            {"aten.squeeze.dims", Inverse::Shape},         {"aten.t.default", Inverse::Itself},
                           {"aten.transpose.int", Inverse::Itself},         {"aten.unbind.int", Inverse::Unbind},          {"aten.unsqueeze.default", Inverse::Shape},
                           {"aten.diagonal.default", Inverse::Diagonal},    {"aten.unfold.default", Inverse::None},        {"aten.unsafe_split.Tensor", Inverse::Split},
                           {"aten.unsafe_split_with_sizes.default", Inverse::SplitSizes}, {"aten.view.default", Inverse::Shape}};
/// Views or copies, as strides have it.
constexpr std::array<std::string_view, 5> kPerhaps = {"aten.channel_shuffle.default", "aten.contiguous.default", "aten.pixel_shuffle.default", "aten.pixel_unshuffle.default", "aten.reshape.default"};

}  // namespace

const View* view_of(std::string_view target) {
  const auto found = std::find_if(std::begin(kViews), std::end(kViews), [&](const View& v) { return v.target == target; });
  return found == std::end(kViews) ? nullptr : found;
}

bool perhaps_view(std::string_view target) { return std::find(kPerhaps.begin(), kPerhaps.end(), target) != kPerhaps.end(); }

bool may_alias(std::string_view target) { return view_of(target) != nullptr || perhaps_view(target); }

}  // namespace gg::fx
