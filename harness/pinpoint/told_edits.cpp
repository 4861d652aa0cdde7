// Edits that follow from kin (harness/pinpoint/told_edits.h).
#include "harness/pinpoint/told_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMostAdded = 256;  ///< instructions of a sum
constexpr int kMeanAgain = 10;           ///< more for a mean of what a mean is taken of later: another value may be what is meant

/// A name without the numbers that tell instructions of the same making apart: `mm_4` and `mm_8`, `dot.3` and `dot`.
std::string stem(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) text += c;
  }
  while (!text.empty() && (text.back() == '_' || text.back() == '.')) text.pop_back();
  return text;
}

}  // namespace

bool ToldEdits::is_collective(InstructionId id) const {
  return info(context_.module()[id].op).traits == OpTraits::Collective;
}

bool ToldEdits::ranks(double factor) const {
  const double n = std::max(factor, 1 / factor);
  return std::any_of(context_.axes().begin(), context_.axes().end(), [&](const AxisSet& axes) { return static_cast<double>(axes.size) == n; });
}

double ToldEdits::by_constant(InstructionId place) const {
  const Module& module = context_.module();
  const Op op = module[place].op;
  if (factor_exponent(op) == 0) return 1;
  for (std::size_t k = 0; k < 2; ++k) {
    const InstructionId number = behind_moves(module, module.operands(place)[1 - k]);
    if (!has_values(module, number) || !module.type(number).dims.empty()) continue;
    const double x = module.attributes(number).literal().values[0].real;
    if (factor_exponent(op) != -1 || k == 0) return factor_exponent(op) == -1 ? 1 / x : x;
  }
  return 1;
}

bool ToldEdits::is_mean(const Kin& kin) const {
  return kin.sum && !kin.partial.empty() && kin.factor != 1 && kin.factor == static_cast<double>(context_.digit_set(kin.partial).size);
}

Repair ToldEdits::reduced(InstructionId place, const Kin& kin) const {
  const AxisSet axes = context_.digit_set(kin.partial);
  const Op reducer = kin.sum ? mutation::kSum : mutation::kLargest;
  Repair r;
  r.place = r.at = place;
  r.kind = FindingKind::Missing;
  const bool mean = is_mean(kin);
  Maker maker = context_.maker(r.patch);
  const Ref total = maker.all_reduce({place, false}, axes.groups, reducer);
  r.patch.reroutes.push_back({place, mean ? maker.scaled(total, 1 / kin.factor) : total, std::nullopt});
  r.diagnosis = Diagnosis::MissingReduction;
  const std::string which = mean ? "mean " : kin.sum ? ""
                                                     : "max ";
  const bool divides = kin.sum && is_divisor(context_, place);
  if (divides) r.diagnosis = Diagnosis::MeanOfMeans;
  r.text = fmt::format("missing {}all-reduce over {} after {}{}", which, axes.name, context_.name(place), context_.consumer(place));
  if (divides) r.text += kMeansOfMeans;
  r.edit = fmt::format("insert {} {}all-reduce over {} after {}", which.empty() ? "an" : "a", which, axes.name, context_.name(place));
  const std::vector<InstructionId> late = kin.sum ? sums_behind(context_, place, axes.groups) : std::vector<InstructionId>{};
  if (!late.empty()) {
    r.diagnosis = Diagnosis::PartialNonlinear;
    r.text += fmt::format(": {} reduces too late", context_.name(late.front()));
    if (mean) r.cost = kMeanAgain;
    else r.edit += " in place of " + context_.name(late.front());
    for (const InstructionId sum : late) {
      if (!mean) r.patch.reroutes.push_back({sum, {context_.module().operands(sum)[0], false}, std::nullopt});
    }
  }
  r.after = std::string(context_.module().name_of(place));
  const InstructionId user = context_.user_behind_copies(place);
  if (user != kNone) r.before = std::string(context_.module().name_of(user));
  return r;
}

std::optional<InstructionId> ToldEdits::factored(InstructionId place, double factor) const {
  if (by_constant(place) != factor) return std::nullopt;
  for (const InstructionId operand : context_.module().operands(place)) {
    const ValueState* state = context_.state(operand);
    if (state != nullptr && state->derived) return operand;
  }
  return std::nullopt;
}

std::optional<InstructionId> ToldEdits::weight_of(InstructionId place) const {
  const Op op = context_.module()[place].op;
  if (factor_exponent(op) == 0) return std::nullopt;
  for (const InstructionId operand : context_.module().operands(place)) {
    const ValueState* state = context_.state(operand);
    const bool own = context_.module()[operand].line == context_.module()[place].line;  // a number of the same statement
    if (state != nullptr && !state->derived && !is_constant(context_.module(), operand) && !own) return operand;
  }
  return std::nullopt;
}

std::size_t ToldEdits::summands(InstructionId place) const {
  const Module& module = context_.module();
  const auto adds = [&](InstructionId id) { return module[id].op == module[place].op && module.type(id) == module.type(place); };
  if (term_sign(module[place].op) != 1) return 1;
  std::size_t count = 0;
  for (const InstructionId id : behind(module, place, kMostAdded, adds)) count += adds(id) ? 1U : 0U;
  return count + 1;
}

Repair ToldEdits::scaled(InstructionId place, const Kin& kin) const {
  Repair r;
  r.place = r.at = place;
  const bool large = kin.factor > 1;
  const double n = large ? kin.factor : 1 / kin.factor;
  std::string ranks;
  for (const AxisSet& axes : context_.axes()) {
    if (ranks.empty() && static_cast<double>(axes.size) == n) ranks = ", the number of ranks of " + axes.name;
  }
  if (large && static_cast<double>(summands(place)) == n) ranks = fmt::format(": it adds {} values of which the mean is right", n);
  r.diagnosis = large ? Diagnosis::ScaleTooLarge : Diagnosis::ScaleTooSmall;
  const auto operand = factored(place, kin.factor);
  if (operand && context_.type(*operand) == context_.type(place)) {
    r.kind = FindingKind::Extra;
    r.patch.reroutes.push_back({place, {*operand, false}, std::nullopt});
    r.text = fmt::format("{} should not be there: {} is the right value, and {} is {} times too {}{}", context_.name(place), context_.name(*operand),
                         context_.name(place), n, large ? "large" : "small", ranks);
    r.edit = fmt::format("use {} in place of {}", context_.name(*operand), context_.name(place));
  } else {
    const Ref right = context_.maker(r.patch).scaled({place, false}, 1 / kin.factor);
    r.patch.reroutes.push_back({place, right, std::nullopt});
    const bool collective = is_collective(place);
    const std::string why = collective && large && !ranks.empty() ? ": it sums where a mean is right" : "";
    r.text = fmt::format("{} is {} times too {}{}{}{}", context_.name(place), n, large ? "large" : "small", ranks, context_.consumer(place), why);
    r.edit = fmt::format("{} {} by {}", large ? "divide" : "multiply", context_.name(place), n);
    if (const auto weight = weight_of(place)) {
      r.place = *weight;
      r.text += fmt::format(": {} weighs it", context_.name(*weight));
    }
  }
  return r;
}

bool ToldEdits::same_line(InstructionId a, InstructionId b) const {
  const auto one = context_.module().source(a), other = context_.module().source(b);
  return one && other && one->file == other->file && one->line == other->line;
}

std::vector<InstructionId> ToldEdits::of_the_line(InstructionId place) const {
  const Module& module = context_.module();
  std::vector<InstructionId> found;
  if (!module.source(place)) return found;
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (id == place || module[id].op != module[place].op || !(module.type(id) == module.type(place))) continue;
    if (stem(module.name_of(id)) != stem(module.name_of(place))) continue;
    if (same_line(place, id) && module.computation_of(id) == module.computation_of(place) && module.attributes(id) == module.attributes(place)) found.push_back(id);
  }
  return found;
}

bool ToldEdits::one_line(const std::vector<Repair>& repairs) const {
  return std::all_of(repairs.begin(), repairs.end(), [&](const Repair& r) { return same_line(repairs.front().at, r.at); });
}

Repair ToldEdits::in_order(InstructionId place, std::int64_t a, std::int64_t b) const {
  const Type& type = context_.type(place);
  Repair r;
  r.place = r.at = place;
  r.kind = FindingKind::Missing;
  IntList apart = {a, b, type.dims[0] / (a * b)}, order = {1, 0, 2};
  for (std::size_t d = 1; d < type.dims.size(); ++d) {
    apart.push_back(type.dims[d]);
    order.push_back(static_cast<std::int64_t>(d) + 2);
  }
  Maker maker = context_.maker(r.patch);
  r.patch.reroutes.push_back({place, maker.reshape(maker.transpose(maker.reshape({place, false}, apart), order), type.dims), std::nullopt});
  r.diagnosis = Diagnosis::SwappedDims;
  r.text = fmt::format("the blocks of {} stand in the wrong order: missing transpose of its {} times {} blocks{}", context_.name(place), a, b, context_.consumer(place));
  r.edit = fmt::format("transpose the {} times {} blocks of dimension 0 of {}", a, b, context_.name(place));
  r.after = std::string(context_.module().name_of(place));
  return r;
}

Repair ToldEdits::exchanged(InstructionId first, InstructionId second) const {
  const Module& module = context_.module();
  Repair r;
  r.place = r.at = first;
  Changed one = unchanged(module, first), other = unchanged(module, second);
  std::swap(one.operands, other.operands);
  r.patch.changed = {std::move(one), std::move(other)};
  r.diagnosis = Diagnosis::SwappedOperands;
  r.text = fmt::format("{} and {} bring each other's message", context_.name(first), context_.name(second));
  r.edit = fmt::format("exchange the messages of {} and {}", context_.name(first), context_.name(second));
  return r;
}

}  // namespace gg::pinpoint
