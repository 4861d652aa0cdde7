// The one structure behind text, JSON, JUnit, SARIF and HTML (docs/design.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/pair/sizes_theorem.h"
#include "models/pair/verdict.h"

namespace gg {

/// A blamed instruction of one side.
struct Blame {
  std::string instruction;  ///< name in the module, without %
  std::vector<std::string> path;
  std::string op;
  std::string source;  ///< "train.py:12" or ""
  std::string side = "distributed";
  std::string file;  ///< HLO file and line of the instruction
  std::uint32_t line = 0, column = 0;
  std::string excerpt;  ///< the instruction as HLO text, without metadata; of a graph its statement
};

struct Finding {
  std::string kind;  ///< wrong, missing, extra
  std::string instruction, after, before;
  std::string diagnosis;  ///< GG-Dnnn or ""
  std::string text;
  std::string source;
  std::optional<Blame> place;
};

struct Hypothesis {
  std::string edit;
  bool mends = false;
  std::string confirmed;          ///< proof or run
  std::vector<std::string> diff;  ///< changed lines of HLO text or of the graph, `- old` and `+ new`
  bool large = false;             ///< it copies a large part of the sequential program: no short edit is known
};

/// A circumstance under which the pair agrees as it is, offered beside the repairs (harness/pinpoint/preconditions.h).
struct OfferedPrecondition {
  std::string kind;  ///< equal-sums, same-values, same-blocks, nothing-masked, bound-kept
  std::string input;
  std::vector<std::string> axes;
  std::string text;  ///< "the sum of m is the same on all dp ranks"
  int draws = 0;     ///< runs that agreed under it; it is not proved
};

/// What is known of an output.
enum class OutputState : std::uint8_t { NotRun,
                                        Ignored,
                                        NotCompared,
                                        Undefined,
                                        Agrees,
                                        Undecided,
                                        Tied,
                                        Underflow,
                                        Literals,
                                        Differs,
                                        Related,
                                        Proved,
                                        Unknown };
std::string_view to_string(OutputState state);  ///< "not run", "agrees", ...; related: by the search, and no certificate of the pair is checked

struct OutputStatus {
  int index = 0;
  std::string name;
  OutputState state = OutputState::NotRun;
  std::string text;
};

struct IslandReport {
  std::string instance, distributed_form, sequential_form;
  std::vector<int> outputs;
  std::optional<Blame> place = {};
};

/// What an unfinished proof proves if values that it could not relate are equal (harness/prove/assumed.h).
struct Conditional {
  std::vector<Assumption> assumptions;  ///< beside those of the report
  std::vector<int> outputs;             ///< proved under them
};

/// One instruction of the distributed program beside the sequential value that it holds, for the page.
struct StoryRow {
  std::string distributed;     ///< HLO text
  std::string relation;        ///< `= %dot.3, tp on dimension 1`, `partial sum over tp of %add.2`, ""
  std::string sequential;      ///< HLO text of that sequential instruction, ""
  std::string state;           ///< good, bad, blamed
  std::vector<double> errors;  ///< by rank: largest difference from the mended program, in units of rounding; -1 = unknown
};

/// Why a pair differs.
struct Explanation {
  std::optional<Blame> divergent;
  std::vector<Finding> findings;
  std::vector<Hypothesis> hypotheses;
  std::vector<OfferedPrecondition> preconditions;
  std::string witness;             ///< path
  std::vector<StoryRow> story;     ///< only where a page is written
  std::vector<std::string> notes;  ///< moved to those of the report
};

/// Sorted key=value details of the verdict line.
struct Detail {
  std::string key, value;
};

/// Told beside a verdict: sentences, and details of its line.
struct Told {
  std::vector<std::string> notes;
  std::vector<Detail> details;
};

/// A pair of many that ended without a verdict: bad input (exit code 3) or an error of our own (4).
struct Failure {
  int exit_code = 0;
  std::string code;  ///< GG-P001, or ""
  std::string text;
};

struct Report {
  std::string command;
  std::string case_name;
  std::string arguments;  ///< of a command that reads this pair again
  std::vector<std::pair<std::string, std::string>> input_hashes;
  Verdict verdict = Verdict::Unknown;
  Claim claim = Claim::Refinement;
  std::optional<Reason> reason;
  Explanation explained;
  std::vector<OutputStatus> outputs;
  std::vector<IslandReport> islands;
  std::optional<Conditional> conditional;
  std::vector<Assumption> assumptions;
  std::vector<std::string> precision;
  std::optional<SizesTheorem> sizes;  ///< what holds at other sizes, where that was asked for
  std::string certificate;            ///< path
  std::vector<Detail> details;        ///< in print order: undefined=, mutants=, shapes=, seeds= ...
  std::vector<std::string> notes;
  double seconds = 0;
  double peak_mb = 0;
  // Of one pair of many:
  std::optional<Failure> failure;
  std::optional<Verdict> expected;  ///< what the suite says it must be
  std::optional<int> exit_code;     ///< what it adds to the command's exit code; 0 passes
};

/// Does a CI take it for a pass? Proved, or what the suite asks for.
inline bool passes(const Report& report) {
  return report.exit_code ? *report.exit_code == 0 : !report.failure && report.verdict == Verdict::Proved;
}
/// `proved`, `refuted`, `unknown`; `broken` where there is no verdict.
inline std::string outcome_word(const Report& report) {
  return report.failure ? "broken" : std::string(to_string(report.verdict));
}

/// Sentences and the verdict line, which is the last line of stdout.
/// `terms`: of an unknown verdict also the prover's terms, and all notes; else it has at most 25 lines.
std::string to_text(const Report& report, bool terms = false);
std::string verdict_line(const Report& report);
/// Of an unknown verdict: what agreed, what is open, the first value that could not be related; and what to do next.
std::vector<std::string> unknown_lines(const Report& report, bool terms = false);
std::vector<std::string> next_lines(const Report& report);
/// Schema 1 of docs/formats.md; byte-identical from run to run but for `run`.
std::string to_json(const Report& report);
std::string to_junit(const std::vector<Report>& reports);
std::string to_sarif(const std::vector<Report>& reports);
std::string to_html(const std::vector<Report>& reports);

}  // namespace gg
