#include "models/op/row_form.h"

#include <algorithm>

#include "models/body/arena.h"

namespace gg {
namespace {

/// Windows whose elements lie between others are not read as rows.
bool take_windows(const Call& call, RowForm& form) {
  form.window = call.attributes->window();
  for (std::size_t d = 0; d < form.window.size(); ++d) {
    if (form.window[d].base_dilation != 1) return false;
    if (form.window[d] == WindowDim{}) continue;
    form.dims.push_back(static_cast<std::int64_t>(d));
    form.extents.push_back(form.window[d].size);
  }
  return true;
}

}  // namespace

bool is_running_window(const WindowDim& w, std::int64_t n) {
  return n > 1 && w.size == n && w.stride == 1 && w.base_dilation == 1 && w.window_dilation == 1 && std::max(w.pad_low, w.pad_high) == n - 1 && std::min(w.pad_low, w.pad_high) == 0;
}

std::optional<RowForm> row_form(const Call& call) {
  if (call.operands.empty() || !call.operands[0]->is_array()) return std::nullopt;
  const Attributes& a = *call.attributes;
  const std::vector<std::int64_t>& dims = call.operands[0]->dims;
  RowForm form;
  form.values = call.operands.size();
  if (call.op == Op::ReduceWindow) {
    if (!take_windows(call, form)) return std::nullopt;
  } else if (call.op == Op::TopK) {
    form.keeps = form.positions = true;
    form.dims = {static_cast<std::int64_t>(dims.size()) - 1};
  } else if (call.op == Op::Sort || call.op == Op::Reduce) {
    form.keeps = call.op == Op::Sort;
    form.dims = a.ints(Attr::BroadcastDims);
    std::sort(form.dims.begin(), form.dims.end());
  } else {
    return std::nullopt;
  }
  if (!form.keeps) form.values /= 2;
  if (form.window.empty())
    for (const std::int64_t d : form.dims) form.extents.push_back(dims[static_cast<std::size_t>(d)]);
  form.text = std::string(info(call.op).name) + (a.flag(Attr::IsStable) ? " stable" : "");
  for (const std::int64_t n : form.extents) form.text += " " + std::to_string(n);
  for (const Type* type : call.operands) form.text += " " + std::string(info(type->element).name);
  for (const Region* region : call.regions) {
    if (region->results.empty()) return std::nullopt;
    form.text += " {";
    for (const ExprId e : region->results) form.text += std::to_string(e.value) + ";";  // one arena: equal content, equal id
    form.text += "}";
  }
  return form;
}

}  // namespace gg
