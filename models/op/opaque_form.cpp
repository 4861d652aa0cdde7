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

/// A X = B (`left`) has a column of X for each one of B, X A = B a row: each is solved by itself, with the whole matrix.
Block solved_alone(const Call& call, bool left) { return {call.operands[1]->rank() - (left ? 1 : 2), 1, 0}; }

/// The side on which LAPACK's triangular solve has its matrix (`L` or `R` as a number), as JAX writes it.
std::optional<bool> solves_from_left(const Call& call) {
  const std::string& target = call.attributes->text(Attr::CustomCallTarget);
  if ((target != "lapack_strsm_ffi" && target != "lapack_dtrsm_ffi") || call.operands.size() != 2 || call.operands[1]->rank() < 2) return std::nullopt;
  const std::string& config = call.attributes->text(Attr::BackendConfig);
  const bool left = config.find("side = 76 :") != std::string::npos, right = config.find("side = 82 :") != std::string::npos;
  return left != right ? std::optional(left) : std::nullopt;
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

std::int64_t OpaqueForm::block_at(std::size_t dim, int operand) const {
  for (const Block& b : batch)
    if (b.dim == static_cast<std::int64_t>(dim)) return operand >= 0 && operand == b.whole ? 0 : b.size;
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
      if (const auto left = solves_from_left(call)) form.batch.push_back(solved_alone(call, *left));
      form.text += " " + a.text(Attr::CustomCallTarget) + " " + a.text(Attr::BackendConfig) + " " + a.text(Attr::CallNotes);
      break;
    case Op::SelectAndScatter:
      form.batch = windows(a.window(), *call.operands[0]);
      form.text += " " + text_of(a.window());
      if (call.regions[1]->monoid == ScalarFn::Add) form.summed = {1, 2};
      break;
    case Op::Cholesky:
      form.batch = by_element(before_matrix(*call.operands[0]));
      form.text += a.flag(Attr::Lower) ? " lower" : "";
      break;
    case Op::TriangularSolve:
      form.batch = by_element(before_matrix(*call.operands[0]));
      form.batch.push_back(solved_alone(call, a.flag(Attr::LeftSide)));
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
