#include "harness/decide/replicas.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "harness/dump/hints.h"
#include "models/base/text.h"
#include "models/hlo/parser.h"
#include "models/ir/kinds.h"
#include "models/ir/structure.h"
#include "models/op/facts.h"
#include "models/relation/leaves.h"
#include "runtime/inputs.h"
#include "runtime/pair_runner.h"

namespace gg {
namespace {

/// Do the ranks `a` and `b` hold different values for certain: disjoint balls, or other integers?
bool differ(const Buffer& buffer, std::size_t count, std::int64_t a, std::int64_t b) {
  return with_storage(buffer.storage(), [&](auto element) {
    using T = decltype(element);
    const auto first = buffer.as<T>().subspan(static_cast<std::size_t>(a) * count, count);
    const auto second = buffer.as<T>().subspan(static_cast<std::size_t>(b) * count, count);
    if constexpr (kIsBall<T>) {
      using Ops = BallOps<T>;
      const auto apart = [](const T& x, const T& y) {
        const Known known = Ops::known(x), other = Ops::known(y);
        if (known == Known::Nothing || other == Known::Nothing) return false;
        if (Ops::is_finite(x) != Ops::is_finite(y)) return true;
        if (known == Known::NotFinite || other == Known::NotFinite) return false;
        return known != other || Ops::disjoint(x, y);
      };
      return !std::equal(first.begin(), first.end(), second.begin(), [&](const T& x, const T& y) { return !apart(x, y); });
    } else {
      return std::is_same_v<T, std::int64_t> && !std::equal(first.begin(), first.end(), second.begin());
    }
  });
}

/// Mesh axes over which the copies differ.
std::vector<std::string> varying_axes(const Buffer& buffer, const Mesh& mesh) {
  const std::int64_t ranks = mesh.ranks();
  const auto count = static_cast<std::size_t>(buffer.count() / ranks);
  std::vector<std::string> axes;
  for (int a = 0; a < static_cast<int>(mesh.axes.size()); ++a) {
    bool varies = false;
    for (std::int64_t r = 0; r < ranks && !varies; ++r) {
      if (mesh.coordinate(r, a) != 0) continue;
      for (std::int64_t s = 0; s < ranks && !varies; ++s) {
        bool neighbours = true;
        for (int b = 0; b < static_cast<int>(mesh.axes.size()); ++b) {
          neighbours = neighbours && (b == a || mesh.coordinate(r, b) == mesh.coordinate(s, b));
        }
        varies = neighbours && s != r && differ(buffer, count, r, s);
      }
    }
    if (varies) axes.push_back(mesh.axes[static_cast<std::size_t>(a)].name);
  }
  return axes;
}

/// The instruction that computed the operand of a border, through copies and calls.
InstructionId producer_of(const Module& module, InstructionId id) {
  for (int steps = 0; steps < 64; ++steps) {
    const Structure kind = structure_of(module, id);
    if (rearranges(module[id].op) || converts(module[id].op)) {
      id = module.operands(id)[0];
    } else if (kind == Structure::Call) {
      id = module.computation(callee_of(module, id)).root;
    } else if (kind == Structure::Element && structure_of(module, module.operands(id)[0]) == Structure::Call) {
      const auto index = static_cast<std::size_t>(module.attributes(id).integer(Attr::Index));
      const InstructionId root = module.computation(callee_of(module, module.operands(id)[0])).root;
      if (!is_tuple(module, root)) return root;
      id = module.operands(root)[index];
    } else {
      break;
    }
  }
  return id;
}

}  // namespace

std::vector<ReplicaViolation> check_replicas(BodyTable& bodies, const Mesh& mesh, const std::vector<Buffer>& inputs,
                                             const RunOptions& options) {
  const Module& module = bodies.module();
  const std::int64_t ranks = bodies.layout().ranks();
  const auto communicator = local_communicator(ranks);
  Executor executor(bodies, communicator.get());
  std::vector<ReplicaViolation> violations;
  RunOptions probed = options;
  probed.probe = [&](const Instance& instance, Leaves leaves) {
    const InstructionId id = instance.instruction;
    if (leaves.size() != 1) return;
    if (module.attributes(id).text(Attr::CustomCallTarget) != "SPMDShardToFullShape") return;
    const bool known = std::any_of(violations.begin(), violations.end(), [&](const auto& v) { return v.border == id; });
    if (known) return;
    const std::vector<std::string> axes = varying_axes(*leaves[0], mesh);
    if (axes.empty()) return;
    const std::string list = joined_text(axes);
    const InstructionId producer = producer_of(module, module.operands(id)[0]);
    violations.push_back({id, producer,
                          fmt::format("the value that leaves the manual region at %{} varies over {}, where it is claimed to "
                                      "be replicated: missing reduction after %{}?",
                                      module.name_of(id), list, module.name_of(producer))});
  };
  std::vector<Buffer> copies;
  for (const Buffer& input : inputs) copies.push_back(input.clone());
  run_manual(executor, ranks, std::move(copies), probed);
  return violations;
}

int check_replicas_command(const Options& options) {
  if (options.inputs.size() != 1) throw InputError(DiagCode::Usage, {}, "'check --replicas' takes one module");
  ParseOptions parse_options;
  parse_options.accept_unknown_calls = true;
  const Module module = load_hlo(options.inputs[0], parse_options);
  const int regions = count_manual_regions(module);
  Mesh mesh = mesh_from_shardings(module);
  apply_meshes(mesh, read_dump_hints(options.inputs[0]));
  Arena arena;
  const RankLayout layout = rank_layout(module, mesh.ranks());
  BodyTable bodies(arena, module, rank_digits(module, mesh, layout), layout);
  std::vector<ReplicaViolation> found;
  for (int draw = 0; draw < options.seeds && found.empty() && regions != 0; ++draw) {
    std::vector<Buffer> inputs;
    Relation relation;
    for (const Leaf& leaf : input_leaves(module)) {
      const bool integral = is_integral(leaf.type.element);
      const Range range{integral ? 0.0 : -1.0, leaf.type.element == ElementType::Pred ? 2.0 : integral ? 8.0
                                                                                                       : 1.0,
                        Range::Origin::Default};
      relation.free.push_back({leaf.shown(), leaf.type, range, static_cast<int>(relation.free.size()), leaf.name});
    }
    const InputSet set = draw_inputs(relation, options.seed + static_cast<std::uint64_t>(draw), 0);
    const RunOptions run;
    for (std::size_t k = 0; k < set.free.size(); ++k) inputs.push_back(in_mode(set.free[k], relation.free[k].type.element, run.mode));
    found = check_replicas(bodies, mesh, inputs, run);
  }
  for (const ReplicaViolation& violation : found) {
    std::cout << module.file << ":" << module[violation.border].line << ":" << module[violation.border].column
              << ": error: " << violation.text << "\n";
  }
  std::cout << (found.empty() ? "unknown claim=replicas reason=agrees-only" : "refuted claim=replicas")
            << fmt::format(" manual-regions={} violated={} seeds={}+{}\n", regions, found.size(), options.seed, options.seeds);
  return found.empty() ? (options.require == "agrees" ? 0 : 2) : 1;
}

}  // namespace gg
