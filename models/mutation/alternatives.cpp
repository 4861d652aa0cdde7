// What an instruction might be instead (models/mutation/alternatives.h).
#include "models/mutation/alternatives.h"

#include <algorithm>
#include <array>

#include "models/ir/kinds.h"

namespace gg::mutation {
namespace {

constexpr std::size_t kMaxOrdered = 6;  ///< operands that are exchanged
constexpr std::int64_t kMaxBlocks = 8;

using Forms = std::vector<Form>;

void add(Forms& forms, const Module& module, InstructionId id, Attr attr, AttrValue value) {
  Form form = form_of(module, id);
  form.attributes.set(attr, std::move(value));
  if (!(form.attributes == module.attributes(id))) forms.push_back(std::move(form));
}

/// Neighbours in the table differ at the bound alone.
void directions(const Module& module, InstructionId id, Forms& forms) {
  static constexpr std::array kDirections = {"LT", "LE", "GT", "GE", "EQ", "NE"};
  if (!module.attributes(id).has(Attr::Direction)) return;
  const std::string& now = module.attributes(id).text(Attr::Direction);
  const auto at = static_cast<std::size_t>(std::find(kDirections.begin(), kDirections.end(), now) - kDirections.begin());
  if (at == kDirections.size()) return;
  add(forms, module, id, Attr::Direction, std::string(kDirections[at ^ 1U]));
  for (std::size_t k = 0; k < kDirections.size(); ++k) {
    if (k != at && k != (at ^ 1U)) add(forms, module, id, Attr::Direction, std::string(kDirections[k]));
  }
}

void starts(const Module& module, InstructionId id, Forms& forms) {
  if (!module.attributes(id).has(Attr::Slice)) return;
  const std::vector<SliceDim>& now = module.attributes(id).slice();
  const Type& whole = module.type(module.operands(id)[0]);
  for (std::size_t d = 0; d < now.size(); ++d) {
    const std::int64_t size = now[d].limit - now[d].start;
    std::vector<std::int64_t> places = {now[d].start + 1, now[d].start - 1, now[d].start - size, now[d].start + size};
    for (std::int64_t k = 0; size > 0 && k < std::min(whole.dims[d] / size, kMaxBlocks); ++k) places.push_back(k * size);
    for (std::size_t k = 0; k < places.size(); ++k) {
      const std::int64_t start = places[k];
      if (start < 0 || start + size > whole.dims[d] || std::find(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(k), start) != places.begin() + static_cast<std::ptrdiff_t>(k)) continue;
      std::vector<SliceDim> dims = now;
      dims[d].start = start;
      dims[d].limit = start + size;
      add(forms, module, id, Attr::Slice, dims);
    }
  }
}

/// Two entries exchanged, and the inverse of a permutation; entries for extents of 1 say nothing.
std::vector<IntList> orders(const IntList& now, const IntList& extents) {
  std::vector<IntList> result;
  for (std::size_t a = 0; a < now.size(); ++a) {
    for (std::size_t b = a + 1; b < now.size(); ++b) {
      if (extents[a] == 1 || extents[b] == 1) continue;
      result.push_back(now);
      std::swap(result.back()[a], result.back()[b]);
    }
  }
  IntList inverse(now.size(), -1);
  for (std::size_t k = 0; k < now.size(); ++k) {
    if (now[k] < static_cast<std::int64_t>(now.size())) inverse[static_cast<std::size_t>(now[k])] = static_cast<std::int64_t>(k);
  }
  const bool permutes = std::find(inverse.begin(), inverse.end(), -1) == inverse.end();
  if (permutes && std::find(result.begin(), result.end(), inverse) == result.end()) result.push_back(std::move(inverse));
  return result;
}

/// One entry replaced, by the nearest first; dimensions of extent 1 say nothing.
std::vector<IntList> replacements(const IntList& now, const IntList& extents) {
  std::vector<IntList> result;
  const auto says = [&](std::int64_t d) { return extents[static_cast<std::size_t>(d)] != 1; };
  for (std::size_t k = 0; k < now.size(); ++k) {
    IntList others;
    for (std::int64_t d = 0; says(now[k]) && d < static_cast<std::int64_t>(extents.size()); ++d) {
      if (says(d) && std::find(now.begin(), now.end(), d) == now.end()) others.push_back(d);
    }
    std::stable_sort(others.begin(), others.end(), [&](std::int64_t a, std::int64_t b) { return std::abs(a - now[k]) < std::abs(b - now[k]); });
    for (const std::int64_t d : others) {
      result.push_back(now);
      result.back()[k] = d;
    }
  }
  return result;
}

bool keeps_type(const Module& module, InstructionId id, const Form& form) {
  Call call = call_of(module, id);
  call.attributes = &form.attributes;
  try {
    const Type now = infer_type(call);
    return now.element == module.type(id).element && now.dims == module.type(id).dims;  // whatever the layouts
  } catch (const TypeError&) {
    return false;
  }
}

void dimensions(const Module& module, InstructionId id, Forms& forms) {
  const Attributes& attributes = module.attributes(id);
  const auto operands = module.operands(id);
  if (!module.type(id).is_array()) return;
  if (attributes.has(Attr::IotaDimension)) {
    for (std::int64_t d = 0; d < module.type(id).rank(); ++d) add(forms, module, id, Attr::IotaDimension, d);
  }
  const auto others = [&](Attr attr, std::size_t operand) {
    if (!attributes.has(attr) || operands.size() <= operand || !module.type(operands[operand]).is_array()) return;
    const Type &from = module.type(operands[operand]), &to = module.type(id);
    const IntList& now = attributes.ints(attr);
    const bool layout = info(module[id].op).traits == OpTraits::Layout && !is_reversal(module, id);
    const bool each = layout && now.size() == from.dims.size();  // one entry a dimension; else a set of dimensions
    for (IntList& list : each ? orders(now, to.rank() == from.rank() ? to.dims : from.dims) : replacements(now, from.dims)) {
      if (!each && attr == Attr::BroadcastDims) std::sort(list.begin(), list.end());
      add(forms, module, id, attr, std::move(list));
    }
  };
  others(Attr::BroadcastDims, 0);
  others(Attr::LhsContractingDims, 0);
  others(Attr::RhsContractingDims, 1);
  std::erase_if(forms, [&](const Form& form) { return !keeps_type(module, id, form); });
}

/// Does the result hang on the order of the operands?
bool ordered(const Module& module, InstructionId id) {
  const Op op = module[id].op;
  if (info(op).traits != OpTraits::Elementwise) return info(op).traits == OpTraits::Layout;
  const auto function = scalar_of(op, module.attributes(id));
  return !function || !is_monoid(*function);
}

void exchanged_operands(const Module& module, InstructionId id, Forms& forms) {
  const auto operands = module.operands(id);
  if (operands.size() < 2 || operands.size() > kMaxOrdered || !ordered(module, id)) return;
  for (std::size_t a = 0; a < operands.size(); ++a) {
    for (std::size_t b = a + 1; b < operands.size(); ++b) {
      if (operands[a] == operands[b] || !(module.type(operands[a]) == module.type(operands[b]))) continue;
      Form form = form_of(module, id);
      std::swap(form.operands[a], form.operands[b]);
      forms.push_back(std::move(form));
    }
  }
}

void sent_back(const Module& module, InstructionId id, Forms& forms) {
  if (!is_message(module, id)) return;
  PairList pairs = module.attributes(id).pairs();
  for (auto& [source, target] : pairs) std::swap(source, target);
  add(forms, module, id, Attr::SourceTargetPairs, std::move(pairs));
}

void tables(const Module& module, InstructionId id, Forms& forms) {
  if (!has_values(module, id)) return;
  const ConstantArray& now = module.attributes(id).literal();
  if (now.values.size() < 2) return;
  std::vector<std::vector<Scalar>> all(4, now.values);
  std::rotate(all[0].begin(), all[0].begin() + 1, all[0].end());
  std::rotate(all[1].begin(), all[1].end() - 1, all[1].end());
  std::stable_sort(all[2].begin(), all[2].end(), [](const Scalar& a, const Scalar& b) { return a.integer < b.integer; });
  std::reverse(all[3].begin(), all[3].end());
  for (auto& values : all) add(forms, module, id, Attr::Literal, ConstantArray{now.type, std::move(values)});
}

/// One copy beside the other, or each element beside its copies.
void laid(const Module& module, InstructionId id, Forms& forms) {
  if (module[id].op != Op::Broadcast) return;
  for (IntList& list : replacements(module.attributes(id).ints(Attr::BroadcastDims), module.type(id).dims)) {
    std::sort(list.begin(), list.end());
    add(forms, module, id, Attr::BroadcastDims, std::move(list));
  }
  std::erase_if(forms, [&](const Form& form) { return !keeps_type(module, id, form); });
}

void other_function(const Module& module, InstructionId id, Forms& forms) {
  static constexpr std::array kPairs = {std::pair(Op::Minimum, Op::Maximum), std::pair(Op::Add, Op::Subtract), std::pair(Op::Multiply, Op::Divide), std::pair(Op::And, Op::Or), std::pair(Op::Sine, Op::Cosine), std::pair(Op::Floor, Op::Ceil)};
  for (const auto& [a, b] : kPairs) {
    if (module[id].op != a && module[id].op != b) continue;
    Form form = form_of(module, id);
    form.op = module[id].op == a ? b : a;
    if (keeps_type(module, id, form)) forms.push_back(std::move(form));
  }
}

using Rule = void (*)(const Module& module, InstructionId id, Forms& forms);
constexpr std::array<Rule, 8> kRules = {directions, starts, dimensions, exchanged_operands, sent_back, tables, laid, other_function};  // in the order of Slip

}  // namespace

Forms alternatives(const Module& module, InstructionId id, Slip slip) {
  Forms forms;
  kRules[static_cast<std::size_t>(slip)](module, id, forms);
  return forms;
}

}  // namespace gg::mutation
