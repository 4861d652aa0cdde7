#include "models/op/opaque_form.h"

#include <span>

#include "models/body/arena.h"
#include "models/op/custom_calls.h"

namespace gg {
namespace {

using Block = OpaqueForm::Block;

/// The dimensions along which windows lie side by side: each is a block.
std::vector<Block> windows(const std::vector<WindowDim>& window, const Type& operand) {
  std::vector<Block> blocks;
  for (std::size_t d = 0; d < window.size(); ++d) {
    const std::int64_t size = window[d].size;
    WindowDim plain;
    plain.size = plain.stride = size;
    if (window[d] == plain && operand.dims[d] % size == 0) blocks.push_back({static_cast<std::int64_t>(d), size});
  }
  return blocks;
}

std::vector<Block> by_element(std::span<const std::int64_t> dims) {
  std::vector<Block> blocks;
  for (const std::int64_t d : dims) blocks.push_back({d, 1});
  return blocks;
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

}  // namespace

std::int64_t OpaqueForm::block_at(std::size_t dim) const {
  for (const Block& b : batch)
    if (b.dim == static_cast<std::int64_t>(dim)) return b.size;
  return 0;
}

std::optional<OpaqueForm> opaque_form(const Call& call) {
  const Attributes& a = *call.attributes;
  for (const Region* region : call.regions)
    if (region->results.empty()) return std::nullopt;
  OpaqueForm form{{}, std::string(info(call.op).name)};
  switch (call.op) {
    case Op::CustomCall:
      if (!a.has(Attr::OpaqueBatchDims)) return std::nullopt;
      form.batch = by_element(a.ints(Attr::OpaqueBatchDims));
      form.text += " " + a.text(Attr::CustomCallTarget) + " " + a.text(Attr::BackendConfig) + " " + a.text(Attr::CallNotes);
      break;
    case Op::SelectAndScatter:
      form.batch = windows(a.window(), *call.operands[0]);
      form.text += " " + text_of(a.window());
      break;
    case Op::Cholesky:
      form.batch = by_element(before_matrix(*call.operands[0]));
      form.text += a.flag(Attr::Lower) ? " lower" : "";
      break;
    case Op::TriangularSolve:
      form.batch = by_element(before_matrix(*call.operands[0]));
      form.text += std::string(a.flag(Attr::LeftSide) ? " left" : "") + (a.flag(Attr::Lower) ? " lower" : "") +
                   (a.flag(Attr::UnitDiagonal) ? " unit " : " ") + a.text(Attr::TransposeA);
      break;
    case Op::Scatter:  // the updates that meet at a place are combined in their order
      for (const Attr list : {Attr::UpdateWindowDims, Attr::InsertedWindowDims, Attr::ScatterDims, Attr::InputBatchingDims, Attr::ScatterBatchingDims})
        for (form.text += ";"; const std::int64_t d : a.ints(list)) form.text += " " + std::to_string(d);
      form.text += " " + std::to_string(a.integer(Attr::IndexVectorDim));
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
