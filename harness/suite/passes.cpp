#include "harness/suite/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <tuple>

#include "harness/decide/decide.h"
#include "harness/dump/names.h"
#include "harness/dump/pairs.h"
#include "harness/dump/pattern.h"
#include "harness/options/load.h"
#include "harness/suite/own_rounding.h"
#include "harness/suite/run_jobs.h"
#include "harness/suite/suite_command.h"
#include "models/base/diag.h"
#include "models/base/file.h"
#include "runtime/differential.h"

namespace gg {
namespace fs = std::filesystem;
namespace {

/// Order of the texts of one module.
int phase(DumpStage stage) {
  return stage == DumpStage::BeforeOptimizations ? 0 : stage == DumpStage::AfterOptimizations ? 2
                                                                                              : 1;
}

struct StateFile {
  DumpName name;
  std::string path;
  std::uintmax_t bytes = 0;
};

bool is_state(const DumpName& name) {
  return !name.binary && (!name.pass.empty() || name.stage == DumpStage::BeforeOptimizations || name.stage == DumpStage::AfterOptimizations);
}

/// Collectives and rank ids: the text is what one rank of several runs.
bool has_collectives(const std::string& text) {
  for (const char* word : {" partition-id(", " replica-id(", "replica_groups=", "source_target_pairs="}) {
    if (text.find(word) != std::string::npos) return true;
  }
  return false;
}

/// The text without its header, whose attributes change without the program.
std::string_view body_of(const std::string& text) {
  const auto end = text.find('\n', std::min(text.find("HloModule"), text.size()));
  return std::string_view(text).substr(std::min(end, text.size()));
}

ModuleState state_of(const StateFile& file) {
  const DumpName& name = file.name;
  if (name.stage == DumpStage::BeforeOptimizations) return {file.path, "before-optimizations", "", "", false};
  if (name.stage == DumpStage::AfterOptimizations) return {file.path, "after-optimizations", "", "", false};
  return {file.path, name.done, name.pipeline, name.pass, false};
}

/// Which states stand behind the partitioner: all after the text just before it (its own cleaning passes are dumped before its
/// result), or from the first text with collectives on.
void mark_partitioned(const std::vector<StateFile>& files, ModuleStates& result) {
  std::size_t first = 0;  // partitioned from here on
  for (std::size_t k = 0; k < files.size(); ++k) {
    if (files[k].name.stage == DumpStage::BeforePartitioning) first = k + 1;
  }
  const bool known = first != 0;
  while (!known && first < files.size() && !has_collectives(read_file(files[first].path))) ++first;
  for (std::size_t k = first; k < files.size(); ++k) result.states[k].partitioned = true;
  if (first == 0) {
    throw InputError(DiagCode::DumpHalf, {files.front().path}, "the first text of '" + result.stem + "' is partitioned already",
                     {"dump the passes from the partitioner on: --xla_dump_hlo_pass_re=.*"});
  }
  result.before = first - 1;
}

constexpr const char* kRounds = "rounds";

std::string label(const ModuleState& state) {
  return state.pipeline.empty() ? state.pass : fmt::format("{} {}/{}", state.number, state.pipeline, state.pass);
}

/// What was found about a state.
struct Outcome {
  std::string text;  ///< agrees, same text, differs, not compared: ...
  bool compared = false, differs = false, reference_unreadable = false;
  std::optional<Report> report;
};

class Walk {
 public:
  Walk(const ModuleStates& module, const Options& options) : module_(module), options_(options) {}

  int run() {
    std::string text = read_file(module_.states[0].path);
    bool good = true;  // the state before is the last good one, up to its header
    for (std::size_t k = 1; k < module_.states.size() && !broken_; ++k) {
      std::string next = read_file(module_.states[k].path);
      const bool same = body_of(next) == body_of(text);
      const Outcome outcome = same ? Outcome{"same text", false, false, false, {}} : compare(k);
      ++(same ? same_ : outcome.compared ? compared_
                                         : skipped_);
      if (!options_.quiet) std::cout << label(module_.states[k]) << ": " << outcome.text << std::endl;
      if (outcome.report) reports_.push_back(*outcome.report);
      if (outcome.differs) broken_ = k;
      else if (!same) good = outcome.compared || outcome.reference_unreadable;
      if (good && !outcome.differs) last_good_ = k;
      text = std::move(next);
    }
    return finish();
  }

 private:
  /// State k against the last good one, or, if it is partitioned, against the text before partitioning.
  Outcome compare(std::size_t k) {
    const ModuleState& state = module_.states[k];
    const ModuleState& first = module_.states[state.partitioned ? module_.before : last_good_];
    const PairJob job{label(state), [&] {
                        Case c = load(first, state);
                        if (!state.partitioned && c.manual_regions != 0) {
                          throw InputError(DiagCode::UnsupportedForm, {first.path}, "manual regions run on their ranks only");
                        }
                        c.name = module_.stem + "." + state.number;
                        if (const std::string share = rounding_only(c, state); !share.empty()) return rounded(share);
                        Report report = decide(c, options_, {true, false});
                        report.claim = Claim::Pass;
                        return report;
                      }};
    Report report = run_jobs({job}, options_, [](const Report&) {}).front();
    if (report.failure) {
      const std::string line = report.failure->text.substr(0, report.failure->text.find('\n'));
      const bool reference = !state.partitioned && line.rfind(first.path, 0) == 0;
      return {"not compared: " + line, false, false, reference, std::move(report)};
    }
    if (report.verdict == Verdict::Refuted) return {"differs", true, true, false, std::move(report)};
    if (report.reason == Reason::Literals) {
      ++rounding_;
      return {fmt::format("{}: by no more than its float literals", kRounds), true, false, false, std::move(report)};
    }
    if (report.reason != Reason::AgreesOnly) {
      return {"not compared: " + std::string(to_string(*report.reason)), false, false, false, std::move(report)};
    }
    if (!report.notes.empty() && report.notes.front().rfind(kRounds, 0) == 0) {
      ++rounding_;
      return {report.notes.front(), true, false, false, std::move(report)};
    }
    return {"agrees", true, false, false, std::move(report)};
  }

  Case load(const ModuleState& first, const ModuleState& second) const {
    return second.partitioned ? load_case(with_files(first.path, second.path)) : load_states(first.path, second.path, options_);
  }

  /// The sentence on how much of the module's own rounding a difference is, "" if there is none or it is more than that.
  std::string rounding_only(Case& c, const ModuleState& state) const {
    const Options options = with_number_type(options_, c);
    infer_ranges(c, nullptr);
    const DifferentialOptions how = differential_options(options);
    const DifferentialResult run = run_pair(c, how);
    if (!run.differing || !run.witness || run.differing->failure) return "";
    const ModuleState& good = module_.states[last_good_];
    const bool alone = !state.partitioned || !good.partitioned;  // only the first program is there to compare with
    if (alone && state.partitioned) return "";
    Case before = load(alone ? good : module_.states[module_.before], alone ? state : good);
    const double share = share_of_rounding(c, before, alone, *run.witness, how.budget);
    if (share == 0) return fmt::format("{} as the state before", kRounds);
    return share < 1 ? fmt::format("{}: {:.1g} of what the module's own types round", kRounds, share) : "";
  }

  Report rounded(const std::string& sentence) const {
    Report report;
    report.command = options_.command;
    report.claim = Claim::Pass;
    report.reason = Reason::AgreesOnly;
    report.notes = {sentence};
    return report;
  }

  Options with_files(const std::string& first, const std::string& second) const {
    Options own = options_;
    own.inputs = {first, second};
    return own;
  }

  int finish() {
    for (Report& report : reports_) report.exit_code = exit_code(report, agreeing());
    write_reports(reports_, "passes=" + module_.stem, options_);
    if (broken_ && !options_.quiet) {
      const ModuleState& state = module_.states[*broken_];
      const std::string text = to_text(reports_.back());
      std::cout << text.substr(0, text.rfind('\n', text.size() - 2) + 1);
      std::cout << "note: broken by " << state.pass << (last_good_ + 1 == *broken_ ? "" : " or a pass before it, after " + label(module_.states[last_good_]))
                << ": compare " << module_.states[last_good_].path << "\nnote:   with " << state.path << "\n";
    }
    const std::string counts = fmt::format("module={} states={} agree={} round={} same={} not-compared={}", module_.module,
                                           module_.states.size(), compared_ - rounding_ - (broken_ ? 1 : 0), rounding_, same_, skipped_);
    if (broken_) {
      const ModuleState& state = module_.states[*broken_];
      std::cout << fmt::format("refuted claim=pass pass={} pipeline={} after={} {}\n", state.pass, state.pipeline.empty() ? "-" : state.pipeline,
                               module_.states[last_good_].number.empty() ? "-" : module_.states[last_good_].number, counts);
      return 1;
    }
    std::cout << "unknown claim=pass reason=" << (skipped_ == 0 ? "agrees-only" : "not-compared") << " " << counts << "\n";
    return options_.require == "agrees" && skipped_ == 0 ? 0 : 2;
  }

  Options agreeing() const {
    Options own = options_;
    own.require = "agrees";
    return own;
  }

  const ModuleStates& module_;
  const Options& options_;
  std::vector<Report> reports_;
  std::optional<std::size_t> broken_;
  std::size_t last_good_ = 0;
  int compared_ = 0, same_ = 0, skipped_ = 0, rounding_ = 0;
};

}  // namespace

ModuleStates read_states(const std::string& folder, const std::string& regex) {
  if (!is_folder(folder)) throw InputError(DiagCode::DumpMissing, {folder}, "'" + folder + "' is no folder");
  const Pattern pattern(regex);
  std::map<std::string, std::vector<StateFile>> modules;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto name = parse_dump_name(entry.path().filename().string());
    if (!name || !is_state(*name) || !is_file(entry.path().string())) continue;
    if (!pattern.matches(name->module) && !pattern.matches(name->stem)) continue;
    modules[name->stem].push_back({*name, entry.path().string(), entry.file_size()});
  }
  const auto weight = [](const std::vector<StateFile>& files) {
    std::uintmax_t most = 0;
    for (const StateFile& file : files) most = std::max(most, file.bytes);
    const bool passes = std::any_of(files.begin(), files.end(), [](const StateFile& file) { return !file.name.pass.empty(); });
    return std::pair(passes && files.size() > 1, most);
  };
  const auto best = std::max_element(modules.begin(), modules.end(),
                                     [&](const auto& a, const auto& b) { return weight(a.second) < weight(b.second); });
  if (best == modules.end() || !weight(best->second).first) {
    throw InputError(DiagCode::DumpNoPasses, {folder}, "no module here was dumped between its passes",
                     {"XLA_FLAGS=\"--xla_dump_to=D --xla_dump_hlo_as_text --xla_dump_large_constants --xla_dump_hlo_pass_re=.*\""});
  }
  auto& files = best->second;
  std::sort(files.begin(), files.end(), [](const StateFile& a, const StateFile& b) {
    const auto key = [](const StateFile& f) {
      return std::tuple(phase(f.name.stage), f.name.pass.empty() ? 0L : std::atol(f.name.pass.c_str()), f.path);
    };
    return key(a) < key(b);
  });
  ModuleStates result{files.front().name.module, best->first, {}, 0};
  for (const StateFile& file : files) result.states.push_back(state_of(file));
  mark_partitioned(files, result);
  return result;
}

int passes_command(const Options& options) {
  if (options.inputs.empty()) throw InputError(DiagCode::Usage, {}, "'passes' takes folders of --xla_dump_to");
  int code = 0;
  for (const std::string& folder : options.inputs) {
    const ModuleStates module = read_states(folder, options.module);
    code = worse(code, Walk(module, options).run());
  }
  return code;
}

}  // namespace gg
