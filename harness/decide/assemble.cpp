#include <fmt/format.h>

#include <algorithm>

#include "harness/decide/input_notes.h"
#include "harness/decide/judge.h"
#include "harness/explain/explain.h"
#include "models/base/text.h"
#include "models/ir/flatten.h"
#include "models/op/facts.h"
#include "models/relation/json.h"

namespace gg {
namespace {

std::string rank_list(const std::vector<std::int64_t>& ranks, std::int64_t all) {
  if (static_cast<std::int64_t>(ranks.size()) == all) return "all ranks";
  return (ranks.size() == 1 ? "rank " : "ranks ") + joined_text(ranks, ",");
}

std::string describe(const Difference& d, std::int64_t ranks) {
  return fmt::format("first difference on rank {} at [{}]: expected {}, got {}; {} of {} compared elements differ, on {}", d.rank,
                     joined_text(d.element, ","), d.sequential, d.distributed, d.differing, d.compared, rank_list(d.ranks, ranks));
}

/// The arguments that name this pair on a command line.
std::string arguments(const Options& options) {
  std::string text;
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
  for (const std::string& input : options.inputs) add(shell_word(input));
  for (const auto& [name, value] : {std::pair("--xla-dump", options.xla_dump), std::pair("--module", options.module), std::pair("--relation", options.relation)}) {
    if (!value.empty()) add(std::string(name) + " " + shell_word(value));
  }
  return text;
}

class Assembly {
 public:
  Assembly(const Case& c, const RunEvidence& run, const ProofEvidence& proof, const Judgement& judgement)
      : c_(c), run_(run), proof_(proof), judgement_(judgement) {}

  Report report() {
    report_.command = run_.options.command;
    report_.case_name = c_.name;
    report_.arguments = arguments(run_.options);
    if (c_.relation.from_shardings) report_.claim = Claim::Partitioner;
    report_.input_hashes = {{"sequential", c_.hashes.sequential}, {"distributed", c_.hashes.distributed}, {"relation", c_.hashes.relation}};
    report_.verdict = judgement_.verdict;
    report_.reason = judgement_.reason;
    report_.explained = run_.explanation;
    outputs();
    if (!differs()) proof();
    difference();
    indices();
    if (judgement_.backend) detail("level", "backend");
    tell(run_.told);
    note_inputs(c_, report_.notes);
    if (const std::string note = judgement_.verdict == Verdict::Proved ? "" : note_of(c_.relation_text); !note.empty()) report_.notes.push_back("the relation says: " + note);
    replicas();
    opaque_calls_named();
    assumptions();
    details();
    return std::move(report_);
  }

 private:
  bool differs() const { return run_.result.differing.has_value(); }
  bool ran() const { return run_.outcome != Ran::NotAsked; }
  void detail(std::string key, std::string value) { report_.details.push_back({std::move(key), std::move(value)}); }
  void tell(const Told& told) {
    report_.notes.insert(report_.notes.end(), told.notes.begin(), told.notes.end());
    report_.details.insert(report_.details.end(), told.details.begin(), told.details.end());
  }

  void outputs() {
    for (std::size_t k = 0; k < c_.relation.outputs.size(); ++k) {
      const bool ignored = c_.relation.outputs[k].kind == OutputClaim::Kind::Ignored;
      const OutputState state = k < run_.outputs.size() ? run_.outputs[k] : ignored ? OutputState::Ignored
                                                                                    : OutputState::NotRun;
      report_.outputs.push_back({static_cast<int>(k), c_.relation.outputs[k].name, state, ""});
    }
  }

  /// Of a pair that differs nothing that was proved is told.
  void proof() {
    const ProofResult& result = proof_.result;
    for (std::size_t k = 0; k < result.outputs.size(); ++k) {
      OutputStatus& output = report_.outputs[k];
      if (!result.outputs[k].proved) output.text = result.outputs[k].text;
      const bool nothing_seen = output.state == OutputState::Ignored || output.state == OutputState::NotCompared || output.state == OutputState::Undefined;
      if (!result.outputs[k].proved || nothing_seen) continue;
      output.state = proof_.holds() ? OutputState::Proved : proof_.outcome == Proven::Rejected ? OutputState::Unknown
                                                                                               : OutputState::Related;
    }
    for (const auto& island : result.islands) {
      report_.islands.push_back({island.instance, island.distributed_form, island.sequential_form, island.outputs, blame(*c_.distributed, Instance{{}, island.instruction})});
    }
    if (result.islands.empty() && proof_.outcome == Proven::No && result.reason == Reason::NoLemma) open_output();
    report_.assumptions = proof_.assumptions;
    if (proof_.holds()) report_.precision = result.precision;
    report_.sizes = proof_.sizes;
    report_.certificate = proof_.certificate;
    tell(proof_.told);
  }

  /// Where the search knows what every value is, or names none that it does not know, the first open output is not shown to be the one that is claimed.
  void open_output() {
    const auto& outputs = proof_.result.outputs;
    const auto open = std::find_if(outputs.begin(), outputs.end(), [](const auto& output) { return !output.proved && !output.text.empty(); });
    if (open == outputs.end()) return;
    const auto k = static_cast<std::size_t>(open - outputs.begin());
    const Module& module = *c_.distributed;
    const FlatProgram flat = flatten(module);
    FlatValue value = flat.outputs.at(k);
    while (rearranges(module[flat.nodes[value.node].instruction].op)) value = flat.operands(flat.nodes[value.node])[0];
    const InstructionId id = flat.nodes[value.node].instruction;
    report_.islands.push_back({"%" + std::string(module.name_of(id)), "a law by which it is what the relation claims of output " + std::to_string(k), "", {static_cast<int>(k)}, blame(module, Instance{{}, id})});
  }

  void difference() {
    if (!differs()) return;
    const DrawOutcome& draw = *run_.result.differing;
    const std::int64_t ranks = (run_.small ? *run_.small : c_).relation.layout.ranks();
    for (const auto& d : draw.differences) {
      OutputStatus& output = report_.outputs[static_cast<std::size_t>(d.output)];
      output.state = OutputState::Differs;
      output.text = describe(d, ranks);
    }
    if (run_.outcome != Ran::Differs) return;
    if (run_.result.witness) note_outside_values(c_, *run_.result.witness, report_.notes);
    if (draw.confirmed) {
      report_.notes.push_back(fmt::format("output {}: the difference is confirmed by balls of Arb, on the {} elements that it hangs on", *draw.confirmed, draw.cone));
    } else if (draw.in_doubles) {
      report_.notes.emplace_back("the f64 balls of the two sides are disjoint; no such element hangs on few enough for balls of more bits");
    }
  }

  /// What the output is that graphs of ranks have beside their own.
  void indices() {
    for (const OutputStatus& output : report_.outputs) {
      if (report_.verdict == Verdict::Proved || output.name != kInRange) continue;
      const bool raises = output.state == OutputState::Differs;
      report_.notes.push_back(fmt::format("output {} is true where no index of a rank is out of range: {}", output.index, raises ? "torch raises here" : "that torch raises nowhere has to be shown too"));
      return;
    }
  }

  void replicas() {
    if (c_.manual_regions != 0) detail("manual-regions", std::to_string(c_.manual_regions));
    for (const ReplicaViolation& violation : run_.replicas) {
      Finding finding;
      finding.kind = "missing";
      finding.after = c_.sequential->name_of(violation.producer);
      finding.before = c_.sequential->name_of(violation.border);
      finding.text = violation.text;
      Blame place = blame(*c_.sequential, Instance{{}, violation.producer});
      place.path = {std::string(c_.sequential->string(c_.sequential->computation(c_.sequential->computation_of(violation.producer)).name))};
      place.side = "sequential";
      report_.explained.divergent = std::move(place);
      finding.source = report_.explained.divergent->source;
      report_.explained.findings.insert(report_.explained.findings.begin(), std::move(finding));
    }
  }

  void opaque_calls_named() {
    if (run_.open_calls.empty() || report_.verdict != Verdict::Unknown) return;
    const std::string all = joined_text(run_.open_calls, ",");
    detail("opaque", printable_word(all));
    report_.notes.push_back("the custom call " + all +
                            " has no meaning here: outputs that depend on it are not decided; give one with "
                            "--define FILE.hlo, or declare it a pure function with --opaque " +
                            run_.open_calls.front());
  }

  void assume(Assumption assumption) {
    auto& all = report_.assumptions;
    if (std::find(all.begin(), all.end(), assumption) == all.end()) all.push_back(std::move(assumption));
  }

  /// What every verdict rests on, beside what the checker has listed for a proof.
  void assumptions() {
    const std::vector<std::string> calls = opaque_calls(c_);
    for (const std::string& text : run_.options.opaque) {
      const OpaqueTarget opaque = parse_opaque_target(text);
      if (report_.verdict == Verdict::Proved || std::find(calls.begin(), calls.end(), opaque.target) == calls.end()) continue;
      report_.assumptions.push_back({AssumptionKind::OpaquePure, {opaque.target}});
      if (!opaque.batch_dims.empty()) report_.assumptions.push_back({AssumptionKind::BatchDims, {opaque.target}});
    }
    for (const Assumption& stated : c_.stated) assume(stated);
    if (has_transfers(c_)) assume({AssumptionKind::PointToPointOrder, {}});
  }

  void details() {
    const auto& outputs = c_.relation.outputs;
    const auto ignored = static_cast<std::ptrdiff_t>(c_.left_out) + std::count_if(outputs.begin(), outputs.end(), [](const OutputClaim& o) { return o.kind == OutputClaim::Kind::Ignored; });
    if (ignored != 0) detail("ignored", fmt::format("{}/{}", ignored, outputs.size() + c_.left_out));
    if (!c_.written.empty()) {
      detail("written", std::to_string(c_.written.size()));
      report_.notes.push_back("inputs are written (" + first_few(c_.written, 4, ", ...") + "), and what they hold afterwards is no output: it is not compared");
    }
    if (ran()) detail("undefined", fmt::format("{}/{}", run_.result.undefined, run_.result.elements));
    std::int64_t open = 0, compared = 0;
    for (const OutputOutcome& output : run_.result.outputs) {
      open += output.unresolved;
      compared += output.compared;
    }
    if (open != 0 && !differs()) detail("undecided", fmt::format("{}/{}", open, compared));
    detail("mutants", run_.mutants ? std::to_string(*run_.mutants) : "0(not run)");
    detail("shapes", run_.small ? "reduced" : "full");
    detail("seeds", ran() ? fmt::format("{}+{}", run_.options.seed, run_.result.draws.size()) : "0");
  }

  const Case& c_;
  const RunEvidence& run_;
  const ProofEvidence& proof_;
  const Judgement& judgement_;
  Report report_;
};

}  // namespace

Report assemble(const Case& c, const RunEvidence& run, const ProofEvidence& proof, const Judgement& judgement) {
  return Assembly(c, run, proof, judgement).report();
}

}  // namespace gg
