#include "runtime/shapes/readings.h"

#include <algorithm>
#include <optional>
#include <set>

namespace gg {
namespace {

const ConstantArray* literal_of(const ProgramSizes& program, const LiteralUse& use) {
  const Attributes& attributes = program.module().attributes(*program.literal(use.source));
  return attributes.has(Attr::Literal) ? &attributes.literal() : nullptr;
}

// A divisor of the rank's number; the length of a block, where it is a factor of one.
std::optional<SizeExpr> reading_by_rank(const Constraints& all, const LiteralUse& use, std::int64_t value) {
  if (use.side != 1 || use.user == kNone || all.ranks.empty()) return std::nullopt;
  if (const auto divisor = all.rank_literals.find({use.user, use.operand}); divisor != all.rank_literals.end()) return SizeExpr{{{1, divisor->second}}, 0};
  const ProgramSizes& p = all.programs[1];
  const Body* body = p.bodies().body(use.user, 0);
  if (body == nullptr || p.bodies().arena()[body->root].fn != ScalarFn::Multiply || !all.rank_forms[use.user]) return std::nullopt;
  std::set<SizeVar> lengths;
  for (const auto& attachment : all.kinds.attachments(use.kind)) {
    if (attachment.window != kNoSize && all.sizes.size(attachment.window) == value) lengths.insert(all.sizes.root(attachment.window));
  }
  if (lengths.size() != 1) return std::nullopt;
  return SizeExpr{{{1, *lengths.begin()}}, 0};
}

}  // namespace

std::string name_at(const Constraints& all, SizeOrigin origin) {
  if (origin.side >= all.programs.size()) return "relation";
  const Module& module = all.programs[origin.side].module();
  return std::string(origin.side == 0 ? "sequential" : "distributed") + " %" +
         std::string(module.name_of(origin.instruction));
}

std::vector<ReadUse> read_uses(Constraints& all, bool grows) {
  std::vector<ReadUse> read;
  const BoundToSizes bound(all);
  std::map<std::int64_t, SizeOrigin> unattached;
  for (const LiteralUse& use : all.uses) {
    const ConstantArray* literal = literal_of(all.programs[use.side], use);
    if (literal == nullptr) continue;
    const SizeOrigin origin{use.side, use.user == kNone ? use.source : use.user};
    ReadUse one{&use, {}};
    for (const Scalar& scalar : literal->values) {
      if (one.readings.count(scalar.integer) != 0) continue;
      if (grows && !bound(use, scalar.integer) && all.rank_literals.count({use.user, use.operand}) == 0) {
        one.readings[scalar.integer].constant = scalar.integer;
        continue;
      }
      if (const auto own = reading_by_rank(all, use, scalar.integer)) {
        one.readings[scalar.integer] = *own;
        continue;
      }
      const Reading reading = read_literal(all.sizes, all.kinds, use.kind, scalar.integer, origin);
      SizeExpr as_is;
      as_is.constant = scalar.integer;
      one.readings[scalar.integer] = reading.status == Reading::Status::Explained ? reading.expr : as_is;
      const bool nowhere = !grows && reading.status == Reading::Status::Free && all.kinds.attachments(use.kind).empty();
      if (nowhere) unattached.emplace(scalar.integer, origin);
    }
    read.push_back(std::move(one));
  }
  // A literal that indexes nothing stays; a size of just this value might be meant, so it stays too.
  for (SizeVar v = 0; v < all.sizes.count(); ++v) {
    if (all.sizes.root(v) != v || all.sizes.kept(v)) continue;
    const auto found = unattached.find(all.sizes.size(v));
    if (found != unattached.end()) all.sizes.keep(v, "a literal of this value that indexes nothing", found->second);
  }
  return read;
}

std::map<std::size_t, std::pair<SizeExpr, SizeExpr>> read_ranges(Constraints& all, const Case& c) {
  std::map<std::size_t, std::pair<SizeExpr, SizeExpr>> result;
  const ProgramSizes& p = all.programs[0];
  std::vector<KindId> kinds;
  for (const InstructionId id : p.module().computation(p.module().entry()).parameters) {
    for (std::size_t leaf = 0; leaf < p.leaves(id); ++leaf) kinds.push_back(p.kind(id, leaf));
  }
  for (std::size_t k = 0; k < c.relation.free.size(); ++k) {
    const FreeInput& free = c.relation.free[k];
    if (free.range.origin != Range::Origin::Given || !is_integral(free.type.element)) continue;
    const auto read = [&](double value) {
      const auto integer = static_cast<std::int64_t>(value);
      const Reading r = read_literal(all.sizes, all.kinds, kinds.at(static_cast<std::size_t>(free.leaf)), integer, {});
      SizeExpr as_is;
      as_is.constant = integer;
      return r.status == Reading::Status::Explained ? r.expr : as_is;
    };
    const SizeExpr lo = read(free.range.lo);
    result[k] = {lo, read(free.range.hi)};
  }
  return result;
}

LiteralPlan make_plan(const Constraints& all, const std::vector<ReadUse>& read) {
  LiteralPlan plan;
  std::set<std::string> reported;
  for (const ReadUse& one : read) {
    const LiteralUse& use = *one.use;
    const ProgramSizes& program = all.programs[use.side];
    std::vector<std::int64_t> values;
    bool changed = false;
    for (const Scalar& scalar : literal_of(program, use)->values) {
      values.push_back(all.sizes.reduced(one.readings.at(scalar.integer)));
      changed |= values.back() != scalar.integer;
      if (values.back() == scalar.integer) continue;
      plan.changes.push_back({scalar.integer, values.back()});
      const std::string text = name_at(all, {use.side, *program.literal(use.source)}) + ": " +
                               std::to_string(scalar.integer) + " -> " + std::to_string(values.back());
      if (plan.text.size() < kMaxReported && reported.insert(text).second) plan.text.push_back(text);
    }
    if (!changed) continue;
    plan.values.emplace(std::tuple(use.side, use.user, use.user == kNone ? use.source : use.operand), std::move(values));
  }
  return plan;
}

namespace {

using Marks = std::vector<bool>;  ///< by instruction: an integer made from the rank's number

// Marks what the instruction makes of a marked value, parameters of what it calls, and what it has of their results.
bool follow(const Module& module, InstructionId id, Marks& marks) {
  bool changed = false;
  const auto mark = [&](InstructionId value) {
    changed |= !marks[value];
    marks[value] = true;
  };
  const auto operands = module.operands(id);
  const bool given = std::any_of(operands.begin(), operands.end(), [&](InstructionId o) { return marks[o]; });
  if (given && module.type(id).is_array() && is_integral(module.type(id).element)) mark(id);
  const Attributes& a = module.attributes(id);
  const Attr attr = a.has(Attr::Calls) ? Attr::Calls : Attr::ToApply;
  if (info(module[id].op).traits != OpTraits::Structure || !a.has(attr)) return changed;
  const Computation& callee = module.computation(a.computations(attr).at(0));
  for (std::size_t k = 0; k < std::min(callee.parameters.size(), operands.size()); ++k) {
    if (marks[operands[k]]) mark(callee.parameters[k]);
  }
  if (marks[callee.root]) mark(id);
  return changed;
}

// Is it a number of the rank, by its body?
bool numbers_ranks(const ProgramSizes& p, InstructionId id) {
  if (p.leaves(id) != 1 || !is_integral(p.type(id).element)) return false;
  const Body* body = p.bodies().body(id, 0);
  if (body == nullptr) return false;
  const Arena& arena = p.bodies().arena();
  const Expr& root = arena[body->root];
  if (root.kind != ExprKind::Index) return false;
  const std::size_t levels = arena[LinId{root.arg}].levels;
  return levels > 0 && levels <= p.bodies().digits().digits().size();
}

Marks of_rank(const ProgramSizes& p) {
  const Module& module = p.module();
  Marks marks(module.size());
  for (InstructionId id = 0; id < module.size(); ++id) marks[id] = numbers_ranks(p, id);
  for (bool changed = true; changed;) {
    changed = false;
    for (InstructionId id = 0; id < module.size(); ++id) changed |= follow(module, id, marks);
  }
  return marks;
}

}  // namespace

BoundToSizes::BoundToSizes(const Constraints& all) : all_(all) {
  std::set<std::pair<std::uint8_t, ComputationId>> conditions;
  for (const ProgramSizes& p : all.programs) {
    const Marks marks = of_rank(p);
    for (InstructionId id = 0; id < p.module().size(); ++id) {
      if (marks[id]) bound_[p.side()].insert(all.kinds.root(p.kind(id)));
      const Attributes& a = p.module().attributes(id);
      if (a.has(Attr::Condition)) conditions.emplace(p.side(), a.computations(Attr::Condition).at(0));
    }
  }
  std::set<KindId> places;
  for (const KindId kind : all.places) places.insert(all.kinds.root(kind));
  for (const KindId kind : all.remainders) {
    if (places.count(all.kinds.root(kind)) != 0) rings_.insert(all.kinds.root(kind));
  }
  for (const LiteralUse& use : all.uses) {
    const bool ends = use.user != kNone && conditions.count({use.side, all.programs[use.side].module().computation_of(use.user)}) != 0;
    if (ends) bound_[use.side].insert(all.kinds.root(use.kind));
  }
}

bool BoundToSizes::operator()(const LiteralUse& use, std::int64_t value) const {
  const KindId kind = all_.kinds.root(use.kind);
  if (bound_[use.side].count(kind) != 0) return true;
  const auto& attachments = all_.kinds.attachments(kind);
  return rings_.count(kind) != 0 && std::any_of(attachments.begin(), attachments.end(), [&](const auto& a) { return all_.sizes.size(a.dimension) == value; });
}

}  // namespace gg
