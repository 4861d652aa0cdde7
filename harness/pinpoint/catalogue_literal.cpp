// Repairs of constants: the sequential program's literal, a factor of the number of ranks, tables rotated or in steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/rounds.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"
#include "models/mutation/alternatives.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxTable = 4096;
constexpr std::size_t kMaxFactors = 8;
constexpr int kForeign = 9;   ///< cost of a number of the sequential program in place of one that it has nowhere
constexpr int kOwnPart = 14;  ///< cost of the rank's own block of a table
constexpr int kLocal = 6;     ///< more where the number is that of a local mean: the sum of these is as likely wrong

/// The constant with other values.
Patch with_values(const Context& context, InstructionId place, std::vector<Scalar> values) {
  Changed change = unchanged(context.module(), place);
  ConstantArray literal = context.module().attributes(place).literal();
  literal.values = std::move(values);
  change.attributes.set(Attr::Literal, std::move(literal));
  return changing(std::move(change));
}

/// The literal divides (1), multiplies (-1), or neither (0), behind broadcasts and the like.
int use_of(const Context& context, InstructionId id) {
  const Module& module = context.module();
  for (int depth = 0; depth < 6 && !context.users(id).empty(); ++depth) {
    const InstructionId user = context.users(id).front();
    const auto operands = module.operands(user);
    if (factor_exponent(module[user].op) != 0) return factor_exponent(module[user].op) == -1 && operands[1] == id ? 1 : -1;
    if (!DivergenceTrace::moves(module[user].op)) return 0;
    id = user;
  }
  return 0;
}

void scalars(const Context& context, InstructionId place, const Scalar& now, std::vector<Repair>& out) {
  if (ended_loop(context, place) != kNone) return;  // a number of rounds: step_repairs
  // A value that the sequential program has nowhere is looked at first.
  const auto& known = context.sequential_constants();
  const bool foreign = std::none_of(known.begin(), known.end(), [&](const ConstantArray& constant) {
    return std::any_of(constant.values.begin(), constant.values.end(), [&](const Scalar& s) { return s == now; });
  });
  std::vector<std::string> seen = {shown(now)};
  const auto propose = [&](const Scalar& to, int cost, const AxisSet* axes) {
    if (to == now || std::find(seen.begin(), seen.end(), shown(to)) != seen.end()) return;
    seen.push_back(shown(to));
    Repair r{.patch = with_values(context, place, std::vector<Scalar>(context.module().attributes(place).literal().values.size(), to)), .place = place, .diagnosis = Diagnosis::LiteralDiffers, .text = context.name(place) + " is " + shown(now) + " where " + shown(to) + " is right", .edit = "change " + context.name(place) + " from " + shown(now) + " to " + shown(to)};
    const int use = use_of(context, place);
    if (is_float(now.type) && use != 0 && now.real != 0 && to.real != 0) {
      const double ratio = use > 0 ? to.real / now.real : now.real / to.real;  // how much too large the result is
      for (const AxisSet& set : context.axes()) {
        if (set.size == 2 && axes == nullptr) continue;  // doubling is more often a slip than a count of ranks
        const double n = static_cast<double>(set.size);
        const bool large = std::abs(ratio / n - 1) < 1e-5, small = std::abs(ratio * n - 1) < 1e-5;
        if (!large && !small) continue;
        r.diagnosis = large ? Diagnosis::ScaleTooLarge : Diagnosis::ScaleTooSmall;
        cost += kLocal;
        r.text += fmt::format(": the result is {} times too {}, the number of ranks of {}", set.size, large ? "large" : "small", set.name);
        break;
      }
    }
    r.cost = cost;
    r.any = r.diagnosis == Diagnosis::LiteralDiffers && !(foreign && cost == kForeign);
    out.push_back(std::move(r));
  };
  for (const ConstantArray& constant : known) {
    const bool splat = std::all_of(constant.values.begin(), constant.values.end(), [&](const Scalar& s) { return s == constant.values[0]; });
    if (constant.values.empty() || !splat || constant.type.element != now.type) continue;
    if (is_float(now.type) && !std::isfinite(constant.values[0].real)) continue;
    propose(constant.values[0], foreign ? kForeign : 14, nullptr);
  }
  if (is_float(now.type) && std::isfinite(now.real) && now.real != 0) {
    for (const AxisSet& axes : context.axes()) {
      const double n = static_cast<double>(axes.size);
      propose(Scalar::of(now.type, round_to(now.type, now.real * n)), 18, &axes);
      propose(Scalar::of(now.type, round_to(now.type, now.real / n)), 18, &axes);
    }
    propose(Scalar::of(now.type, -now.real), 24, nullptr);
  }
  if (is_integral(now.type) && now.type != ElementType::Pred) {
    for (const std::int64_t extent : use_of(context, place) == -1 ? extents_at(context, place) : std::vector<std::int64_t>()) propose(Scalar::of_int(now.type, extent), 12, nullptr);
    for (const std::int64_t step : {1, -1}) propose(Scalar::of_int(now.type, wrap_to(now.type, now.integer + step)), 16, nullptr);
  }
}

/// Tables of one entry a rank: step * coordinate over a set of axes, nearest to what stands there.
template <class Propose>
void steps(const Context& context, InstructionId place, const ConstantArray& now, const Propose& propose) {
  const auto ranks = static_cast<std::size_t>(context.pair().relation.layout.ranks());
  if (now.values.size() != ranks) return;
  for (const AxisSet& axes : context.axes()) {
    std::set<std::int64_t> sizes;
    for (const Scalar& entry : now.values) {
      for (std::int64_t k = 1; k < std::min<std::int64_t>(axes.size, 16); ++k) {
        if (entry.integer > 0 && entry.integer % k == 0) sizes.insert(entry.integer / k);
      }
    }
    const std::vector<std::int64_t> extents = extents_at(context, place);
    sizes.insert(extents.begin(), extents.end());
    for (const std::int64_t size : sizes) {
      auto table = now.values;
      for (const auto& group : axes.groups) {
        for (std::size_t k = 0; k < group.size(); ++k) {
          const auto rank = static_cast<std::size_t>(group[k]);
          table[rank] = Scalar::of_int(now.type.element, wrap_to(now.type.element, size * static_cast<std::int64_t>(k)));
        }
      }
      std::size_t same = 0;
      for (std::size_t k = 0; k < ranks; ++k) same += table[k] == now.values[k] ? 1U : 0U;
      if (2 * same < ranks && std::find(extents.begin(), extents.end(), size) == extents.end()) continue;
      propose(table, fmt::format("they are not {} times the coordinate over {}", size, axes.name), 11 + axes.axes);
    }
  }
}

void tables(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const ConstantArray& now = context.module().attributes(place).literal();
  const std::size_t n = now.values.size();
  const bool offsets = is_integral(now.type.element);
  std::vector<std::vector<Scalar>> seen = {now.values};
  const auto propose = [&](const std::vector<Scalar>& to, const std::string& how, int cost) {
    if (std::find(seen.begin(), seen.end(), to) != seen.end()) return;
    seen.push_back(to);
    std::string values;
    for (std::size_t k = 0; k < std::min<std::size_t>(n, 8); ++k) values += (k == 0 ? "" : ",") + shown(to[k]);
    if (n > 8) values += ",...";
    out.push_back({.patch = with_values(context, place, to), .place = place, .diagnosis = offsets ? Diagnosis::OffsetBlock : Diagnosis::LiteralDiffers, .text = offsets ? "the table " + context.name(place) + " gives ranks the offsets of others: " + how : context.name(place) + " differs from the sequential table", .edit = "change " + context.name(place) + " to {" + values + "}", .cost = cost});
  };
  for (const mutation::Form& form : alternatives(context.module(), place, mutation::Slip::Table)) {
    const std::vector<Scalar>& to = form.attributes.literal().values;
    const bool rotated = to.front() == now.values[1] || to[1] == now.values.front();
    propose(to, rotated ? "they are one place off" : "they stand in another order", offsets ? 12 : 15);
  }
  if (offsets) steps(context, place, now, propose);
  for (const ConstantArray& constant : context.sequential_constants()) {
    if (constant.type == now.type) propose(constant.values, "the sequential program has another one", 14);
  }
  for (InstructionId id = 0; id < context.module().size(); ++id) {
    if (id == place || !has_values(context.module(), id)) continue;
    const ConstantArray& other = context.module().attributes(id).literal();
    if (other.type == now.type && n <= 64) propose(other.values, "another table fits", 26);
  }
}

/// A number that a value is multiplied by or divided by, and by which operand.
struct Weight {
  std::size_t operand;
  double number;
};

std::optional<Weight> weight_at(const Module& module, InstructionId place) {
  const int exponent = factor_exponent(module[place].op);
  const auto operands = module.operands(place);
  for (std::size_t k = 0; exponent != 0 && k < operands.size(); ++k) {
    const InstructionId number = behind_moves(module, operands[k]);
    if (!has_values(module, number) || !module.type(number).dims.empty() || (exponent == -1 && k == 0)) continue;
    const Scalar& value = module.attributes(number).literal().values.at(0);
    return Weight{k, is_float(value.type) ? value.real : static_cast<double>(value.integer)};
  }
  return std::nullopt;
}

/// What a number made of the size of the rank's own part, n or n - 1 (or that times the ranks), is for the whole.
std::optional<std::int64_t> of_the_whole(const SplitExtent& split, double now) {
  for (const std::int64_t less : {1, 0}) {
    const std::int64_t own = split.local - less, whole = split.whole - less;
    const bool times_ranks = less != 0 && now == static_cast<double>(own * split.parts);
    if (own > 0 && own != whole && (now == static_cast<double>(own) || times_ranks)) return whole;
  }
  return std::nullopt;
}

/// Factors and divisors, one after the other, that are made of the size of the rank's own part: n / (n - 1). Of one alone that is n the result is a multiple, which is told as such.
void own_sizes(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (!weight_at(module, place)) return;
  for (const SplitExtent& split : split_extents(context.pair())) {
    Patch patch;
    std::string text, edit;
    std::size_t count = 0;
    bool alone = false;  // a factor n
    for (InstructionId at = place; at != kNone && context.type(at).is_array();) {
      const auto weight = weight_at(module, at);
      const auto right = weight ? of_the_whole(split, weight->number) : std::nullopt;
      if (!right) break;
      const Type& type = module.type(module.operands(at)[weight->operand]);
      Changed change = unchanged(module, at);
      change.operands[weight->operand] = context.maker(patch).whole(type.element, *right, type.dims);
      patch.changed.push_back(std::move(change));
      const std::string name = context.name(at);
      text += count == 0 ? fmt::format("{} takes {} where {} is right", name, weight->number, *right) : fmt::format(", {} {} where {} is", name, weight->number, *right);
      edit += count == 0 ? fmt::format("let {} take {} in place of {}", name, *right, weight->number) : fmt::format(", {} {} in place of {}", name, *right, weight->number);
      alone = count++ == 0 && *right == split.whole;
      const auto& users = context.users(at);
      at = users.size() == 1 ? users.front() : kNone;
    }
    if (count == 0 || alone) continue;
    text += fmt::format(": the rank's own part has {} of {}", split.local, split.whole);
    out.push_back({.patch = std::move(patch), .place = place, .diagnosis = Diagnosis::LocalSize, .text = std::move(text), .edit = std::move(edit), .cost = 7});
  }
}

/// Is `part` block `block` of `whole` along dimension d, in which alone their extents differ?
bool is_block(const ConstantArray& whole, const ConstantArray& part, std::size_t d, std::int64_t block) {
  std::int64_t inner = part.type.dims[d];  // elements of a block that stand together
  for (std::size_t k = d + 1; k < part.type.dims.size(); ++k) inner *= part.type.dims[k];
  const std::int64_t blocks = whole.type.dims[d] / part.type.dims[d];
  for (std::int64_t from = 0; from < part.type.count(); from += inner) {
    const auto here = part.values.begin() + from;
    if (!std::equal(here, here + inner, whole.values.begin() + from * blocks + block * inner)) return false;
  }
  return true;
}

/// One block of a table of the sequential program, on all ranks: the rank's own is meant.
void own_part(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const ConstantArray& now = context.module().attributes(place).literal();
  const std::vector<std::int64_t>& dims = now.type.dims;
  const auto written_out = [](const ConstantArray& c) { return static_cast<std::int64_t>(c.values.size()) == c.type.count(); };
  for (const ConstantArray& whole : context.sequential_constants()) {
    if (whole.type.element != now.type.element || whole.type.dims.size() != dims.size() || !written_out(whole) || !written_out(now)) continue;
    const auto [own, all] = std::mismatch(dims.begin(), dims.end(), whole.type.dims.begin());
    if (own == dims.end() || *own == 0 || !std::equal(own + 1, dims.end(), all + 1)) continue;
    const auto d = static_cast<std::size_t>(own - dims.begin());
    for (const AxisSet& axes : context.axes()) {
      if (*all != axes.size * *own) continue;
      std::int64_t block = 0;
      while (block < axes.size && !is_block(whole, now, d, block)) ++block;
      if (block == axes.size) continue;
      Patch patch;
      Maker maker = context.maker(patch);
      std::vector<Ref> begins(dims.size(), maker.whole(ElementType::S32, 0));
      begins[d] = maker.position(axes.groups, ElementType::S32, *own);
      patch.reroutes.push_back({place, maker.part(maker.constant(whole), dims, begins), std::nullopt});
      out.push_back({.patch = std::move(patch), .place = place, .diagnosis = Diagnosis::OffsetBlock, .text = fmt::format("{} is block {} of a table of the sequential program, on all ranks of {}", context.name(place), block, axes.name), .edit = fmt::format("let {} be the rank's own block over {} of the table", context.name(place), axes.name), .cost = kOwnPart});
    }
  }
}

}  // namespace

std::string shown(const Scalar& s) {
  if (!is_float(s.type)) return fmt::format("{}", s.integer);
  const auto narrow = static_cast<float>(s.real);
  return static_cast<double>(narrow) == s.real ? fmt::format("{}", narrow) : fmt::format("{}", s.real);
}

void literal_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  own_sizes(context, place, out);
  if (!has_values(module, place)) return;
  const ConstantArray& literal = module.attributes(place).literal();
  own_part(context, place, out);
  if (literal.values.empty() || literal.values.size() > kMaxTable) return;
  const bool splat = std::all_of(literal.values.begin(), literal.values.end(), [&](const Scalar& s) { return s == literal.values[0]; });
  if (splat) scalars(context, place, literal.values[0], out);
  else tables(context, place, out);
}

// A factor inserted after a value.
void scale_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (!context.is_float_array(place) || is_constant(module, place) || is_parameter(module, place) || DivergenceTrace::moves(module[place].op)) return;
  const ValueState* state = context.state(place);
  if (state != nullptr && !state->derived) return;
  std::set<double> seen = {0, 1};
  const auto propose = [&](double n, const std::string& of, int cost) {
    if (!std::isfinite(n) || !seen.insert(n).second) return;
    for (const bool large : {true, false}) {
      Patch patch;
      patch.reroutes.push_back({place, context.maker(patch).scaled({place, false}, large ? 1 / n : n), std::nullopt});
      out.push_back({.patch = std::move(patch), .place = place, .diagnosis = large ? Diagnosis::ScaleTooLarge : Diagnosis::ScaleTooSmall, .text = fmt::format("{} is {} times too {}{}{}", context.name(place), n, large ? "large" : "small", of, context.consumer(place)), .edit = fmt::format("{} {} by {}", large ? "divide" : "multiply", context.name(place), n), .cost = cost - (info(module[place].op).traits == OpTraits::Collective ? 3 : 0)});
    }
  };
  for (const AxisSet& axes : context.axes()) {
    propose(static_cast<double>(axes.size), ", the number of ranks of " + axes.name, 30 + 2 * axes.axes);
  }
  std::size_t constants = 0;
  for (const ConstantArray& constant : context.sequential_constants()) {  // a mean over microbatches, say
    if (constant.values.size() != 1 || !is_float(constant.type.element) || constant.values[0].real < 0) continue;
    if (++constants > kMaxFactors) break;
    const double n = constant.values[0].real;
    propose(n < 1 && n > 0 ? std::round(1 / n) : n, ", a factor of the sequential program", 38);
  }
}

}  // namespace gg::pinpoint
