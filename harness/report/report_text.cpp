// The report for people: findings in clang's form, the verdict line last.
#include <fmt/format.h>

#include <algorithm>

#include "harness/report/report.h"
#include "models/base/text.h"

namespace gg {
namespace {

constexpr std::size_t kMostLines = 25;  ///< of a report of unknown
constexpr std::size_t kMaxDiff = 12;    ///< lines of a repair shown; --json and --html have all

std::string place(const Blame& blame) { return fmt::format("{}:{}:{}", blame.file, blame.line, blame.column); }

std::string plural(std::size_t n, const char* word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

/// Location, sentence, excerpt, source (clang's form).
void add_findings(const Report& report, std::string& text) {
  for (const auto& finding : report.explained.findings) {
    const bool located = finding.place && finding.place->line != 0;
    text += (located ? place(*finding.place) + ": " : "") + "error: " + finding.text +
            (finding.diagnosis.empty() ? "" : " [" + finding.diagnosis + "]") + "\n";
    if (finding.place && !finding.place->excerpt.empty()) text += "  " + finding.place->excerpt + "\n";
    if (!finding.source.empty()) text += "note: from " + finding.source + "\n";
  }
}

/// Values up to the first difference, then what else is known of the outputs.
void add_outputs(const Report& report, std::string& text) {
  for (const auto& output : report.outputs) {
    if (!output.text.empty()) text += fmt::format("note: output {} ({}): {}\n", output.index, output.name, output.text);
  }
}

/// The nearest programs that agree.
void add_hypotheses(const Report& report, std::string& text) {
  for (std::size_t k = 0; k < report.explained.hypotheses.size(); ++k) {
    const Hypothesis& h = report.explained.hypotheses[k];
    const char* how = h.confirmed == "proof" ? "the program is then proved equal" : h.mends ? "a guess: the outputs then agree in runs"
                                                                                            : "the outputs still differ";
    if (k != 0 && h.large && report.explained.hypotheses.front().large) continue;
    const char* what = k != 0 ? "another hypothesis" : h.large ? "no short edit is known"
                                                               : "hypothesis";
    text += fmt::format("note: {}: {} ({})\n", what, h.edit, how);
    if (k != 0 || h.large) continue;
    for (std::size_t n = 0; n < h.diff.size() && n < kMaxDiff; ++n) text += "  " + h.diff[n] + "\n";
    if (h.diff.size() > kMaxDiff) text += "  ... " + plural(h.diff.size() - kMaxDiff, "more line") + "\n";
  }
}

/// What the user may know of the inputs instead.
void add_preconditions(const Report& report, std::string& text) {
  for (const auto& p : report.explained.preconditions) {
    text += fmt::format("note: or: holds if {} (agrees on {} draws under it, not proved)\n", p.text, p.draws);
  }
}

void add_lines(const std::vector<std::string>& lines, std::string& text) {
  for (const std::string& line : lines) text += line + "\n";
}

void add_conditional(const Report& report, std::string& text) {
  if (!report.conditional) return;
  const std::string outputs = joined_text(report.conditional->outputs, ",");
  const std::string assumed = joined_text(report.conditional->assumptions, " and ", [](const Assumption& a) { return to_string(a); });
  const bool all = report.conditional->outputs.size() == report.outputs.size();
  const std::string proved = all ? "all outputs are" : report.conditional->outputs.size() == 1 ? "output " + outputs + " is"
                                                                                               : "outputs " + outputs + " are";
  text += fmt::format("note: if {} (so it is in the runs), {} proved\n", assumed, proved);
}

}  // namespace

std::string_view to_string(OutputState state) {
  constexpr std::string_view kNames[] = {"not run", "ignored", "not compared", "undefined", "agrees", "undecided", "tied", "differs below every float type", "agrees up to rounded literals", "differs", "related", "proved", "unknown"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string verdict_line(const Report& report) {
  if (report.failure) return outcome_word(report) + (report.failure->code.empty() ? "" : " " + report.failure->code);
  std::string line = std::string(to_string(report.verdict)) + " claim=" + std::string(to_string(report.claim));
  if (report.reason) line += " reason=" + std::string(to_string(*report.reason));
  line += " assumptions=" + summary_of(report.assumptions);
  for (const auto& detail : report.details) line += " " + detail.key + "=" + detail.value;
  return line;
}

std::string to_text(const Report& report, bool terms) {
  if (report.failure) return report.failure->text + "\n" + verdict_line(report) + "\n";
  const bool open = report.verdict == Verdict::Unknown;
  std::string text;
  add_findings(report, text);
  if (open) add_lines(unknown_lines(report, terms), text);
  else add_outputs(report, text);
  add_hypotheses(report, text);
  add_preconditions(report, text);
  add_conditional(report, text);
  if (report.sizes) add_lines(size_lines(*report.sizes), text);
  for (const auto& note : report.precision) text += "note: precision: " + note + "\n";
  const std::vector<std::string> next = open ? next_lines(report) : std::vector<std::string>{};
  const auto before = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + next.size() + 2;
  const std::size_t shown = !open || terms ? report.notes.size() : std::min(report.notes.size(), before < kMostLines ? kMostLines - before : 0);
  for (std::size_t k = 0; k < shown; ++k) text += "note: " + report.notes[k] + "\n";
  if (shown < report.notes.size()) text += fmt::format("note: and {} more notes in --json and --html\n", report.notes.size() - shown);
  add_lines(next, text);
  return text + verdict_line(report) + "\n";
}

}  // namespace gg
