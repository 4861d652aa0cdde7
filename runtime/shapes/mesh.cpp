#include "runtime/shapes/mesh.h"

#include <algorithm>
#include <set>

#include "models/base/text.h"
#include "models/body/store.h"
#include "models/hlo/print_values.h"
#include "models/ir/kinds.h"
#include "models/ir/structure.h"
#include "models/op/groups.h"
#include "models/rank/shift.h"

namespace gg {
namespace {

using Values = std::vector<std::int64_t>;  ///< on each rank

/// Scalars of the rank's number, evaluated on all ranks.
class RankValues {
 public:
  explicit RankValues(const ProgramSizes& p) : p_(p), module_(p.module()), digits_(p.bodies().digits()), values_(module_.size()) {}

  std::vector<std::optional<Values>> run() {
    constexpr int kPasses = 4;  // calls of calls
    for (int pass = 0; pass < kPasses; ++pass) {
      std::map<InstructionId, std::vector<InstructionId>> given;  // by parameter: what callers hand over
      for (InstructionId id = 0; id < module_.size(); ++id) {
        if (structure_of(module_, id) == Structure::Call) call(id, given);
        else if (single(id) && !is_parameter(module_, id)) value(id);
      }
      for (const auto& [parameter, from] : given) {
        const auto& first = values_[from[0]];
        if (std::all_of(from.begin(), from.end(), [&](InstructionId f) { return values_[f] == first; })) values_[parameter] = first;
      }
    }
    return std::move(values_);
  }

 private:
  bool single(InstructionId id) const {
    const Type& type = module_.type(id);
    return type.is_array() && is_integral(type.element) && type.count() == 1;
  }

  void call(InstructionId id, std::map<InstructionId, std::vector<InstructionId>>& given) {
    const Computation& callee = module_.computation(callee_of(module_, id));
    for (std::size_t k = 0; k < callee.parameters.size(); ++k) given[callee.parameters[k]].push_back(module_.operands(id)[k]);
    values_[id] = values_[callee.root];
  }

  void value(InstructionId id) {
    const Body* body = p_.bodies().body(id, 0);
    if (body == nullptr) return;
    Values all;
    for (std::int64_t rank = 0; rank < digits_.ranks(); ++rank) {
      const auto n = at(id, body->root, rank);
      if (!n) return;
      all.push_back(*n);
    }
    values_[id] = std::move(all);
  }

  std::optional<std::int64_t> at(InstructionId id, ExprId root, std::int64_t rank) const {
    const Arena& arena = p_.bodies().arena();
    const Expr e = arena[root];
    switch (e.kind) {
      case ExprKind::Lit: return arena.scalar(root).integer;
      case ExprKind::Constant: {
        const ConstantArray& array = arena.array(ArrayId{e.arg});
        if (array.values.size() != 1) return std::nullopt;
        return array.values[0].integer;
      }
      case ExprKind::Index: return form(LinId{e.arg}, rank);
      case ExprKind::Read: {
        const auto& operand = values_[module_.operands(id)[e.arg]];
        const auto indices = arena.indices(root).first(digits_.digits().size());
        for (std::size_t d = 0; operand && d < indices.size(); ++d) {
          if (form(indices[d], rank) != digits_.value(rank, static_cast<int>(d))) return std::nullopt;
        }
        return operand ? std::optional((*operand)[static_cast<std::size_t>(rank)]) : std::nullopt;
      }
      case ExprKind::Fn: {
        Values args;
        for (const ExprId kid : arena.kids(root)) {
          const auto n = at(id, kid, rank);
          if (!n) return std::nullopt;
          args.push_back(*n);
        }
        if (e.fn == ScalarFn::Convert) return args[0];
        const auto kids = arena.kids(root);
        return integer_fn(e.fn, e.type == ElementType::Pred ? arena[kids[0]].type : e.type, args);
      }
      default: return std::nullopt;
    }
  }

  std::optional<std::int64_t> form(LinId lin, std::int64_t rank) const {
    const Arena& arena = p_.bodies().arena();
    std::int64_t value = arena[lin].c0;
    for (const Multiple& term : arena.terms(lin)) {
      const Atom& atom = arena.atom(term.atom);
      if (atom.kind != AtomKind::Var || atom.level >= digits_.digits().size()) return std::nullopt;
      value += term.coef * digits_.value(rank, atom.level);
    }
    return value;
  }

  const ProgramSizes& p_;
  const Module& module_;
  const RankDigits& digits_;
  std::vector<std::optional<Values>> values_;
};

std::vector<std::int64_t> extents_of(const RankDigits& digits) { return lifted_extents(digits, {}); }

/// Ranks of a mesh of digits: those of a group along `inner`, and one group for each place of the other digits.
struct DigitGroups {
  std::vector<std::int64_t> extents;
  std::vector<std::size_t> order;  ///< digits, those of the groups last
  std::size_t inner = 0;

  std::int64_t count(std::size_t from, std::size_t to) const {
    std::int64_t n = 1;
    for (std::size_t k = from; k < to; ++k) n *= extents[order[k]];
    return n;
  }
  std::vector<std::vector<std::int64_t>> groups() const {
    const std::int64_t each = count(order.size() - inner, order.size());
    std::vector<std::vector<std::int64_t>> result(static_cast<std::size_t>(count(0, order.size() - inner)));
    for (std::int64_t k = 0; k < count(0, order.size()); ++k) {
      std::int64_t rest = k, rank = 0;
      for (std::size_t at = order.size(); at-- > 0;) {
        std::int64_t stride = 1;
        for (std::size_t d = order[at] + 1; d < extents.size(); ++d) stride *= extents[d];
        rank += rest % extents[order[at]] * stride;
        rest /= extents[order[at]];
      }
      result[static_cast<std::size_t>(k / each)].push_back(rank);
    }
    return result;
  }
  /// `[2,4]<=[2,2,2]T(1,0,2)`
  std::string text() const {
    const bool in_order = std::is_sorted(order.begin(), order.end());
    return "[" + std::to_string(count(0, order.size() - inner)) + "," + std::to_string(count(order.size() - inner, order.size())) + "]<=[" + joined_text(extents, ",") + "]" +
           (in_order ? "" : "T(" + joined_text(order, ",") + ")");
  }
};

std::optional<DigitGroups> groups_of(const Case& c, const Attributes& attributes, Op op, const std::vector<std::int64_t>& extents) {
  const RankDigits& digits = c.relation.digits;
  const auto inner = digits.group_digits(rank_groups(op, attributes, c.relation.layout));
  if (!inner) return std::nullopt;
  DigitGroups result{extents, {}, inner->size()};
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (std::find(inner->begin(), inner->end(), static_cast<int>(d)) == inner->end()) result.order.push_back(d);
  }
  for (const int d : *inner) result.order.push_back(static_cast<std::size_t>(d));
  return result;
}

bool lists_groups(const Attributes& a) { return a.has(Attr::ReplicaGroups) && !a.groups().everyone && !a.groups().groups.empty(); }

std::optional<RankShift> shift_of(const Case& c, const Attributes& a) { return RankShift::of(a.pairs(), extents_of(c.relation.digits)); }

}  // namespace

std::vector<std::optional<RankForm>> rank_forms(const ProgramSizes& p) {
  const RankDigits& digits = p.bodies().digits();
  std::vector<std::optional<RankForm>> forms;
  for (const auto& values : RankValues(p).run()) {
    std::optional<RankForm>& form = forms.emplace_back();
    if (!values) continue;
    form = RankForm{(*values)[0], {}};
    for (const Digit& d : digits.digits()) form->digits.push_back((*values)[static_cast<std::size_t>(d.stride)] - form->constant);
    for (std::int64_t rank = 0; form && rank < digits.ranks(); ++rank) {
      std::int64_t value = form->constant;
      for (int d = 0; d < digits.count(); ++d) value += form->digits[static_cast<std::size_t>(d)] * digits.value(rank, d);
      if (value != (*values)[static_cast<std::size_t>(rank)]) form.reset();
    }
  }
  return forms;
}

std::optional<std::vector<std::size_t>> counted_digits(const RankForm& form, const RankDigits& digits, std::int64_t unit) {
  std::vector<std::size_t> counted;
  std::size_t left = 0;
  for (const std::int64_t coef : form.digits) left += coef != 0 ? 1U : 0U;
  while (left > 0) {
    const auto next = std::find(form.digits.begin(), form.digits.end(), unit);
    if (next == form.digits.end() || form.constant != 0) return std::nullopt;
    counted.push_back(static_cast<std::size_t>(next - form.digits.begin()));
    unit *= digits.digits()[counted.back()].extent;
    --left;
  }
  return counted;
}

bool mesh_is_general(const Case& c) {
  const RankLayout layout = c.relation.layout;
  const RankDigits& digits = c.relation.digits;
  if (c.manual_regions != 0 || layout.ranks() < 2 || (layout.replicas != 1 && layout.partitions != 1) || !c.relation.mesh.devices.empty()) return false;
  std::set<int> met;
  for (std::size_t axis = 0; axis < c.relation.mesh.axes.size(); ++axis) {
    const auto own = digits.axis_digits(c.relation.mesh, static_cast<int>(axis));
    if (!own) return false;
    met.insert(own->begin(), own->end());
  }
  if (met.size() != digits.digits().size()) return false;
  const Module& module = *c.distributed;
  for (InstructionId id = 0; id < module.size(); ++id) {
    const Attributes& a = module.attributes(id);
    const auto groups = lists_groups(a) ? groups_of(c, a, module[id].op, extents_of(digits)) : std::nullopt;
    if (lists_groups(a) && (!groups || groups->groups() != a.groups().groups)) return false;
    if (a.has(Attr::SourceTargetPairs) && !shift_of(c, a)) return false;
  }
  return true;
}

void free_mesh(Constraints& all, const Case& c, const std::string& kept) {
  all.general = true;
  const ProgramSizes& p = all.programs[1];
  const RankDigits& digits = p.bodies().digits();
  for (const Digit& d : digits.digits()) {
    all.ranks.push_back(all.sizes.add(d.extent));
    all.sizes.count_ranks(all.ranks.back());
  }
  all.rank_forms = rank_forms(p);
  for (std::size_t axis = 0; axis < c.relation.mesh.axes.size(); ++axis) {
    std::vector<SizeVar>& own = all.axes[c.relation.mesh.axes[axis].name];
    const std::vector<int> of_axis = digits.axis_digits(c.relation.mesh, static_cast<int>(axis)).value();
    for (const int d : of_axis) {
      if (c.relation.mesh.axes[axis].name == kept) all.sizes.keep(all.ranks[static_cast<std::size_t>(d)], "ranks along an axis that stays", {});
    }
    for (const int d : of_axis) own.push_back(all.ranks[static_cast<std::size_t>(d)]);
  }
  // rank / 4 and rank % 4, where so many ranks are counted by the lower digits.
  const Module& module = p.module();
  for (InstructionId id = 0; id < module.size(); ++id) {
    const auto operands = module.operands(id);
    if (operands.size() != 2 || !p.literal(operands[1]) || !all.rank_forms[operands[0]] || !all.rank_forms[operands[1]]) continue;
    const Body* body = p.bodies().body(id, 0);
    const Expr root = body == nullptr ? Expr{} : p.bodies().arena()[body->root];
    if (root.kind != ExprKind::Fn || (root.fn != ScalarFn::Divide && root.fn != ScalarFn::Remainder)) continue;
    const auto counted = counted_digits(*all.rank_forms[operands[0]], digits, 1);
    const std::int64_t by = all.rank_forms[operands[1]]->constant;
    std::int64_t stride = 1;
    std::vector<SizeFactor> factors;
    for (std::size_t k = 0; counted && k < counted->size() && stride < by; ++k) {
      stride *= digits.digits()[(*counted)[k]].extent;
      factors.insert(factors.begin(), {all.ranks[(*counted)[k]], 1});
    }
    if (by == 1) continue;
    if (stride != by) {
      for (const SizeVar v : all.ranks) all.sizes.keep(v, "a number that divides the rank's", {1, id});
      continue;
    }
    const SizeVar product = all.sizes.add(by);
    all.sizes.factor(product, factors, {1, id});
    all.rank_literals.emplace(std::pair(id, 1U), product);
  }
}

std::vector<RankList> rank_lists(const Case& c, const std::vector<std::int64_t>& extents) {
  std::map<std::string, std::string> lists;
  const Module& module = *c.distributed;
  for (InstructionId id = 0; id < module.size(); ++id) {
    const Attributes& a = module.attributes(id);
    if (lists_groups(a)) {
      const DigitGroups groups = groups_of(c, a, module[id].op, extents).value();
      lists.emplace("replica_groups=" + hlo::print_groups(groups.groups()), "replica_groups=" + groups.text());
    }
    if (a.has(Attr::SourceTargetPairs)) {
      RankShift shift = shift_of(c, a).value();
      shift.extents = extents;
      const auto no_name = [](ComputationId) { return std::string(); };
      lists.emplace("source_target_pairs=" + hlo::print_attribute(Attr::SourceTargetPairs, shift.pairs(), no_name), "source_target_pairs=$shift{" + shift.text() + "}");
    }
  }
  std::vector<RankList> result;
  for (const auto& [printed, general] : lists) result.push_back({printed, general});
  return result;
}

void rewrite_ranks(const Case& c, Attributes& attributes, Op op, const std::vector<std::int64_t>& extents) {
  if (lists_groups(attributes)) {
    ReplicaGroups groups = attributes.groups();
    groups.groups = groups_of(c, attributes, op, extents).value().groups();
    attributes.set(Attr::ReplicaGroups, std::move(groups));
  }
  if (attributes.has(Attr::SourceTargetPairs)) {
    RankShift shift = shift_of(c, attributes).value();
    shift.extents = extents;
    attributes.set(Attr::SourceTargetPairs, shift.pairs());
  }
}

}  // namespace gg
