// Bodies of collectives over the rank digits. `member(g)` is the g-th rank of the own group and `position` the own
// place in it: digits where the groups are made of digits, tables by rank otherwise.
#include <algorithm>

#include "models/op/body_support.h"
#include "models/op/groups.h"
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

namespace {

constexpr std::int64_t kMaxTable = std::int64_t{1} << 24;

/// The groups of one collective as index forms.
class GroupForms {
 public:
  GroupForms(Lift& lift, const Call& call) : lift_(lift), groups_(rank_groups(call.op, *call.attributes, call.layout)) {
    const std::int64_t ranks = lift.digits.ranks();
    if (ranks != call.layout.ranks()) {
      refuse(DiagCode::BadGroups, name_of(call) + ": " + std::to_string(call.layout.ranks()) +
                                      " ranks in a program of " + std::to_string(ranks));
    }
    for (const auto& group : groups_) size_ = std::max(size_, static_cast<std::int64_t>(group.size()));
    digits_ = lift.digits.group_digits(groups_);
    if (digits_) {
      for (const int d : *digits_) extents_.push_back(lift.digits.digits()[static_cast<std::size_t>(d)].extent);
    }
  }

  /// Members of the largest group.
  std::int64_t size() const { return size_; }
  /// Extents of the variables that run over a group: its digits, or one variable.
  std::vector<std::int64_t> extents() const { return digits_ ? extents_ : std::vector<std::int64_t>{size_}; }

  /// Digits of the member at these values of the variables.
  std::vector<LinId> member(std::span<const LinId> variables) {
    if (digits_) {
      std::vector<LinId> rank = lift_.rank;
      for (std::size_t k = 0; k < digits_->size(); ++k) rank[static_cast<std::size_t>((*digits_)[k])] = variables[k];
      return rank;
    }
    Arena& arena = lift_.arena;
    const LinId place = arena.axpy(size_, lift_.digits.rank_form(arena), variables[0]);
    return lift_.digits.digits_of(arena, arena.table(arena.make_table(member_table()), place));
  }
  /// Digits of the member at place `number` of the group.
  std::vector<LinId> member_at(LinId number) {
    if (digits_) return member(lift_.arena.unflatten(number, extents_));
    return member({&number, 1});
  }
  /// The own place in the group.
  LinId position() {
    if (digits_) {
      std::vector<LinId> own;
      for (const int d : *digits_) own.push_back(lift_.rank[static_cast<std::size_t>(d)]);
      return lift_.arena.flatten(own, extents_);
    }
    std::vector<std::int64_t> places(static_cast<std::size_t>(lift_.digits.ranks()));
    for (const auto& group : groups_) {
      for (std::size_t k = 0; k < group.size(); ++k) {
        places[static_cast<std::size_t>(group[k])] = static_cast<std::int64_t>(k);
      }
    }
    return lift_.digits.by_rank(lift_.arena, places);
  }
  /// True where the own group has a member at these values of the variables (groups of unequal sizes).
  GuardId exists(std::span<const LinId> variables) {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(lift_.digits.ranks()));
    for (const auto& group : groups_) {
      for (const std::int64_t rank : group) {
        sizes[static_cast<std::size_t>(rank)] = static_cast<std::int64_t>(group.size());
      }
    }
    if (digits_) return lift_.arena.always();
    return lift_.arena.lt(variables[0], lift_.digits.by_rank(lift_.arena, sizes));
  }

 private:
  /// [rank, place] -> rank of the member; places beyond a smaller group repeat the rank itself.
  std::vector<std::int64_t> member_table() const {
    const std::int64_t entries = lift_.digits.ranks() * size_;
    if (entries > kMaxTable) {
      refuse_form(name_of(lift_.call) + ": irregular groups of " + std::to_string(size_) + " of " +
                  std::to_string(lift_.digits.ranks()) + " ranks need too large a table");
    }
    std::vector<std::int64_t> table(static_cast<std::size_t>(entries));
    for (const auto& group : groups_) {
      for (const std::int64_t rank : group) {
        for (std::int64_t place = 0; place < size_; ++place) {
          const bool there = place < static_cast<std::int64_t>(group.size());
          table[static_cast<std::size_t>(rank * size_ + place)] = there ? group[static_cast<std::size_t>(place)] : rank;
        }
      }
    }
    return table;
  }

  Lift& lift_;
  std::vector<std::vector<std::int64_t>> groups_;
  std::int64_t size_ = 0;
  std::optional<std::vector<int>> digits_;
  std::vector<std::int64_t> extents_;
};

/// The reduction over the group of operand `leaf` at `position`.
ExprId reduced(Lift& lift, GroupForms& groups, int leaf, std::span<const LinId> position) {
  const ElementType element = lift.type.element;
  const ScalarFn monoid = [&] {
    const std::optional<ScalarFn> found = find_monoid(lift.arena, region_of(lift.call), 0, element);
    if (!found) {
      refuse_form(name_of(lift.call) + ": its computation is not one of add, multiply, maximum, minimum, and, or, xor");
    }
    return *found;
  }();
  const std::vector<std::int64_t> extents = groups.extents();
  std::vector<LinId> variables;
  for (std::size_t k = 0; k < extents.size(); ++k) variables.push_back(lift.fold_var(static_cast<int>(k), extents[k]));
  const ExprId value = lift.read_on(leaf, groups.member(variables), position);
  return lift.arena.fold(monoid, unit_of(lift.arena, monoid, element), lift.depth(), extents, groups.exists(variables),
                         value);
}

bool is_affine(const Arena& arena, LinId form) {
  for (const Multiple& term : arena.terms(form)) {
    if (arena.atom(term.atom).kind != AtomKind::Var) return false;
  }
  return true;
}

/// Digits of the source of every rank; kAnyValue where there is none. Each digit is affine where it can be (a shift,
/// even one without wrap-around), else split off the source's rank.
std::vector<LinId> source_digits(Lift& lift, const std::vector<std::int64_t>& sources) {
  Arena& arena = lift.arena;
  std::vector<LinId> digits = lift.digits.digits_of(arena, lift.digits.by_rank(arena, sources));
  for (int d = 0; d < lift.digits.count(); ++d) {
    std::vector<std::int64_t> values = sources;
    for (std::int64_t& value : values) {
      if (value != kAnyValue) value = lift.digits.value(value, d);
    }
    const LinId form = lift.digits.by_rank(arena, values);
    if (is_affine(arena, form)) digits[static_cast<std::size_t>(d)] = form;
  }
  return digits;
}

}  // namespace

Body all_reduce_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  GroupForms groups(lift, call);
  return lift.finish(reduced(lift, groups, leaf, lift.index));
}

Body reduce_scatter_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  GroupForms groups(lift, call);
  const std::int64_t d = call.attributes->ints(Attr::BroadcastDims)[0];
  const std::int64_t block = lift.type.dims[static_cast<std::size_t>(d)];
  const std::vector<LinId> position = with(lift.index, d, arena.axpy(block, groups.position(), lift.at(d)));
  return lift.finish(reduced(lift, groups, leaf, position));
}

Body all_gather_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  GroupForms groups(lift, call);
  const std::int64_t d = call.attributes->ints(Attr::BroadcastDims)[0];
  const std::int64_t block = call.operands[static_cast<std::size_t>(leaf)]->dims[static_cast<std::size_t>(d)];
  const LinId place = arena.div(lift.at(d), block);
  return lift.finish(lift.read_on(leaf, groups.member_at(place), with(lift.index, d, arena.mod(lift.at(d), block))));
}

Body all_to_all_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  GroupForms groups(lift, call);
  if (call.attributes->has(Attr::BroadcastDims)) {
    const std::int64_t d = call.attributes->ints(Attr::BroadcastDims)[0];
    const std::int64_t block = lift.type.dims[static_cast<std::size_t>(d)] / groups.size();
    const std::vector<LinId> sender = groups.member_at(arena.div(lift.at(d), block));
    const LinId place = arena.axpy(block, groups.position(), arena.mod(lift.at(d), block));
    return lift.finish(lift.read_on(0, sender, with(lift.index, d, place)));
  }
  // Tuple form: element k of the result is what member k of the group has in its operand number `position`.
  const std::vector<LinId> sender = groups.member_at(arena.constant(leaf));
  const LinId position = groups.position();
  ExprId root = lift.read_on(static_cast<int>(groups.size()) - 1, sender, lift.index);
  for (std::int64_t k = groups.size() - 1; k-- > 0;) {
    root = arena.select(arena.eq(position, arena.constant(k)), lift.read_on(static_cast<int>(k), sender, lift.index),
                        root);
  }
  return lift.finish(root);
}

/// What the first member of the group has.
Body collective_broadcast_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  GroupForms groups(lift, call);
  return lift.finish(lift.read_on(0, groups.member_at(arena.constant(0)), lift.index));
}

Body collective_permute_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  std::vector<std::int64_t> sources(static_cast<std::size_t>(lift.digits.ranks()), kAnyValue);
  std::vector<std::int64_t> receives(sources.size(), 0);
  bool any = false;
  for (const auto& [source, target] : rank_pairs(*call.attributes, call.layout)) {
    if (target >= lift.digits.ranks() || source >= lift.digits.ranks()) {
      refuse(DiagCode::BadPermute, "collective-permute: rank " + std::to_string(std::max(source, target)) +
                                       " in a program of " + std::to_string(lift.digits.ranks()) + " ranks");
    }
    sources[static_cast<std::size_t>(target)] = source;
    receives[static_cast<std::size_t>(target)] = 1;
    any = true;
  }
  const ExprId zero = unit_of(arena, ScalarFn::Add, lift.type.element);
  if (!any) return lift.finish(zero);
  const std::vector<LinId> source = source_digits(lift, sources);
  return lift.finish(arena.select(lift.digits.where(arena, receives), lift.read_on(0, source, lift.index), zero));
}

}  // namespace gg
