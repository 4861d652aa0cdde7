// Verification: the call graph, the type rules (once a signature), the signatures of called computations, and operators
// without a meaning. Everything found is reported in one InputError.
#include "models/ir/verify.h"

#include <algorithm>
#include <unordered_map>

#include "models/base/hash.h"
#include "models/base/id_set.h"
#include "models/base/progress.h"
#include "models/ir/flatten.h"
#include "models/op/custom_calls.h"
#include "models/op/groups.h"

namespace gg {
namespace {

constexpr std::size_t kMaxOfAKind = 20;

/// Throws TypeError where a collective's groups or pairs are none of these ranks.
void need_ranks(Op op, const Attributes& attributes, RankLayout layout) {
  if (op == Op::CollectivePermute) {
    rank_pairs(attributes, layout);
  } else {
    rank_groups(op, attributes, layout);
  }
}

class Verifier {
 public:
  Verifier(const Module& module, const VerifyOptions& options) : module_(module), options_(options) {}

  void run() {
    check_call_graph();
    if (problems_.empty()) check_sizes();
    if (problems_.empty()) {  // signatures of cyclic programs are not worth reporting
      for (InstructionId id = 0; id < module_.size(); ++id) check_instruction(id);
      report_unsupported();
    }
    if (!problems_.empty()) throw InputError(std::move(problems_));
  }

 private:
  void report(DiagCode code, Location where, std::string message, std::vector<std::string> notes = {}) {
    if (++counts_[code] > kMaxOfAKind) return;
    problems_.push_back({code, std::move(where), std::move(message), std::move(notes)});
  }

  void check_sizes() {
    const Computation& entry = module_.computation(module_.entry());
    const Location where = place(module_.entry());
    const auto parameters = static_cast<std::int64_t>(entry.parameters.size()), instances = count_instances(module_, module_.entry());
    if (parameters > most(Limit::Parameters)) report(DiagCode::TooLarge, where, exceeds(Limit::Parameters, parameters));
    if (instances > most(Limit::Instances)) report(DiagCode::TooLarge, where, exceeds(Limit::Instances, instances));
  }

  /// Calls out of a computation, each callee once.
  std::vector<ComputationId> callees(ComputationId id) const {
    std::vector<ComputationId> out;
    const Computation& computation = module_.computation(id);
    for (InstructionId k = computation.first; k < computation.first + computation.count; ++k) {
      for (const auto& [attr, value] : module_.attributes(k).entries()) {
        if (info(attr).kind != AttrKind::Computations) continue;
        const auto& list = module_.attributes(k).computations(attr);
        out.insert(out.end(), list.begin(), list.end());
      }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  /// Depth-first over all computations with an explicit stack; a call into the stack is a cycle.
  void check_call_graph() {
    enum class Mark : std::uint8_t { New,
                                     Open,
                                     Done };
    struct Frame {
      ComputationId id;
      std::vector<ComputationId> next;
      std::size_t position = 0;
    };
    std::vector<Mark> marks(module_.computations().size(), Mark::New);
    std::vector<int> height(marks.size(), 0);
    for (ComputationId start = 0; start < marks.size(); ++start) {
      if (marks[start] != Mark::New) continue;
      std::vector<Frame> stack;
      stack.push_back({start, callees(start), 0});
      marks[start] = Mark::Open;
      while (!stack.empty()) {
        Frame& top = stack.back();
        if (top.position == top.next.size()) {
          for (const ComputationId callee : top.next) height[top.id] = std::max(height[top.id], height[callee] + 1);
          marks[top.id] = Mark::Done;
          if (height[top.id] > most(Limit::CallDepth)) {
            return report(DiagCode::TooDeep, place(top.id),
                          "calls below " + name(top.id) + " are nested deeper than " + std::to_string(most(Limit::CallDepth)));
          }
          stack.pop_back();
          continue;
        }
        const ComputationId callee = top.next[top.position++];
        if (marks[callee] == Mark::Open) {
          std::vector<ComputationId> chain;
          for (const auto& frame : stack) chain.push_back(frame.id);
          return report_cycle(chain, callee);
        }
        if (marks[callee] != Mark::New) continue;
        marks[callee] = Mark::Open;
        stack.push_back({callee, callees(callee), 0});
      }
    }
  }

  void report_cycle(const std::vector<ComputationId>& chain, ComputationId callee) {
    std::string text = name(callee);
    const auto begin = std::find(chain.begin(), chain.end(), callee);
    int shown = 0;
    for (auto it = begin + 1; it != chain.end() && shown < 8; ++it, ++shown) text += " calls " + name(*it);
    if (chain.end() - begin - 1 > shown) text += " calls ...";
    report(DiagCode::CyclicCalls, place(callee), text + " calls " + name(callee));
  }

  std::string name(ComputationId id) const {
    return "'%" + std::string(module_.string(module_.computation(id).name)) + "'";
  }
  Location place(ComputationId id) const { return {module_.file, module_.computation(id).line, 0}; }

  void check_instruction(InstructionId id) {
    ask_deadline();
    if (!first_of_signature(id)) return;
    const Attributes& attributes = module_.attributes(id);
    const Op op = module_[id].op;
    if (op == Op::Constant && !attributes.has(Attr::Literal) && !options_.allow_elided) {
      report(DiagCode::ElidedConstant, module_.where(id),
             "constant '%" + std::string(module_.name_of(id)) + "' shows no data: {...}",
             {"dump with XLA_FLAGS=--xla_dump_large_constants, or allow the assumption elided-constants"});
    }
    try {
      const Type type = infer_type(call_of(module_, id));
      if (type != module_.type(id)) {
        report(DiagCode::TypeMismatch, module_.where(id),
               describe(id) + " is printed as " + to_string(module_.type(id)) + " but its operands give " +
                   to_string(type));
        return;
      }
      if (auto problem = check_signature(module_, id)) {
        report(DiagCode::BadComputation, module_.where(id), describe(id) + ": " + *problem);
      }
      check_ranks(op, attributes);
    } catch (const TypeError& error) {
      report(error.code, module_.where(id), describe(id) + ": " + error.message);
    }
  }

  /// Replica groups and permutes against the counts of the header.
  void check_ranks(Op op, const Attributes& attributes) const {
    if (info(op).traits != OpTraits::Collective || (!module_.replica_count && !module_.num_partitions)) return;
    need_ranks(op, attributes, {module_.replica_count.value_or(1), module_.num_partitions.value_or(1)});
  }

  std::string describe(InstructionId id) const {
    return std::string(info(module_[id].op).name) + " '%" + std::string(module_.name_of(id)) + "'";
  }

  /// True the first time an operator with these attributes, operand types and result type is seen.
  bool first_of_signature(InstructionId id) {
    const Instruction& instruction = module_[id];
    const auto operands = module_.operands(id);
    std::uint64_t key = mix(static_cast<std::uint64_t>(instruction.op), instruction.attributes);
    key = mix(key, instruction.type);
    for (const InstructionId operand : operands) key = mix(key, module_[operand].type);
    auto same = [&](InstructionId other) {
      const Instruction& seen = module_[other];
      const auto others = module_.operands(other);
      return seen.op == instruction.op && seen.attributes == instruction.attributes && seen.type == instruction.type &&
             std::equal(operands.begin(), operands.end(), others.begin(), others.end(),
                        [&](InstructionId a, InstructionId b) { return module_[a].type == module_[b].type; });
    };
    return seen_.find_or_add(key, same, [id] { return id; }) == id;
  }

  /// One diagnostic for all custom calls without a meaning.
  void report_unsupported() {
    const auto calls = unsupported_calls(module_, options_);
    if (calls.empty()) return;
    std::vector<std::string> notes;
    for (std::size_t k = 0; k < std::min(calls.size(), kMaxOfAKind); ++k) {
      notes.push_back("line " + std::to_string(module_[calls[k]].line) + ": custom call '" +
                      module_.attributes(calls[k]).text(Attr::CustomCallTarget) + "'");
    }
    report(DiagCode::UnsupportedOps, module_.where(calls[0]),
           std::to_string(calls.size()) + " custom calls have no meaning", std::move(notes));
  }

  const Module& module_;
  const VerifyOptions& options_;
  std::vector<Diag> problems_;
  std::unordered_map<DiagCode, std::size_t> counts_;
  IdSet seen_;
};

}  // namespace

std::vector<InstructionId> unsupported_calls(const Module& module, const VerifyOptions& options) {
  std::vector<InstructionId> calls;
  const auto& accepted = options.opaque_targets;
  if (options.accept_unknown_calls) return calls;
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (module[id].op != Op::CustomCall) continue;
    const std::string& target = module.attributes(id).text(Attr::CustomCallTarget);
    if (find_custom_call(target) != nullptr) continue;
    if (std::find(accepted.begin(), accepted.end(), target) == accepted.end()) calls.push_back(id);
  }
  return calls;
}

void verify(const Module& module, const VerifyOptions& options) { Verifier(module, options).run(); }

void need_one_rank(const Module& module) {
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (info(module[id].op).traits != OpTraits::Collective) continue;
    try {
      need_ranks(module[id].op, module.attributes(id), RankLayout{});
    } catch (const TypeError& error) {
      throw InputError(error.code, module.where(id), "it runs on one device, as the sequential program and meanings of custom calls do: " + error.message);
    }
  }
}

}  // namespace gg
