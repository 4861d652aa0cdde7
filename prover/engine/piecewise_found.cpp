#include "prover/engine/piecewise_found.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "models/ir/structure.h"
#include "models/op/facts.h"

namespace gg::prover {
namespace {

using Key = std::vector<std::uint64_t>;

constexpr std::uint64_t kNoScalars = std::uint64_t{1} << 32;  ///< and above: computations that are no scalar functions

/// Numbers for keys: equal ones have one.
class Numbers {
 public:
  std::uint32_t of(Key key) { return numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(numbers_.size())).first->second; }

 private:
  std::map<Key, std::uint32_t> numbers_;
};

class Finder {
 public:
  Finder(BodyTable& bodies, const FlatProgram& program) : bodies_(bodies), module_(bodies.module()), program_(program) {}

  std::vector<Piece> run() {
    for (std::uint32_t node = 0; node < program_.nodes.size(); ++node) plain_.push_back(plain_number(node));
    find_slices();
    found_.resize(program_.nodes.size());
    for (std::uint32_t node = 0; node < program_.nodes.size(); ++node) found_[node] = piece(node);
    std::map<std::uint32_t, std::set<std::int64_t>> members;
    for (const Piece& p : found_)
      if (p.family != Piece::kNone) members[p.family].insert(p.piece);
    for (Piece& p : found_)
      if (p.family != Piece::kNone && members[p.family].size() < 2) p = {};
    return std::move(found_);
  }

 private:
  const Instruction& instruction(std::uint32_t node) const { return module_[program_.nodes[node].instruction]; }
  std::span<const FlatValue> operands(std::uint32_t node) const { return program_.operands(program_.nodes[node]); }

  /// What the operator itself is, whatever its operands are.
  Key own(std::uint32_t node) {
    const Instruction& i = instruction(node);
    Key key{static_cast<std::uint64_t>(i.op), i.type};
    const Body* body = structure_of(i.op) == Structure::Loop ? nullptr : bodies_.body(program_.nodes[node].instruction, 0);
    key.push_back(body != nullptr ? reinterpret_cast<std::uintptr_t>(body) : 0);
    if (body != nullptr) return key;
    gg::Attributes plain;  // without computations, of which the contents count
    for (const auto& [attr, value] : module_.attributes_by_id(i.attributes).entries()) {
      if (info(attr).kind != AttrKind::Computations) {
        plain.set(attr, value);
        continue;
      }
      for (const ComputationId c : std::get<ComputationList>(value)) {
        const std::vector<ExprId>& results = bodies_.region(c).results;
        if (results.empty()) key.push_back(kNoScalars + c);
        for (const ExprId result : results) key.push_back(result.value);
      }
    }
    const auto known = std::find(attributes_.begin(), attributes_.end(), plain);
    key.push_back(static_cast<std::uint64_t>(known - attributes_.begin()));
    if (known == attributes_.end()) attributes_.push_back(std::move(plain));
    return key;
  }

  std::uint32_t plain_number(std::uint32_t node) {
    if (structure_of(instruction(node).op) == Structure::Parameter) return plain_numbers_.of({node});
    Key key = own(node);
    for (const FlatValue v : operands(node)) {
      key.push_back(plain_[v.node]);
      key.push_back(v.leaf);
    }
    return plain_numbers_.of(std::move(key));
  }

  /// Families of slices of one value that differ by where one dimension begins.
  void find_slices() {
    std::map<Key, std::map<std::vector<std::int64_t>, std::vector<std::uint32_t>>> groups;
    for (std::uint32_t node = 0; node < program_.nodes.size(); ++node) {
      const Instruction& i = instruction(node);
      if (!module_.attributes_by_id(i.attributes).has(Attr::Slice)) continue;
      Key key{plain_[operands(node)[0].node], operands(node)[0].leaf, i.type};
      std::vector<std::int64_t> start;
      for (const SliceDim& d : module_.attributes_by_id(i.attributes).slice()) {
        key.push_back(static_cast<std::uint64_t>(d.stride));
        start.push_back(d.start);
      }
      groups[std::move(key)][std::move(start)].push_back(node);
    }
    for (const auto& [key, slices] : groups) {
      if (!in_steps(slices)) continue;
      std::vector<std::int64_t> step;
      for (std::size_t d = 0; d < slices.begin()->first.size(); ++d) step.push_back(std::next(slices.begin())->first[d] - slices.begin()->first[d]);
      std::int64_t piece = 0;
      for (const auto& [start, nodes] : slices) {
        for (const std::uint32_t node : nodes) slices_[node] = {families_, piece, static_cast<std::int64_t>(slices.size()), step};
        ++piece;
      }
      ++families_;
    }
  }

  /// Do the starts differ along one dimension alone, by one step?
  template <class Slices>
  static bool in_steps(const Slices& slices) {
    if (slices.size() < 2) return false;
    const std::vector<std::int64_t>&first = slices.begin()->first, &second = std::next(slices.begin())->first;
    std::int64_t number = 0;
    for (const auto& [start, nodes] : slices) {
      std::size_t moved = 0;
      for (std::size_t d = 0; d < start.size(); ++d) {
        if (start[d] != first[d] + number * (second[d] - first[d])) return false;
        moved += second[d] != first[d] ? 1 : 0;
      }
      if (moved != 1) return false;
      ++number;
    }
    return true;
  }

  Piece piece(std::uint32_t node) {
    std::optional<Piece> common;  // of the operands that are pieces
    for (const FlatValue v : operands(node)) {
      const Piece& p = found_[v.node];
      if (p.family == Piece::kNone) continue;
      if (common && (common->piece != p.piece || common->count != p.count)) return {};
      common = p;
    }
    if (!common) {
      const auto it = slices_.find(node);
      return it == slices_.end() ? Piece{} : it->second;
    }
    if (structure_of(instruction(node).op) != Structure::None && structure_of(instruction(node).op) != Structure::Branches) return {};
    Key key = own(node);
    for (const FlatValue v : operands(node)) {
      const Piece& p = found_[v.node];
      key.push_back(p.family == Piece::kNone ? plain_[v.node] : p.family);
      key.push_back(v.leaf * 2 + (p.family == Piece::kNone ? 0 : 1));
    }
    const auto [it, fresh] = of_operands_.try_emplace(std::move(key), families_);
    if (fresh) ++families_;
    return {it->second, common->piece, common->count, {}};
  }

  BodyTable& bodies_;
  const Module& module_;
  const FlatProgram& program_;
  Numbers plain_numbers_;
  std::vector<gg::Attributes> attributes_;  // of operators without a body
  std::vector<std::uint32_t> plain_;        // by node: equal numbers, equal values
  std::map<std::uint32_t, Piece> slices_;
  std::map<Key, std::uint32_t> of_operands_;
  std::uint32_t families_ = 0;
  std::vector<Piece> found_;
};

}  // namespace

std::vector<Piece> find_pieces(BodyTable& bodies, const FlatProgram& program) { return Finder(bodies, program).run(); }

bool joins_pieces(BodyTable& bodies, const FlatProgram& program) {
  std::vector<Piece> pieces = find_pieces(bodies, program);
  std::vector<bool> computed, fixed;  // not only moved; of no parameter
  for (std::uint32_t node = 0; node < pieces.size(); ++node) {
    const auto operands = program.operands(program.nodes[node]);
    const auto piece = [&](FlatValue v) { return pieces[v.node].family != Piece::kNone; };
    const auto first = std::find_if(operands.begin(), operands.end(), piece);
    computed.push_back(!moves_elements(bodies.module()[program.nodes[node].instruction].op) ||
                       std::any_of(operands.begin(), operands.end(), [&](FlatValue v) { return piece(v) && computed[v.node]; }));
    fixed.push_back(structure_of(bodies.module(), program.nodes[node].instruction) != Structure::Parameter && std::all_of(operands.begin(), operands.end(), [&](FlatValue v) { return fixed[v.node]; }));
    if (pieces[node].family != Piece::kNone || first == operands.end()) continue;
    std::map<std::uint32_t, std::int64_t> met;
    for (const FlatValue v : operands) {
      const Piece& p = pieces[v.node];
      if (piece(v) && computed[v.node] && met.try_emplace(p.family, p.piece).first->second != p.piece) return true;
    }
    const bool alone = std::count_if(operands.begin(), operands.end(), [&](FlatValue v) { return !fixed[v.node]; }) == 1;
    if (alone) pieces[node] = pieces[first->node];  // with a number that it is combined with, as a sum begins with zero
  }
  return false;
}

}  // namespace gg::prover
