#include "models/op/opaque_form.h"

#include "models/body/arena.h"

namespace gg {
namespace {

/// The dimensions along which the window is one element at its own place.
std::vector<std::int64_t> outside_window(const std::vector<WindowDim>& window) {
  std::vector<std::int64_t> dims;
  for (std::size_t d = 0; d < window.size(); ++d)
    if (window[d] == WindowDim{}) dims.push_back(static_cast<std::int64_t>(d));
  return dims;
}

std::string text_of(const std::vector<WindowDim>& window) {
  std::string text;
  for (const WindowDim& w : window) {
    for (const std::int64_t n : {w.size, w.stride, w.pad_low, w.pad_high, w.base_dilation, w.window_dilation, std::int64_t{w.reversal}})
      text += (text.empty() || text.back() == ';' ? "" : ",") + std::to_string(n);
    text += ";";
  }
  return text;
}

/// All dimensions but the last two: a matrix each.
std::vector<std::int64_t> before_matrix(const Type& type) {
  std::vector<std::int64_t> dims;
  for (std::int64_t d = 0; d + 2 < type.rank(); ++d) dims.push_back(d);
  return dims;
}

}  // namespace

std::optional<OpaqueForm> opaque_form(const Call& call) {
  const Attributes& a = *call.attributes;
  for (const Region* region : call.regions)
    if (region->results.empty()) return std::nullopt;
  OpaqueForm form{{}, std::string(info(call.op).name)};
  switch (call.op) {
    case Op::CustomCall:
      if (!a.has(Attr::OpaqueBatchDims)) return std::nullopt;
      form.batch = a.ints(Attr::OpaqueBatchDims);
      form.text += " " + a.text(Attr::CustomCallTarget) + " " + a.text(Attr::BackendConfig);
      break;
    case Op::SelectAndScatter:
      form.batch = outside_window(a.window());
      form.text += " " + text_of(a.window());
      break;
    case Op::Cholesky:
      form.batch = before_matrix(*call.operands[0]);
      form.text += a.flag(Attr::Lower) ? " lower" : "";
      break;
    case Op::TriangularSolve:
      form.batch = before_matrix(*call.operands[0]);
      form.text += std::string(a.flag(Attr::LeftSide) ? " left" : "") + (a.flag(Attr::Lower) ? " lower" : "") +
                   (a.flag(Attr::UnitDiagonal) ? " unit " : " ") + a.text(Attr::TransposeA);
      break;
    case Op::RngBitGenerator: form.text += " " + a.text(Attr::Algorithm); break;
    default: return std::nullopt;
  }
  for (const Region* region : call.regions) {
    form.text += " {";
    for (const ExprId e : region->results) form.text += std::to_string(e.value) + ";";  // one arena: equal content, equal id
    form.text += "}";
  }
  return form;
}

}  // namespace gg
