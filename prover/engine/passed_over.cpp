// What a proof over real numbers of finite inputs passes over, said beside it: whole numbers in types that do not hold them, roundings that are written out
// (docs/formats.md: precision=).
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "models/body/reads.h"
#include "models/op/facts.h"
#include "models/pair/rounded.h"
#include "prover/engine/engine.h"
#include "prover/term/store.h"

namespace gg::prover {
namespace {

constexpr std::int64_t kOfSizes = 9;  ///< the largest whole number that is not made of a size, where sizes stand for all
constexpr std::size_t kMostJoined = 64;
constexpr std::int64_t kAnyNumber = std::numeric_limits<std::int64_t>::max();  ///< an integer of which nothing is known

/// Bits of the significand, 0 of what is no float.
int float_bits(const Module& module, const FlatNode& n, std::uint32_t leaf) {
  const Type& type = *module.type(n.instruction).leaves()[leaf];
  return type.is_array() && is_float(type.element) ? info(type.element).significand : 0;
}

/// A rounding that is written out: `reduce-precision`, and the types that a dot takes its operands as (XLA's `algorithm`). Empty for all others.
std::string written_rounding(const Module& module, InstructionId id) {
  const gg::Attributes& a = module.attributes(id);
  if (a.has(Attr::MantissaBits)) {
    return "keeps " + std::to_string(a.integer(Attr::ExponentBits)) + " bits of the exponent and " + std::to_string(a.integer(Attr::MantissaBits)) + " of the mantissa";
  }
  if (!a.has(Attr::Algorithm)) return {};
  const ElementType operand = module.type(module.operands(id)[0]).element;
  std::istringstream words(a.text(Attr::Algorithm));
  for (std::string word; std::getline(words, word, '_');) {
    const auto type = element_type(word);
    const bool reduced = type ? is_float(*type) && info(*type).significand < info(operand).significand : word == "tf32" && info(operand).significand > 11;
    if (reduced && is_float(operand)) return "takes its operands as " + word;
  }
  return {};
}

template <class Key>
void keep_least(std::map<Key, int>& least, const Key& key, int bits) {
  int& kept = least.try_emplace(key, bits).first->second;
  kept = std::min(kept, bits);
}

/// A value, and the numerator and denominator of its factor without powers of two, by which it is rounded as the value is; zeros where they are long.
using Multiple = std::pair<AnchorId, std::pair<std::int64_t, std::int64_t>>;

Multiple multiple(const Rationals& q, AnchorId anchor, RatId factor) {
  auto parts = q.fraction(factor).value_or(std::pair<std::int64_t, std::int64_t>{0, 0});
  for (std::int64_t* n : {&parts.first, &parts.second}) *n = *n == 0 ? 0 : std::abs(*n) >> __builtin_ctzll(static_cast<unsigned long long>(*n));
  return {anchor, parts};
}

}  // namespace

bool adds_across_ranks(const Module& module, InstructionId id) {
  const auto regions = module.attributes(id).computations(Attr::ToApply);
  return folds(module[id].op) && info(module[id].op).traits == OpTraits::Collective && term_sign(module[module.computation(regions.at(0)).root].op) != 0;
}

/// The largest count that a sum of cases among whole numbers, or a sequential value that is one, comes to; nothing for all other terms.
std::optional<std::int64_t> Engine::count_most(TermId t) {
  const auto defined = [&](TermId value) { return t_[value].kind == Kind::Read ? t_.anchor(t_.anchor_of(value)).form : value; };
  t = defined(t);
  if (t_[t].kind != Kind::Fold || t_[t].sort != Sort::Real || t_.fold_parts(t).op != ScalarFn::Add) return std::nullopt;
  const Opened sum = t_.open(t);
  std::int64_t most = 0;
  const auto counts = [&](auto&& self, TermId value) -> bool {
    const TermId body = defined(value);
    if (t_[body].kind == Kind::Case) return self(self, t_.kid(body, 1)) && self(self, t_.kid(body, 2));
    const auto number = t_.is_lit(body) ? t_.whole(body) : std::nullopt;
    if (number) most = std::max(most, std::abs(t_[*number].c0));
    return number.has_value();
  };
  if (!counts(counts, sum.bodies[0])) return std::nullopt;
  for (const std::int64_t extent : sum.extents) most = saturate_mul(most, extent);
  return most;
}

/// Of a value that is made of whole numbers alone and has a type of few bits: the largest of them, without the powers of two that divide them all, if
/// the type does not hold all up to it. A sum comes to every number on its way. Integers of which nothing is known become any number of their type where they are converted. Zero for all others.
std::int64_t Engine::whole_beyond(const Side& side, std::uint32_t node, std::uint32_t leaf) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;  // beyond it nothing is known of the number
  const InstructionId id = side.flat.nodes[node].instruction;
  const Op op = (*side.module)[id].op;
  const Type& type = *side.module->type(id).leaves()[leaf];
  if (rearranges(op)) return 0;
  const TermId conclusion = side.conclusions[side.first_leaf[node] + leaf];
  const auto beyond = [&](std::int64_t most) { return most > (options_.sizes_stand_for_all ? kOfSizes : std::int64_t{1} << info(type.element).significand) ? most : 0; };
  const auto whole = t_.whole_sum(conclusion);
  if (!whole) return beyond(count_most(conclusion).value_or(0));
  const LinNode& form = t_[*whole];
  if (form.lo < -kMost || form.hi > kMost) {
    if (!converts(op)) return 0;
    const FlatValue operand = side.flat.operands(side.flat.nodes[node])[0];
    const ElementType from = side.module->type(side.flat.nodes[operand.node].instruction).leaves()[operand.leaf]->element;
    return is_integral(from) && info(from).bits - (is_signed(from) ? 1 : 0) > info(type.element).significand ? kAnyNumber : 0;
  }
  std::int64_t step = folds(op) ? 1 : form.c0;
  for (const LinTerm& part : t_.terms(*whole)) step |= part.coef;
  const std::int64_t most = std::max(-form.lo, form.hi);
  return most == 0 ? 0 : beyond(most >> __builtin_ctzll(static_cast<unsigned long long>(step)));
}

/// Is a float at once an integer again?
bool Engine::comes_back(const Side& side, std::uint32_t node) {
  std::set<std::uint32_t> made{node};
  for (std::uint32_t later = node + 1; later < side.flat.nodes.size(); ++later) {
    const auto operands = side.flat.operands(side.flat.nodes[later]);
    const InstructionId id = side.flat.nodes[later].instruction;
    const Op op = (*side.module)[id].op;
    if (operands.empty() || made.count(operands[0].node) == 0 || !(rearranges(op) || converts(op))) continue;
    if (converts(op) && is_integral(side.module->type(id).element)) return true;
    made.insert(later);
  }
  return false;
}

/// Positions, counts and indices that a type of few bits does not hold, where the sequential program has none so large in such a type; and integers
/// of which nothing is known, where it converts none of what they are made of to a type of so few bits. Where they are integers again, what the
/// sequential program alone converts so is another number too.
void Engine::note_whole_numbers(PrecisionNotes& notes) {
  struct Beyond {
    const Side& side;
    std::uint32_t node, leaf;
    ElementType type;
    std::int64_t most;
  };
  std::vector<Beyond> all;
  std::map<ElementType, std::int64_t> sequential;
  std::array<std::map<AnchorId, int>, 2> fewest;  // significands of the types to which unknown integers are converted, by sequential values
  const auto of = [](const Side& side) { return side.which == Which::Sequential ? std::size_t{0} : std::size_t{1}; };
  const auto reads = [&](const Beyond& x) { return matcher_.reads_of(x.side.conclusions[x.side.first_leaf[x.node] + x.leaf]); };
  for (const Which which : {Which::Sequential, Which::Distributed}) {
    each_float(which, [&](const Side& side, std::uint32_t node, std::uint32_t leaf, ElementType type) {
      const std::int64_t most = whole_beyond(side, node, leaf);
      if (most == 0) return;
      all.push_back({side, node, leaf, type, most});
      if (most == kAnyNumber) {
        for (const AnchorId anchor : reads(all.back())) keep_least(fewest[of(side)], anchor, info(type).significand);
      } else if (which == Which::Sequential) sequential[type] = std::max(sequential[type], most);
    });
  }
  for (const Beyond& x : all) {
    const bool own = x.side.which == Which::Sequential;
    const auto& other = fewest[1 - of(x.side)];
    const auto converted_too = [&] {
      const std::vector<AnchorId> anchors = reads(x);
      return std::any_of(anchors.begin(), anchors.end(), [&](AnchorId anchor) {
        const auto found = other.find(anchor);
        return found != other.end() && found->second <= info(x.type).significand;
      });
    };
    if (x.most == kAnyNumber ? converted_too() || (own && !comes_back(x.side, x.node)) : own || x.most <= sequential[x.type]) continue;
    const InstructionId id = x.side.flat.nodes[x.node].instruction;
    notes.emplace(own ? distributed_.module->size() + id : id, (own ? "sequential " : "") + std::string(x.side.module->name_of(id)) + " " + std::string(info(x.type).name) +
                                                                   ", whole numbers of which it holds those up to " + std::to_string(std::int64_t{1} << info(x.type).significand) + " only");
  }
}

/// Partial sums in few bits that are converted to more before they are added, where the sequential value that they make has no such type (`of_value`: bits of the significand): each rank rounds its own.
void Engine::note_partial_sums(PrecisionNotes& notes, const std::map<AnchorId, int>& of_value) const {
  each_float(Which::Distributed, [&](const Side& side, std::uint32_t node, std::uint32_t leaf, ElementType type) {
    const InstructionId id = side.flat.nodes[node].instruction;
    if (leaf != 0 || !narrow(type) || !folds((*side.module)[id].op) || !side.pending[side.first_leaf[node]]) return;
    std::set<std::uint32_t> made{node};  // of it alone
    for (std::uint32_t later = node + 1; later < side.flat.nodes.size(); ++later) {
      const auto operands = side.flat.operands(side.flat.nodes[later]);
      const Op op = (*side.module)[side.flat.nodes[later].instruction].op;
      if (operands.empty() || made.count(operands[0].node) == 0 || !(rearranges(op) || converts(op) || folds(op))) continue;
      made.insert(later);
      const auto anchor = single_anchor(side.conclusions[side.first_leaf[later]]);
      const auto whole = anchor ? of_value.find(*anchor) : of_value.end();
      if (whole == of_value.end()) continue;
      if (whole->second > info(type).significand) notes.emplace(id, std::string(side.module->name_of(id)) + " " + std::string(info(type).name) + ", no sequential value: partial sums are rounded before they are added");
      return;
    }
  });
}

/// The values of which each element of this one is one: of parts that are joined, each part's; the first of very many.
std::vector<AnchorId> Engine::anchors_joined(TermId t) const {
  std::vector<AnchorId> found;
  std::vector<TermId> open{t};
  for (std::size_t looked = 0; !open.empty() && looked < kMostJoined; ++looked) {
    const TermId part = open.back();
    open.pop_back();
    if (const auto one = single_anchor(part)) found.push_back(*one);
    else if (t_[part].kind == Kind::Case) open.insert(open.end(), {t_.kid(part, 2), t_.kid(part, 1)});
  }
  return found;
}

/// The sequential operator that gives this value, and the type of what it gives; kNone where none does.
std::pair<InstructionId, ElementType> Engine::sequential_origin(AnchorId anchor) const {
  const auto it = places_.find(anchor);
  if (it == places_.end() || it->second.place.side != Which::Sequential) return {kNone, ElementType::Token};
  const Place& place = it->second.place;
  const InstructionId id = side_of(place).flat.nodes[place.node].instruction;
  return {id, sequential_.module->type(id).leaves()[place.leaf]->element};
}

/// Sums in few bits of partial sums: by an addition in every iteration of a loop (where the sequential program has no such loop), by additions of what is
/// no sequential value (around a ring, of micro-batches), or across ranks of what several values are put together of. What has been added is rounded with each.
void Engine::note_running_sums(PrecisionNotes& notes) {
  const auto loop_adds = [](const Side& side, InstructionId id, std::uint32_t leaf) {
    if (!side.module->attributes(id).has(Attr::Body)) return false;
    const FlatProgram body = flatten(*side.module, side.module->attributes(id).computations(Attr::Body).at(0));
    return term_sign((*side.module)[body.nodes[body.outputs[leaf].node].instruction].op) != 0;
  };
  bool sequential = false;
  each_float(Which::Sequential, [&](const Side& side, std::uint32_t node, std::uint32_t leaf, ElementType type) {
    sequential |= narrow(type) && loop_adds(side, side.flat.nodes[node].instruction, leaf);
  });
  each_float(Which::Distributed, [&](const Side& side, std::uint32_t node, std::uint32_t leaf, ElementType type) {
    const InstructionId id = side.flat.nodes[node].instruction;
    const Op op = (*side.module)[id].op;
    const auto operands = side.flat.operands(side.flat.nodes[node]);
    const auto is_sum = [&](FlatValue v) { return t_[t_.content(side.conclusions[side.first_leaf[v.node] + v.leaf]).second].kind == Kind::Fold; };
    const auto partial = [&](FlatValue v) { return side.pending[side.first_leaf[v.node] + v.leaf] && is_sum(v); };
    const auto of_fold = [&](AnchorId anchor) {
      const InstructionId origin = sequential_origin(anchor).first;
      return origin != kNone && folds((*sequential_.module)[origin].op);
    };
    if (!narrow(type)) return;
    const bool here = side.pending[side.first_leaf[node] + leaf];
    const bool sums = loop_adds(side, id, leaf) ? !sequential && (is_sum({node, leaf}) || std::ranges::any_of(anchors_joined(side.conclusions[side.first_leaf[node] + leaf]), of_fold))
                      : term_sign(op) != 0      ? std::all_of(operands.begin(), operands.end(), partial)
                                                : adds_across_ranks(*side.module, id) && here;
    if (sums) notes.emplace(id, std::string(side.module->name_of(id)) + " " + std::string(info(type).name) + ", partial sums are rounded before they are added");
  });
}

/// Such roundings that the sequential program does not have.
void Engine::note_reduced(PrecisionNotes& notes) const {
  std::set<std::string> sequential;
  each_side(Which::Sequential, [&](const Side& side) {
    for (const FlatNode& n : side.flat.nodes) sequential.insert(written_rounding(*side.module, n.instruction));
  });
  each_side(Which::Distributed, [&](const Side& side) {
    for (const FlatNode& n : side.flat.nodes) {
      const std::string rounding = written_rounding(*side.module, n.instruction);
      if (rounding.empty() || sequential.count(rounding) != 0) continue;
      notes.emplace(n.instruction, std::string(side.module->name_of(n.instruction)) + " " + rounding + ", nothing in the sequential program does");
    }
  });
}

/// Where a value has a type of fewer bits than the sequential value that it is has in any type (up to a factor, or once it is converted), or first one
/// of fewer than any value of the sequential program. Whole numbers are told of above. Where sizes stand for all, of carries alone, which are rounded once an iteration.
void Engine::note_narrower(PrecisionNotes& notes) {
  int fewest = info(ElementType::F64).significand, most = 0;                                                                            // of the sequential program's floats
  const auto factor = [&](TermId value) { return t_[value].kind == Kind::Poly ? static_cast<RatId>(t_.kids(value)[0]) : RatId::One; };  // of a value that is a multiple of an anchor
  std::map<AnchorId, int> of_value;
  std::map<Multiple, int> of_multiple;
  each_float(Which::Sequential, [&](const Side& side, std::uint32_t node, std::uint32_t leaf, ElementType type) {
    fewest = std::min(fewest, info(type).significand);
    most = std::max(most, info(type).significand);
    const TermId value = side.conclusions[side.first_leaf[node] + leaf];
    const auto anchor = single_anchor(value);
    if (!anchor) return;
    keep_least(of_value, *anchor, info(type).significand);
    keep_least(of_multiple, multiple(t_.q, *anchor, factor(value)), info(type).significand);
  });
  std::map<std::pair<const Side*, std::size_t>, AnchorId> converted;  // what a value is when it is converted
  each_float(Which::Distributed, [&](const Side& side, std::uint32_t node, std::uint32_t leaf, ElementType) {
    if (!converts((*side.module)[side.flat.nodes[node].instruction].op)) return;
    const FlatValue operand = side.flat.operands(side.flat.nodes[node])[0];
    if (const auto anchor = single_anchor(side.conclusions[side.first_leaf[node] + leaf])) converted.emplace(std::pair(&side, side.first_leaf[operand.node] + operand.leaf), *anchor);
  });
  each_float(Which::Distributed, [&](const Side& side, std::uint32_t node, std::uint32_t leaf, ElementType type) {
    const FlatNode& n = side.flat.nodes[node];
    const int own = info(type).significand;
    if (own >= most && own >= fewest) return;
    const std::size_t value = side.first_leaf[node] + leaf;
    if (options_.sizes_stand_for_all && !side.module->attributes(n.instruction).has(Attr::Body)) return;
    if (t_.whole_sum(side.conclusions[value])) return;
    const auto operands = side.flat.operands(n);
    const bool first = std::any_of(operands.begin(), operands.end(), [&](FlatValue v) { return float_bits(*side.module, side.flat.nodes[v.node], v.leaf) > own; });
    std::vector<AnchorId> anchors = anchors_joined(side.conclusions[value]);
    if (const auto it = converted.find({&side, value}); anchors.empty() && it != converted.end()) anchors.push_back(it->second);
    std::optional<int> related;  // the most of all that are joined
    for (const AnchorId anchor : anchors) {
      if (const auto it = of_value.find(anchor); it != of_value.end()) related = std::max(related.value_or(0), it->second);
      if (const auto it = anchors.size() == 1 ? of_multiple.find(multiple(t_.q, anchor, factor(side.conclusions[value]))) : of_multiple.end(); it != of_multiple.end()) related = it->second;
    }
    std::string why;
    if (own < fewest && first) why = ", no value of the sequential program has so few bits";
    else if (related && own < *related && (first || !rearranges((*side.module)[n.instruction].op))) why = ", the sequential value has more bits";
    if (!why.empty()) notes.emplace(n.instruction, std::string(side.module->name_of(n.instruction)) + " " + std::string(info(type).name) + why);
  });
  if (!options_.sizes_stand_for_all) note_partial_sums(notes, of_value);
}

/// Outputs that an input reaches only rounded, and in the sequential program not, where nothing on the way is noted.
void Engine::note_rounded(PrecisionNotes& notes) const {
  const std::vector<Rounded> rounded = rounded_inputs(case_);
  if (rounded.empty()) return;
  const Side& side = distributed_;
  std::vector<bool> noted(side.flat.nodes.size());
  bool in_loops = false;
  each_side(Which::Distributed, [&](const Side& frame) {
    in_loops |= frame.frame != 0 && std::any_of(frame.flat.nodes.begin(), frame.flat.nodes.end(), [&](const FlatNode& n) { return notes.count(n.instruction) != 0; });
  });
  for (std::uint32_t node = 0; node < noted.size(); ++node) {
    const auto operands = side.flat.operands(side.flat.nodes[node]);
    const InstructionId id = side.flat.nodes[node].instruction;
    noted[node] = notes.count(id) != 0 || (in_loops && side.module->attributes(id).has(Attr::Body)) || std::any_of(operands.begin(), operands.end(), [&](FlatValue v) { return noted[v.node]; });
  }
  for (const Rounded& one : rounded) {
    const auto read = operands_read(*case_.arena, case_.relation.outputs[one.output].distributed, side.flat.outputs.size());
    const std::uint32_t node = side.flat.outputs.at(static_cast<std::size_t>(std::find(read.begin(), read.end(), true) - read.begin())).node;
    const InstructionId id = side.flat.nodes[node].instruction;
    if (!noted[node]) notes.emplace(id, std::string(side.module->name_of(id)) + ", of '" + case_.relation.free[one.input].name + "' only what " + std::string(info(one.kept).name) + " holds reaches it, in the sequential program more");
  }
}

}  // namespace gg::prover
