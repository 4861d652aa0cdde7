#include "runtime/shapes/reduce.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "models/base/file.h"
#include "models/hlo/printer.h"
#include "models/ir/structure.h"
#include "models/ir/verify.h"
#include "models/op/facts.h"
#include "runtime/shapes/mesh.h"
#include "runtime/shapes/readings.h"

namespace gg {
namespace {

constexpr std::size_t kMaxAlike = 64;  ///< values of one type that are looked at

// Sizes looked up by rank numbers stay, and so do the ranks.
void keep_rank_tables(Constraints& all) {
  for (const KindId kind : all.rank_kinds) {
    for (const auto& attachment : all.kinds.attachments(kind)) {
      all.sizes.keep(attachment.dimension, "looked up by rank", {});
      for (const SizeVar v : all.ranks) all.sizes.keep(v, "a table by rank", {});
    }
  }
}

// A range that somebody gave for a float holds at these sizes: it may bound the indices that are made of it. What they index stays.
void keep_counted_by_floats(Constraints& all, const Case& c) {
  const auto bounded = [](const FreeInput& free) { return free.range.origin == Range::Origin::Given && is_float(free.type.element); };
  if (std::none_of(c.relation.free.begin(), c.relation.free.end(), bounded)) return;
  for (const ProgramSizes& program : all.programs) {
    const Module& module = program.module();
    for (InstructionId id = 0; id < module.size(); ++id) {
      const bool counts = info(module[id].op).traits == OpTraits::Elementwise && module.operands(id).size() == 1 && is_integral(module.type(id).element);
      if (!counts || !is_float(module.type(module.operands(id)[0]).element)) continue;
      for (const auto& attachment : all.kinds.attachments(program.kind(id))) {
        all.sizes.keep(attachment.dimension, "indexed by a float with a range", {program.side(), id});
      }
    }
  }
}

// Does the instruction only hand values on, or make one of a scalar? Then it says nothing of their sizes.
bool hands_on(const Module& module, InstructionId id) {
  switch (structure_of(module, id)) {
    case Structure::Join:
    case Structure::Element:
    case Structure::Loop: return true;
    case Structure::Parameter: return module.computation_of(id) != module.entry();
    default: return hands_literal(module[id].op) && module.type(module.operands(id)[0]).dims.empty();
  }
}

// A value that nobody reads, or that is only handed on by loops, may have dimensions that nothing ties to others (what a
// wrong operand has put out of use): they go with a value of the same type, else with the largest class of their size, so
// that the value keeps the type of the values like it.
void tie_unread(Constraints& all) {
  using Dims = std::vector<std::int64_t>;
  std::map<SizeVar, std::size_t> members;
  struct Leaf {
    const ProgramSizes* program;
    InstructionId id;
    std::size_t leaf;
  };
  std::vector<Leaf> unread;
  std::map<Dims, std::vector<Leaf>> read;
  for (const ProgramSizes& p : all.programs) {
    const Module& module = p.module();
    std::vector<bool> used(module.size());
    for (InstructionId id = 0; id < module.size(); ++id) {
      for (const InstructionId operand : module.operands(id)) used[operand] = true;
    }
    for (const Computation& c : module.computations()) used[c.root] = true;
    for (InstructionId id = 0; id < module.size(); ++id) {
      const bool says = id == module.computation(module.entry()).root || (used[id] && !hands_on(module, id));
      for (std::size_t leaf = 0; leaf < p.leaves(id); ++leaf) {
        const Dims& dims = p.type(id, leaf).dims;
        if (dims.empty()) continue;
        if (!says) {
          unread.push_back({&p, id, leaf});
          continue;
        }
        auto& list = read[dims];
        if (list.size() < kMaxAlike) list.push_back({&p, id, leaf});
        for (std::size_t d = 0; d < dims.size(); ++d) ++members[all.sizes.root(p.dim(id, leaf, d))];
      }
    }
  }
  std::map<std::int64_t, std::pair<std::size_t, SizeVar>> largest;
  for (const auto& [root, count] : members) {
    auto& best = largest[all.sizes.size(root)];
    if (count > best.first) best = {count, root};
  }
  const auto loose = [&](SizeVar v) { return members.count(all.sizes.root(v)) == 0; };
  for (const Leaf& one : unread) {
    const Dims& dims = one.program->type(one.id, one.leaf).dims;
    const auto same = read.find(dims);
    const Leaf* like = nullptr;
    for (std::size_t k = 0; same != read.end() && k < same->second.size() && like == nullptr; ++k) {
      const Leaf& other = same->second[k];
      bool fits = other.program == one.program;
      for (std::size_t d = 0; fits && d < dims.size(); ++d) {
        const SizeVar v = one.program->dim(one.id, one.leaf, d), w = other.program->dim(other.id, other.leaf, d);
        fits = loose(v) || all.sizes.root(v) == all.sizes.root(w);
      }
      if (fits) like = &other;
    }
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const SizeVar v = one.program->dim(one.id, one.leaf, d);
      if (!loose(v)) continue;
      const auto found = largest.find(all.sizes.size(v));
      if (like != nullptr) all.sizes.equal(v, like->program->dim(like->id, like->leaf, d), {});
      else if (found != largest.end()) all.sizes.equal(v, found->second.second, {});
      members.try_emplace(all.sizes.root(v), 1);
    }
  }
}

// A size that neither inputs nor outputs have (the capacity of an expert) hangs together with nothing in the other program. Equal ones that
// stand in one program alone, and have no parts, are one size: the programs were written for the same.
void tie_inner(Constraints& all) {
  std::map<SizeVar, unsigned> programs;
  for (const ProgramSizes& p : all.programs) {
    for (InstructionId id = 0; id < p.module().size(); ++id) {
      for (std::size_t leaf = 0; leaf < p.leaves(id); ++leaf) {
        for (std::size_t d = 0; d < p.type(id, leaf).dims.size(); ++d) programs[all.sizes.root(p.dim(id, leaf, d))] |= 1U << p.side();
      }
    }
  }
  std::map<std::int64_t, std::array<std::vector<SizeVar>, 2>> inner;
  for (const auto& [root, sides] : programs) {
    if (sides != 3 && !all.sizes.kept(root) && all.sizes.relatives(root).empty()) inner[all.sizes.size(root)][sides - 1].push_back(root);
  }
  for (const auto& [size, roots] : inner) {
    if (roots[0].empty() || roots[1].empty()) continue;
    for (const auto& list : roots) {
      for (const SizeVar v : list) all.sizes.equal(roots[0][0], v, {});
    }
  }
  all.sizes.resolve();
}

// The extents of the other pair's parameters and results, where it has the same ones.
void aim_at(Constraints& all, const Case& like) {
  const Module* const others[] = {like.sequential.get(), like.distributed.get()};
  for (std::size_t side = 0; side < 2; ++side) {
    const ProgramSizes& p = all.programs[side];
    const Module& other = *others[side];
    const auto aim = [&](InstructionId mine, InstructionId theirs) {
      const auto leaves = other.type(theirs).leaves();
      if (leaves.size() != p.leaves(mine)) return;
      for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        if (leaves[leaf]->dims.size() != p.type(mine, leaf).dims.size()) continue;
        for (std::size_t d = 0; d < leaves[leaf]->dims.size(); ++d) all.sizes.aim(p.dim(mine, leaf, d), leaves[leaf]->dims[d]);
      }
    };
    const Computation &a = p.module().computation(p.module().entry()), &b = other.computation(other.entry());
    for (std::size_t k = 0; k < std::min(a.parameters.size(), b.parameters.size()); ++k) aim(a.parameters[k], b.parameters[k]);
    aim(a.root, b.root);
  }
}

void report_sizes(const Constraints& all, ShapeReduction& result) {
  std::map<std::pair<std::int64_t, std::int64_t>, SizeChange> changes;
  for (const ProgramSizes& p : all.programs) {
    for (InstructionId id = 0; id < p.module().size(); ++id) {
      for (std::size_t leaf = 0; leaf < p.leaves(id); ++leaf) {
        std::int64_t before = 1, after = 1;
        for (std::size_t d = 0; d < p.type(id, leaf).dims.size(); ++d) {
          const SizeVar v = p.dim(id, leaf, d);
          const std::int64_t from = all.sizes.size(v), to = all.sizes.reduced(v);
          before *= from;
          after *= to;
          if (from == to) continue;
          SizeChange& change = changes[{-from, to}];
          if (change.dimensions++ == 0) change = {from, to, 1, name_at(all, {p.side(), id})};
        }
        result.largest_before = std::max(result.largest_before, before);
        result.largest_after = std::max(result.largest_after, after);
      }
    }
  }
  for (const auto& [key, change] : changes) result.sizes.push_back(change);
}

void report_kept(const Constraints& all, ShapeReduction& result) {
  std::set<std::string> reported;
  for (const KeptSize& kept : all.sizes.kept_sizes()) {
    if (result.kept.size() >= kMaxReported) return;
    const std::string text = "size " + std::to_string(all.sizes.size(kept.var)) + ": " + kept.reason;
    if (reported.insert(text).second) result.kept.push_back(text + " (" + name_at(all, kept.origin) + ")");
  }
}

void check_types(const Module& module) {
  VerifyOptions options;
  options.allow_elided = true;
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (module.attributes(id).has(Attr::CustomCallTarget)) {
      options.opaque_targets.push_back(module.attributes(id).text(Attr::CustomCallTarget));
    }
  }
  std::sort(options.opaque_targets.begin(), options.opaque_targets.end());
  options.opaque_targets.erase(std::unique(options.opaque_targets.begin(), options.opaque_targets.end()),
                               options.opaque_targets.end());
  verify(module, options);
}

// Data of which other sizes would need more.
void keep_data(Constraints& all) {
  for (const ProgramSizes& program : all.programs) {
    const Module& module = program.module();
    for (InstructionId id = 0; id < module.size(); ++id) {
      const Attributes& a = module.attributes(id);
      if (!a.has(Attr::Literal)) continue;
      const auto& values = a.literal().values;
      if (std::all_of(values.begin(), values.end(), [&](const Scalar& s) { return s == values[0]; })) continue;
      for (std::size_t d = 0; d < program.type(id).dims.size(); ++d) all.sizes.keep(program.dim(id, 0, d), "data", {program.side(), id});
    }
  }
}

/// What new sizes are for: smaller ones, or any (`grows`).
struct Purpose {
  Floats floats = Floats::Keep;
  bool grows = false;
  Freedom freedom{};
};

}  // namespace

static ShapeReduction with_new_sizes(const Case& c, const Purpose& purpose, const std::function<bool(Constraints&)>& choose) {
  if (c.relation.recorded) throw InputError(DiagCode::NotYet, {c.relation.file}, "inputs that are recorded have the shapes that they have");
  const bool grows = purpose.grows;
  Constraints all;
  if (purpose.freedom.general) all.sizes.free_twos();
  all.programs.emplace_back(c.manual_bodies ? *c.manual_bodies : *c.sequential_bodies, std::uint8_t{0}, all.sizes, all.kinds);
  all.programs.emplace_back(*c.distributed_bodies, std::uint8_t{1}, all.sizes, all.kinds);
  if (purpose.freedom.general) free_mesh(all, c, purpose.freedom.kept_axis);
  for (std::size_t program = 0; program < 2; ++program) collect_instructions(all, program);
  collect_relation(all, c);
  all.kinds.close();
  all.kinds.unite_sizes(all.sizes);
  keep_rank_tables(all);
  keep_counted_by_floats(all, c);
  if (grows) {
    keep_data(all);
    all.sizes.keep_borders_in_blocks();
  }
  tie_unread(all);
  all.sizes.resolve();
  tie_inner(all);
  const std::vector<ReadUse> read = read_uses(all, grows);
  const auto ranges = read_ranges(all, c);
  do all.sizes.mark_kept();
  while (all.kinds.keep_mixed(all.sizes));
  if (!choose(all)) throw InputError(DiagCode::NotYet, {c.relation.file}, "these sizes do not fit the programs");
  LiteralPlan plan = make_plan(all, read);
  const std::size_t integers = plan.values.size();
  const std::string floats_kept = purpose.floats == Floats::Rewrite ? plan_floats(all, c.relation.layout.ranks(), plan) : "";
  ShapeReduction result{rewrite_module(all, c, 0, plan), rewrite_module(all, c, 1, plan), rewrite_relation(all, c, ranges), {}, {}, plan.changes, plan.text, floats_kept, plan.values.size() != integers, all.sizes.steps()};
  check_types(result.sequential);
  check_types(result.distributed);
  report_sizes(all, result);
  report_kept(all, result);
  return result;
}

ShapeReduction reduce_shapes(const Case& c, const Case* like, Floats floats) {
  return with_new_sizes(c, {floats}, [&](Constraints& all) {
    if (like != nullptr) aim_at(all, *like);
    all.sizes.solve();
    return true;
  });
}

std::optional<ResizedPair> resize_shapes(const Case& c, const FamilySizes& values, const Freedom& freedom) {
  if (freedom.general && !mesh_is_general(c)) return std::nullopt;
  std::vector<FreeSize> symbols;
  std::vector<std::int64_t> ranks;
  ShapeReduction pair = with_new_sizes(c, {Floats::Keep, true, freedom}, [&](Constraints& all) {
    const auto chosen = all.sizes.choose(values);
    if (!chosen) return false;
    for (const ChosenSize& size : *chosen) {
      const auto digit = std::find(all.ranks.begin(), all.ranks.end(), size.ranks);
      symbols.push_back({size.value, digit == all.ranks.end() ? "" : c.relation.digits.digits()[static_cast<std::size_t>(digit - all.ranks.begin())].name});
    }
    for (const SizeVar v : all.ranks) ranks.push_back(all.sizes.reduced(v));
    return true;
  });
  return ResizedPair{std::move(pair), std::move(symbols), std::move(ranks)};
}

/// What an index may be at the reduced sizes; of a size that has become several, what holds for all of them.
static IntegerSpan reduced_span(const IntegerSpan& span, const std::vector<SizeChange>& sizes) {
  const auto reduced = [&](std::int64_t n) {
    std::int64_t least = n;
    for (const SizeChange& change : sizes) {
      if (change.before == n) least = std::min(least, change.after);
    }
    return least;
  };
  return {span.lo < 0 ? -reduced(-span.lo) : span.lo, reduced(span.hi + 1) - 1};
}

Case reduced_case(const Case& c, const ShapeReduction& reduction) {
  Case result;
  result.folder = c.folder;
  result.name = c.name;
  result.arena = std::make_unique<Arena>();
  result.sequential = std::make_unique<Module>(reduction.sequential);
  result.distributed = std::make_unique<Module>(reduction.distributed);
  result.relation_text = reduction.relation;
  for (const auto& [name, span] : c.accepted) result.accepted.emplace(name, reduced_span(span, reduction.sizes));
  result.relation = read_relation(*result.arena, reduction.relation, c.relation.file, *result.sequential,
                                  *result.distributed);
  result.hashes.sequential = content_hash(print_hlo(*result.sequential));
  result.hashes.distributed = content_hash(print_hlo(*result.distributed));
  result.hashes.relation = content_hash(result.relation_text);
  result.sequential_bodies = std::make_unique<BodyTable>(*result.arena, *result.sequential, RankDigits(), RankLayout());
  result.distributed_bodies =
      std::make_unique<BodyTable>(*result.arena, *result.distributed, result.relation.digits, result.relation.layout);
  return result;
}

}  // namespace gg
