#include "models/pair/rounded.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "models/body/reads.h"
#include "models/ir/flatten.h"
#include "models/op/facts.h"

namespace gg {
namespace {

/// Sets of free inputs as numbers: a program has few different ones.
class Sets {
 public:
  using Id = std::uint32_t;  ///< 0: none
  explicit Sets(std::size_t inputs) : words_(inputs / 64 + 1) { of(Bits(words_)); }

  Id of_inputs(const std::vector<bool>& among) {
    Bits bits(words_);
    for (std::size_t k = 0; k < among.size(); ++k) bits[k / 64] |= std::uint64_t{among[k]} << (k % 64);
    return of(std::move(bits));
  }
  Id unite(Id a, Id b) {
    if (a == b || b == 0) return a;
    if (a == 0) return b;
    const auto [it, made] = united_.try_emplace(std::minmax(a, b), 0);
    if (!made) return it->second;
    Bits all = *members_[a];
    for (std::size_t w = 0; w < words_; ++w) all[w] |= (*members_[b])[w];
    return it->second = of(std::move(all));
  }
  /// The first input of one set that is not in the other.
  std::optional<std::size_t> first_without(Id in, Id without) const {
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t bits = (*members_[in])[w] & ~(*members_[without])[w];
      if (bits != 0) return w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
    }
    return std::nullopt;
  }

 private:
  using Bits = std::vector<std::uint64_t>;
  Id of(Bits bits) {
    const auto [it, made] = known_.try_emplace(std::move(bits), static_cast<Id>(members_.size()));
    if (made) members_.push_back(&it->first);
    return it->second;
  }

  std::size_t words_;
  std::map<Bits, Id> known_;
  std::vector<const Bits*> members_;  ///< by number
  std::map<std::pair<Id, Id>, Id> united_;
};

/// Which inputs reach the values of a module by floats of more than `bits` bits.
class Reach {
 public:
  Reach(Sets& sets, const Module& module, int bits) : sets_(sets), module_(module), bits_(bits) {}

  std::vector<Sets::Id> outputs(const FlatProgram& flat, const std::vector<Sets::Id>& inputs) {
    std::vector<std::vector<Sets::Id>> of(flat.nodes.size());
    const auto at = [&](FlatValue v) -> Sets::Id& { return of[v.node][v.leaf]; };
    for (std::uint32_t node = 0; node < flat.nodes.size(); ++node) of[node].resize(module_.type(flat.nodes[node].instruction).leaves().size());
    for (std::size_t k = 0; k < inputs.size(); ++k) at(flat.inputs[k]) = inputs[k];
    for (std::uint32_t node = 0; node < flat.nodes.size(); ++node) {
      const FlatNode& n = flat.nodes[node];
      const Op op = module_[n.instruction].op;
      if (op != Op::Parameter) {
        std::vector<Sets::Id> operands;
        for (const FlatValue v : flat.operands(n)) operands.push_back(at(v));
        of[node] = op == Op::While ? loop(n.instruction, operands) : results(n.instruction, operands, of[node].size());
      }
      const auto leaves = module_.type(n.instruction).leaves();
      for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        if (!wide(*leaves[leaf])) of[node][leaf] = 0;
      }
    }
    std::vector<Sets::Id> out;
    for (const FlatValue v : flat.outputs) out.push_back(at(v));
    return out;
  }

 private:
  bool wide(const Type& type) const { return type.is_array() && is_float(type.element) && info(type.element).significand > bits_; }

  /// Each of what several values are sent as, of its own; all of all for other operators.
  std::vector<Sets::Id> results(InstructionId id, const std::vector<Sets::Id>& operands, std::size_t count) {
    if (operands.size() == count && info(module_[id].op).traits == OpTraits::Collective) return operands;
    Sets::Id all = 0;
    for (const Sets::Id operand : operands) all = sets_.unite(all, operand);
    return std::vector<Sets::Id>(count, all);
  }

  std::vector<Sets::Id> loop(InstructionId id, std::vector<Sets::Id> carries) {
    const FlatProgram body = flatten(module_, module_.attributes(id).computations(Attr::Body).at(0));
    std::vector<Sets::Id> after = outputs(body, carries);
    for (bool changed = true; changed;) {
      changed = false;
      const std::vector<Sets::Id> next = outputs(body, after);
      for (std::size_t k = 0; k < after.size(); ++k) {
        const Sets::Id all = sets_.unite(after[k], next[k]);
        changed |= all != after[k];
        after[k] = all;
      }
    }
    return after;
  }

  Sets& sets_;
  const Module& module_;
  int bits_;
};

/// Which free inputs make each input leaf of one side.
std::vector<Sets::Id> given(const Case& c, Sets& sets, const std::vector<Body>& inputs) {
  std::vector<Sets::Id> all;
  for (const Body& body : inputs) all.push_back(sets.of_inputs(operands_read(*c.arena, body.root, c.relation.free.size())));
  return all;
}

/// What reaches the part of the outputs that a claim compares.
Sets::Id reaching(const Case& c, Sets& sets, ExprId claimed, const std::vector<Sets::Id>& outputs) {
  const std::vector<bool> read = operands_read(*c.arena, claimed, outputs.size());
  Sets::Id all = 0;
  for (std::size_t k = 0; k < read.size(); ++k) all = read[k] ? sets.unite(all, outputs[k]) : all;
  return all;
}

/// Float types of a module's values, the one of fewest bits first.
std::map<int, ElementType> float_types(const Module& module, const FlatProgram& flat) {
  std::map<int, ElementType> types;
  for (const FlatNode& n : flat.nodes) {
    for (const Type* leaf : module.type(n.instruction).leaves()) {
      if (leaf->is_array() && is_float(leaf->element)) types.try_emplace(info(leaf->element).significand, leaf->element);
    }
  }
  return types;
}

}  // namespace

std::vector<Rounded> rounded_inputs(const Case& c) {
  const FlatProgram distributed = flatten(*c.distributed);
  std::map<int, ElementType> types = float_types(*c.distributed, distributed);
  if (types.size() < 2) return {};
  types.erase(std::prev(types.end()));
  const FlatProgram sequential = flatten(*c.sequential);
  Sets sets(c.relation.free.size());
  const auto of_sequential = given(c, sets, c.relation.sequential_inputs), of_distributed = given(c, sets, c.relation.distributed_inputs);
  std::map<std::size_t, Rounded> found;
  for (const auto& [bits, type] : types) {
    const auto wide = Reach(sets, *c.sequential, bits).outputs(sequential, of_sequential), kept = Reach(sets, *c.distributed, bits).outputs(distributed, of_distributed);
    for (std::size_t k = 0; k < c.relation.outputs.size(); ++k) {
      const OutputClaim& claim = c.relation.outputs[k];
      if (!compares(*c.arena, claim)) continue;
      const auto input = sets.first_without(reaching(c, sets, claim.sequential, wide), reaching(c, sets, claim.distributed, kept));
      if (input) found.try_emplace(k, Rounded{k, *input, type});
    }
  }
  std::vector<Rounded> all;
  for (const auto& [output, rounded] : found) all.push_back(rounded);
  return all;
}

std::int64_t exact_integers(const Case& c) {
  int bits = info(ElementType::F64).significand;
  for (const Module* m : {c.sequential.get(), c.distributed.get()}) {
    for (InstructionId id = 0; id < m->size(); ++id) {
      for (const Type* leaf : m->type(id).leaves())
        if (leaf->is_array() && is_float(leaf->element)) bits = std::min(bits, info(leaf->element).significand);
    }
  }
  return std::int64_t{1} << bits;
}

}  // namespace gg
