// What is told of a pair that is not decided: what agreed and what is open, the first value that could not be related, what is missing,
// what would follow, and the next command to try.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/report/report.h"

namespace gg {
namespace {

constexpr std::size_t kNames = 3, kColumns = 118, kMostTerm = 700;

std::string count(std::size_t n, const std::string& word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

/// Outputs by what is known of them; those that are open by name.
std::string outputs_line(const Report& r) {
  std::map<OutputState, std::vector<const OutputStatus*>> by_state;
  for (const OutputStatus& output : r.outputs) by_state[output.state].push_back(&output);
  std::string text = count(r.outputs.size(), "output");
  const char* separator = ": ";
  for (const auto& [state, outputs] : by_state) {
    text += fmt::format("{}{} {}", separator, outputs.size() == r.outputs.size() ? "all" : std::to_string(outputs.size()), to_string(state));
    separator = ", ";
    if (state == OutputState::Related || outputs.size() == r.outputs.size()) continue;
    for (std::size_t k = 0; k < std::min(outputs.size(), kNames); ++k) text += (k == 0 ? " (" : ", ") + outputs[k]->name;
    text += outputs.size() > kNames ? ", ...)" : ")";
  }
  return text;
}

/// Why an output is open, without terms of the prover: "step limit: distributed (...)" is "step limit".
std::string reason_of(const std::string& text) {
  const auto terms = text.find("distributed ");
  if (terms == std::string::npos) return text;
  return terms < 2 ? "no relation was found" : text.substr(0, terms - 2);
}

/// One line a reason; a difference is told of the first output only.
void add_reasons(const Report& r, std::vector<std::string>& lines) {
  std::vector<std::pair<std::string, std::vector<const OutputStatus*>>> groups;
  for (const OutputStatus& output : r.outputs) {
    if (output.text.empty()) continue;
    const std::string reason = output.state == OutputState::Differs ? "differs" : reason_of(output.text);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == reason; });
    if (group == groups.end()) group = groups.insert(groups.end(), {reason, {}});
    group->second.push_back(&output);
  }
  constexpr std::size_t kMost = 4;
  for (std::size_t k = 0; k < std::min(groups.size(), kMost); ++k) {
    const auto& [reason, outputs] = groups[k];
    const OutputStatus& first = *outputs.front();
    const std::string others = outputs.size() == 1 ? "" : fmt::format(" (and {} more)", outputs.size() - 1);
    lines.push_back(fmt::format("note: output {} ({}){}: {}", first.index, first.name, others, reason == "differs" ? first.text : reason));
  }
  if (groups.size() > kMost) lines.push_back(fmt::format("note: and {} for other reasons", count(groups.size() - kMost, "output")));
}

/// In place of a term: why there is none.
bool is_sentence(const std::string& form) { return form.find(' ') != std::string::npos && form[0] != '('; }

/// The name of the nearest sequential value in `main/%dot.3 = (...)`.
std::string nearest(const IslandReport& island) { return island.sequential_form.substr(0, island.sequential_form.find(" = ")); }

/// A term in lines, cut.
void add_term(const char* title, const std::string& term, std::vector<std::string>& lines) {
  const std::string cut = term.size() > kMostTerm ? term.substr(0, kMostTerm) + " ..." : term;
  for (std::size_t at = 0; at < cut.size(); at += kColumns) lines.push_back(fmt::format("  {} {}", at == 0 ? title : "            ", cut.substr(at, kColumns)));
}

void add_first_value(const Report& r, bool terms, std::vector<std::string>& lines) {
  if (r.islands.empty()) return;
  const IslandReport& first = r.islands.front();
  const bool located = first.place && first.place->line != 0;
  const std::string place = located ? fmt::format("{}:{}:{}: ", first.place->file, first.place->line, first.place->column) : "";
  lines.push_back(place + "note: no relation for " + first.instance + ": the first value of the distributed program that is not shown to be a sequential one");
  if (first.place && !first.place->excerpt.empty()) lines.push_back("  " + first.place->excerpt);
  if (first.place && !first.place->source.empty()) lines.push_back("note: from " + first.place->source);
  const std::string near = nearest(first);
  if (is_sentence(first.distributed_form)) lines.push_back("note: missing: " + first.distributed_form);
  else lines.push_back(fmt::format("note: missing: a law by which this {} is a sequential value, or a part or a partial sum of one{}",
                                   first.place ? first.place->op : "value", near.empty() ? "; none has a similar form" : "; the nearest in form is " + near));
  std::map<std::string, std::size_t> others;
  for (std::size_t k = 1; k < r.islands.size(); ++k) ++others[r.islands[k].place ? r.islands[k].place->op : "value"];
  std::string list;
  for (const auto& [op, n] : others) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", n, op);
  if (!list.empty()) lines.push_back("note: open too, of these or for the same reason: " + list);
  if (!terms) return;
  for (const IslandReport& island : r.islands) {
    lines.push_back("note: " + island.instance);
    add_term("distributed:", island.distributed_form, lines);
    add_term("sequential: ", island.sequential_form, lines);
  }
}

std::string next_command(const Report& r) {
  if (r.conditional && !r.conditional->assumptions.empty()) {
    std::string text = "gg-harness check " + r.arguments;
    for (const Assumption& a : r.conditional->assumptions) {
      text += " --assume '" + std::string(to_string(a.kind));
      for (const std::string& argument : a.arguments) text += ":" + argument;
      text += "'";
    }
    return text;
  }
  if (!r.reason) return "";
  switch (*r.reason) {
    case Reason::Limit:
    case Reason::NoLemma: return "gg-harness reduce " + r.arguments + " -o smaller";
    case Reason::AgreesOnly: return "gg-harness check " + r.arguments;
    case Reason::Unconfirmed: return "gg-harness run " + r.arguments + " --run-shapes full";
    case Reason::Undecided:
    case Reason::Memory: return "gg-harness run " + r.arguments + " --run-shapes reduced";
    case Reason::FiniteInputs:
    case Reason::Budget: return "gg-harness prove " + r.arguments;
    default: return "gg-harness explain " + std::string(to_string(*r.reason));
  }
}

}  // namespace

std::vector<std::string> unknown_lines(const Report& r, bool terms) {
  std::vector<std::string> lines;
  if (!r.outputs.empty()) lines.push_back("note: " + outputs_line(r));
  add_reasons(r, lines);
  add_first_value(r, terms, lines);
  return lines;
}

std::vector<std::string> next_lines(const Report& r) {
  if (!r.reason || r.arguments.empty()) return {};
  return {fmt::format("note: {}: {}", to_string(*r.reason), advice_of(*r.reason)), "note: next: " + next_command(r)};
}

}  // namespace gg
