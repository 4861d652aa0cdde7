#include "runtime/shapes/rewrite.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <functional>
#include <numeric>
#include <unordered_set>

#include "models/ir/kinds.h"
#include "models/op/row_form.h"
#include "runtime/shapes/mesh.h"

namespace gg {
namespace {

// New attributes of one instruction; only those that speak of sizes change.
class AttributeRewriter {
 public:
  AttributeRewriter(const SizeSystem& sizes, const ProgramSizes& program, InstructionId id)
      : sizes_(sizes), program_(program), module_(program.module()), id_(id), result_(module_.attributes(id)) {}

  Attributes run() {
    if (old().has(Attr::Slice)) slice();
    if (old().has(Attr::Padding)) pad();
    if (old().has(Attr::DynamicSliceSizes)) dynamic_slice();
    if (old().has(Attr::SliceSizes)) gather();
    if (old().has(Attr::Window) && !old().has(Attr::DimLabels)) windows();
    return std::move(result_);
  }

 private:
  SizeVar in(std::size_t d) const { return program_.dim(module_.operands(id_)[0], 0, d); }
  SizeVar out(std::size_t d) const { return program_.dim(id_, 0, d); }
  const Attributes& old() const { return module_.attributes(id_); }

  void slice() {
    std::vector<SliceDim> dims = old().slice();
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (dims[d].stride == 1) {
        dims[d].start = sizes_.reduced_position(in(d), dims[d].start);
        dims[d].limit = dims[d].start + sizes_.reduced(out(d));
      } else if (sizes_.reduced(in(d)) != sizes_.size(in(d))) {
        dims[d].limit = sizes_.reduced(in(d)) - (sizes_.size(in(d)) - dims[d].limit);
      }
    }
    result_.set(Attr::Slice, std::move(dims));
  }

  void pad() {
    std::vector<PadDim> dims = old().padding();
    for (std::size_t d = 0; d < dims.size(); ++d) {
      PadDim& p = dims[d];
      const std::int64_t before = sizes_.size(in(d)), after = sizes_.size(out(d));
      const std::int64_t reduced_before = sizes_.reduced(in(d)), reduced_after = sizes_.reduced(out(d));
      if (before == reduced_before && after == reduced_after && p.interior != 0) continue;
      p.low = p.low > 0 ? sizes_.reduced_position(out(d), p.low) : -sizes_.reduced_position(in(d), -p.low);
      p.high = p.high > 0 ? reduced_after - sizes_.reduced_position(out(d), after - p.high)
                          : sizes_.reduced_position(in(d), before + p.high) - reduced_before;
    }
    result_.set(Attr::Padding, std::move(dims));
  }

  void dynamic_slice() {
    IntList lengths;
    for (std::size_t d = 0; d < module_.type(id_).dims.size(); ++d) lengths.push_back(sizes_.reduced(out(d)));
    result_.set(Attr::DynamicSliceSizes, std::move(lengths));
  }

  void gather() {
    IntList lengths = old().ints(Attr::SliceSizes);
    const IntList& offset = old().ints(Attr::OffsetDims);
    const auto dropped = [&](Attr attr, std::size_t d) {
      const IntList& list = old().ints(attr);
      return std::find(list.begin(), list.end(), static_cast<std::int64_t>(d)) != list.end();
    };
    std::size_t next = 0;
    for (std::size_t d = 0; d < lengths.size(); ++d) {
      if (dropped(Attr::CollapsedSliceDims, d) || dropped(Attr::OperandBatchingDims, d)) continue;
      lengths[d] = sizes_.reduced(out(static_cast<std::size_t>(offset[next++])));
    }
    result_.set(Attr::SliceSizes, std::move(lengths));
  }

  void windows() {
    std::vector<WindowDim> dims = old().window();
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (!is_running_window(dims[d], sizes_.size(in(d)))) continue;
      const std::int64_t extent = sizes_.reduced(in(d));
      dims[d].size = extent;
      (dims[d].pad_low > 0 ? dims[d].pad_low : dims[d].pad_high) = extent - 1;
    }
    result_.set(Attr::Window, std::move(dims));
  }

  const SizeSystem& sizes_;
  const ProgramSizes& program_;
  const Module& module_;
  InstructionId id_;
  Attributes result_;
};

class ModuleRewriter {
 public:
  ModuleRewriter(const Constraints& constraints, const Case& c, std::size_t program, const LiteralPlan& plan)
      : case_(c), sizes_(constraints.sizes), program_(constraints.programs[program]), module_(program_.module()), plan_(plan), builder_(module_.file) {
    for (const auto* uses : {&constraints.uses, &plan.float_uses}) {
      for (const LiteralUse& use : *uses) {
        if (use.side == program_.side()) first_use_.emplace(*literal(use.source), &use);
      }
    }
    ids_.assign(module_.size(), kNone);
    if (program_.side() == 0) return;
    for (const SizeVar v : constraints.ranks) ranks_.push_back(sizes_.reduced(v));
  }

  Module run() {
    builder_.reserve_all(module_);
    for (const ComputationId id : module_.in_order()) computation(id);
    builder_.set_entry(module_.entry());
    builder_.copy_header(module_);
    Module result = builder_.finish();
    if (ranks_.empty()) return result;
    const std::int64_t all = std::accumulate(ranks_.begin(), ranks_.end(), std::int64_t{1}, std::multiplies<>());
    if (result.num_partitions && case_.relation.layout.replicas == 1) result.num_partitions = all;
    if (result.replica_count && case_.relation.layout.partitions == 1) result.replica_count = all;
    return result;
  }

 private:
  using Values = std::vector<std::int64_t>;

  // The constant of a literal that is read by use.
  std::optional<InstructionId> literal(InstructionId id) const {
    if (const auto integer = program_.literal(id)) return integer;
    const auto& floats = plan_.float_literals[program_.side()];
    return floats.empty() || floats[id] == kNone ? std::nullopt : std::optional(floats[id]);
  }

  void computation(ComputationId cid) {
    const Computation& c = module_.computation(cid);
    clones_.clear();
    names_.clear();
    for (InstructionId id = c.first; id < c.first + c.count; ++id) names_.emplace(module_.name_of(id));
    builder_.begin(cid, c.line);
    for (InstructionId id = c.first; id < c.first + c.count; ++id) {
      std::vector<InstructionId> operands;
      for (std::size_t k = 0; k < module_.operands(id).size(); ++k) operands.push_back(operand(id, k));
      const auto constant = is_constant(module_, id) && literal(id);
      ids_[id] = add(id, operands, module_.name_of(id), constant ? place_values(id) : nullptr);
    }
    const Values* root_values = values_at(kNone, c.root);
    InstructionId root = ids_[c.root];
    if (literal(c.root) && !same(root_values, place_values(*literal(c.root)))) {
      root = clone(c.root, root_values);
    }
    builder_.end(root);
  }

  // The values that the plan gives operand k of `user`; null = as they were.
  const Values* values_at(InstructionId user, std::uint32_t k) const {
    const auto found = plan_.values.find({program_.side(), user, k});
    return found == plan_.values.end() ? nullptr : &found->second;
  }

  // The values that a constant takes in place: those of its first use.
  const Values* place_values(InstructionId constant) const {
    const auto found = first_use_.find(constant);
    if (found == first_use_.end()) return nullptr;
    const LiteralUse& use = *found->second;
    return values_at(use.user, use.user == kNone ? use.source : use.operand);
  }

  static bool same(const Values* a, const Values* b) { return a == b || (a != nullptr && b != nullptr && *a == *b); }

  InstructionId operand(InstructionId user, std::size_t k) {
    const InstructionId source = module_.operands(user)[k];
    if (!literal(source) || literal(user)) return ids_[source];
    const Values* wanted = values_at(user, static_cast<std::uint32_t>(k));
    return same(wanted, place_values(*literal(source))) ? ids_[source] : clone(source, wanted);
  }

  // The chain from the constant to `source` once more, with other values.
  InstructionId clone(InstructionId source, const Values* values) {
    const auto key = std::make_pair(source, values == nullptr ? Values{} : *values);
    if (const auto found = clones_.find(key); found != clones_.end()) return found->second;
    std::vector<InstructionId> operands;
    if (!is_constant(module_, source)) operands.push_back(clone(module_.operands(source)[0], values));
    const std::string stem(module_.name_of(source));
    std::string name = stem + ".use";
    for (int n = 2; !names_.insert(name).second; ++n) name = stem + ".use" + std::to_string(n);
    const InstructionId id = add(source, operands, name, is_constant(module_, source) ? values : nullptr);
    clones_.emplace(key, id);
    return id;
  }

  InstructionId add(InstructionId id, const std::vector<InstructionId>& operands, std::string_view name,
                    const Values* values) {
    Instruction copy = builder_.like(module_, id);
    copy.type = builder_.intern(reduced_type(id));
    Attributes attributes = is_constant(module_, id) ? constant(id, values) : AttributeRewriter(sizes_, program_, id).run();
    if (!ranks_.empty()) rewrite_ranks(case_, attributes, module_[id].op, ranks_);
    copy.attributes = builder_.intern(std::move(attributes));
    copy.name = builder_.intern(name);
    return builder_.add(copy, operands);
  }

  Type reduced_type(InstructionId id) const {
    Type type = module_.type(id);
    std::size_t leaf = 0;
    reduce(type, id, leaf);
    return type;
  }

  void reduce(Type& type, InstructionId id, std::size_t& leaf) const {
    if (type.is_array()) {
      for (std::size_t d = 0; d < type.dims.size(); ++d) type.dims[d] = sizes_.reduced(program_.dim(id, leaf, d));
      ++leaf;
    }
    for (Type& element : type.elements) reduce(element, id, leaf);
  }

  // Entries at the coordinates for which the reduced ones stand; integers as the plan says.
  Attributes constant(InstructionId id, const Values* values) const {
    Attributes attributes = module_.attributes(id);
    if (!attributes.has(Attr::Literal)) return attributes;
    const ConstantArray& old = attributes.literal();
    ConstantArray array{reduced_type(id), {}};
    const std::int64_t count = array.type.count();
    for (std::int64_t k = 0; k < count; ++k) {
      std::int64_t rest = k, from = 0, stride = 1;
      for (std::size_t d = array.type.dims.size(); d-- > 0;) {
        from += sizes_.full_coordinate(program_.dim(id, 0, d), rest % array.type.dims[d]) * stride;
        rest /= array.type.dims[d];
        stride *= old.type.dims[d];
      }
      const auto at = static_cast<std::size_t>(from);
      const Scalar& scalar = old.values[at];
      if (values == nullptr) array.values.push_back(scalar);
      else if (is_float(scalar.type)) array.values.push_back(Scalar::of(scalar.type, std::bit_cast<double>((*values)[at])));
      else array.values.push_back(Scalar::of_int(scalar.type, (*values)[at]));
    }
    attributes.set(Attr::Literal, std::move(array));
    return attributes;
  }

  const Case& case_;
  const SizeSystem& sizes_;
  const ProgramSizes& program_;
  const Module& module_;
  const LiteralPlan& plan_;
  std::vector<std::int64_t> ranks_;  ///< along the digits; empty where they stay
  Builder builder_;
  std::map<InstructionId, const LiteralUse*> first_use_;
  std::vector<InstructionId> ids_;
  std::map<std::pair<InstructionId, Values>, InstructionId> clones_;
  std::unordered_set<std::string> names_;
};

}  // namespace

Module rewrite_module(const Constraints& constraints, const Case& c, std::size_t program, const LiteralPlan& plan) {
  return ModuleRewriter(constraints, c, program, plan).run();
}

std::string rewrite_relation(const Constraints& constraints, const Case& c,
                             const std::map<std::size_t, std::pair<SizeExpr, SizeExpr>>& ranges) {
  const SizeSystem& sizes = constraints.sizes;
  const ProgramSizes& p = constraints.programs[0];
  Relation relation = c.relation;
  const auto rewrite = [&](std::vector<Placement>& placements, std::span<const InstructionId> values) {
    std::size_t k = 0;
    for (const InstructionId id : values) {
      for (std::size_t leaf = 0; leaf < p.leaves(id) && k < placements.size(); ++leaf, ++k) {
        Placement& placement = placements[k];
        if (placement.kind == Placement::Kind::Hlo) {
          const auto folder = std::filesystem::path(c.relation.file).parent_path();
          placement.hlo_file = std::filesystem::absolute(folder / placement.hlo_file).string();
        }
        for (std::size_t d = 0; d < placement.dims.size(); ++d) {
          std::int64_t start = 0;
          for (std::int64_t& n : placement.dims[d].segments) {
            const SizeVar v = p.dim(id, leaf, d);
            const std::int64_t end = start + n;
            n = sizes.reduced_position(v, end) - sizes.reduced_position(v, start);
            start = end;
          }
        }
      }
    }
  };
  const Computation& entry = p.module().computation(p.module().entry());
  for (MeshAxis& axis : relation.mesh.axes) {
    const auto own = constraints.axes.find(axis.name);
    if (own == constraints.axes.end()) continue;
    axis.size = 1;
    for (const SizeVar v : own->second) axis.size *= sizes.reduced(v);
  }
  rewrite(relation.input_placements, entry.parameters);
  rewrite(relation.output_placements, std::span(&entry.root, 1));
  for (const auto& [k, bounds] : ranges) {
    relation.free[k].range.lo = static_cast<double>(sizes.reduced(bounds.first));
    relation.free[k].range.hi = static_cast<double>(sizes.reduced(bounds.second));
  }
  return print_relation(relation, Notation::Json);
}

}  // namespace gg
