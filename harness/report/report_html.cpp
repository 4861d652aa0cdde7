// A self-contained page without script or external resource: verdicts in a table; for a refuted pair its findings, the
// mending edit as a diff, and the two programs side by side with what each instruction holds and how far it is off.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/report/report.h"

namespace gg {
namespace {

constexpr const char* kStyle = R"(
:root{--bg:#fff;--fg:#1c1e21;--soft:#5c6470;--line:#d9dde3;--card:#f6f7f9;--good:#0a6b2d;--bad:#b00020;--warn:#7a5600;
--add:#e3f4e6;--del:#fbe4e6;--badrow:#fdf0f1;--blamed:#f9d3d6;color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{--bg:#16181c;--fg:#e4e6ea;--soft:#9aa3af;--line:#343a43;--card:#1f2329;--good:#5fce84;
--bad:#ff7b88;--warn:#e3b34f;--add:#16351f;--del:#431c21;--badrow:#2b1d20;--blamed:#55242a}}
*{box-sizing:border-box}body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;padding:1.5rem;max-width:100rem;background:var(--bg);
color:var(--fg)}h1{font-size:1.4rem}h2{font-size:1.15rem;margin:2rem 0 .6rem;overflow-wrap:anywhere}h3{font-size:1rem;margin:1.2rem 0 .4rem}
table{border-collapse:collapse;width:100%}td,th{padding:.35rem .6rem;border-bottom:1px solid var(--line);text-align:left;
vertical-align:top}th{color:var(--soft);font-weight:600}.proved{color:var(--good)}.refuted,.broken{color:var(--bad)}.unknown{color:var(--warn)}
pre,code,.hlo td{font:12.5px/1.45 ui-monospace,monospace;overflow-wrap:anywhere;white-space:pre-wrap;margin:0}
.card{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.7rem 1rem;margin:.6rem 0}
.card b.code{color:var(--bad)}.soft{color:var(--soft)}.diff span{display:block;padding:0 .5rem}.diff .a{background:var(--add)}
.diff .d{background:var(--del)}tr.bad{background:var(--badrow)}tr.blamed{background:var(--blamed)}
.time{white-space:nowrap}.hlo{table-layout:fixed}.hlo th:nth-child(1){width:38%}.hlo th:nth-child(4){width:11%}ul{margin:.3rem 0;padding-left:1.2rem}
.list code{overflow-wrap:break-word;white-space:normal}.key{white-space:nowrap}.key i{display:inline-block;width:1rem;height:.8rem;border-radius:1px;vertical-align:-1px;margin:0 .3rem 0 .4rem}.ranks{display:flex;gap:2px;min-width:4rem}.ranks i{flex:1;min-width:4px;height:1.1rem;border-radius:1px;background:var(--line)}
@media(max-width:60rem){body{padding:.8rem}.hlo thead{display:none}.hlo tr{display:block;border-bottom:1px solid var(--line);
padding:.3rem 0}.hlo td{display:block;border:0;padding:.1rem .3rem}.hlo td:empty{display:none}.ranks i{height:.5rem}
.list tr{display:flex;flex-wrap:wrap;border-bottom:1px solid var(--line)}.list td,.list th{border:0}.list td:nth-child(4){flex-basis:100%}
.list td:empty{display:none}}
)";

std::string escape_html(const std::string& text) {
  std::string result;
  for (const char ch : text) {
    if (ch == '&') result += "&amp;";
    else if (ch == '<') result += "&lt;";
    else if (ch == '>') result += "&gt;";
    else if (ch == '"') result += "&quot;";
    else result += ch;
  }
  return result;
}

/// Units of rounding as a colour on a logarithmic scale: up to 2^4 is rounding, 2^24 is everything.
std::string rank_bar(double units, std::size_t rank) {
  if (units < 0) return fmt::format("<i title=\"rank {}: not compared\"></i>", rank);
  const double level = units <= 0 ? 0 : std::clamp(std::log2(1 + units) / 24, 0.05, 1.0);
  if (level == 0) return fmt::format("<i style=\"background:var(--good);opacity:.35\" title=\"rank {}: equal\"></i>", rank);
  return fmt::format("<i style=\"background:var(--bad);opacity:{:.2f}\" title=\"rank {}: {:.3g} units of rounding\"></i>",
                     0.25 + 0.75 * level, rank, units);
}

std::string findings(const Report& r) {
  std::string text;
  for (const auto& f : r.explained.findings) {
    text += "<div class=\"card\"><b class=\"code\">" + escape_html(f.diagnosis) + "</b> " + escape_html(f.text);
    if (f.place) {
      text += fmt::format("<div class=\"soft\">{}:{}:{}{}</div><pre>{}</pre>", escape_html(f.place->file), f.place->line, f.place->column,
                          f.source.empty() ? "" : ", from " + escape_html(f.source), escape_html(f.place->excerpt));
    }
    text += "</div>\n";
  }
  return text;
}

std::string outputs(const Report& r) {
  std::string rows;
  for (const auto& output : r.outputs) {
    const char* tone = output.state == OutputState::Proved || output.state == OutputState::Agrees ? "proved" : output.state == OutputState::Differs ? "refuted"
                                                                                                                                                    : "soft";
    rows += fmt::format("<tr><td>{}</td><td><code>{}</code></td><td class=\"{}\">{}</td><td>{}</td></tr>\n", output.index, escape_html(output.name),
                        tone, escape_html(std::string(to_string(output.state))), escape_html(output.text));
  }
  if (rows.empty()) return rows;
  return "<h3>Outputs</h3>\n<table class=\"list\"><thead><tr><th>#</th><th>name</th><th>status</th><th></th></tr></thead><tbody>\n" + rows + "</tbody></table>\n";
}

/// Assumptions of a proof, places where precision is lost, and notes.
std::string remarks(const Report& r) {
  std::string items;
  for (const auto& assumption : r.assumptions) items += "<li>assumes <code>" + escape_html(to_string(assumption)) + "</code></li>\n";
  for (const auto& text : r.precision) items += "<li>precision: " + escape_html(text) + "</li>\n";
  for (const auto& text : r.notes) items += "<li>" + escape_html(text) + "</li>\n";
  if (r.sizes) {
    std::string lines;
    for (const auto& line : size_lines(*r.sizes)) lines += line + "\n";
    items += "<li><pre>" + escape_html(lines) + "</pre></li>\n";
  }
  return items.empty() ? items : "<h3>Notes</h3>\n<ul>\n" + items + "</ul>\n";
}

/// What is open, and what to do.
std::string open_values(const Report& r) {
  if (r.verdict != Verdict::Unknown) return "";
  std::string text;
  for (const auto& lines : {unknown_lines(r), next_lines(r)}) {
    for (const std::string& line : lines) text += escape_html(line.rfind("note: ", 0) == 0 ? line.substr(6) : line) + "\n";
  }
  return text.empty() ? text : "<h3>What is not decided</h3>\n<pre class=\"card\">" + text + "</pre>\n";
}

std::string hypotheses(const Report& r) {
  std::string text;
  for (const auto& h : r.explained.hypotheses) {
    const char* how = h.confirmed == "proof" ? "proved equal after the edit" : h.mends ? "a guess: outputs agree in runs after the edit"
                                                                                       : "does not mend";
    text += std::string("<div class=\"card\"><b>") + (h.large ? "No short edit is known" : "Hypothesis") + "</b> " + escape_html(h.edit) + " <span class=\"soft\">(" + how + ")</span><pre class=\"diff\">";
    for (const auto& line : h.diff) {
      text += fmt::format("<span class=\"{}\">{}</span>", !line.empty() && line[0] == '+' ? "a" : "d", escape_html(line));
    }
    text += "</pre></div>\n";
  }
  return text.empty() ? text : "<h3>Edits that would mend the program</h3>\n" + text;
}

std::string preconditions(const Report& r) {
  std::string items;
  for (const auto& p : r.explained.preconditions) {
    items += fmt::format("<li>holds if {} <span class=\"soft\">(agrees on {} draws under it, not proved)</span></li>\n", escape_html(p.text), p.draws);
  }
  return items.empty() ? items : "<h3>Or, as the program is</h3>\n<ul>\n" + items + "</ul>\n";
}

std::string story(const Report& r) {
  if (r.explained.story.empty()) return "";
  std::string rows;
  for (const auto& row : r.explained.story) {
    std::string bars;
    for (std::size_t k = 0; k < row.errors.size() && k < 64; ++k) bars += rank_bar(row.errors[k], k);
    rows += fmt::format("<tr class=\"{}\"><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", row.state, escape_html(row.distributed),
                        escape_html(row.relation), escape_html(row.sequential), bars.empty() ? "" : "<div class=\"ranks\">" + bars + "</div>");
  }
  return "<h3>Along the distributed program</h3>\n<p class=\"soft\">What each instruction holds of the sequential program, found by value; "
         "difference from the mended program by rank, in units of rounding. <span class=\"key\"><i style=\"background:var(--good);opacity:.35\"></i>"
         "equal</span> <span class=\"key\"><i style=\"background:var(--bad);opacity:.4\"></i>small</span> <span class=\"key\">"
         "<i style=\"background:var(--bad)\"></i>large</span></p>\n<table class=\"hlo\"><thead><tr><th>distributed</th>"
         "<th>holds</th><th>sequential</th><th>difference by rank</th></tr></thead><tbody>\n" +
         rows + "</tbody></table>\n";
}

std::string section(const Report& r) {
  std::string text = fmt::format("<h2 id=\"{0}\">{0}: <span class=\"{1}\">{1}</span></h2>\n<p><code>{2}</code></p>\n", escape_html(r.case_name),
                                 outcome_word(r), escape_html(verdict_line(r)));
  if (r.failure) return text + "<pre class=\"card\">" + escape_html(r.failure->text) + "</pre>\n";
  text += findings(r) + open_values(r) + outputs(r) + hypotheses(r) + preconditions(r) + remarks(r) + story(r);
  return text + "<details><summary>as printed in the terminal</summary><pre>" + escape_html(to_text(r)) + "</pre></details>\n";
}

}  // namespace

std::string to_html(const std::vector<Report>& reports) {
  std::string rows, sections;
  for (const auto& r : reports) {
    const std::string verdict = outcome_word(r);
    rows += fmt::format("<tr><td><a href=\"#{0}\">{0}</a></td><td class=\"{1}\"><b>{1}</b></td><td class=\"time\">{2:.2f} s</td><td>{3}</td></tr>\n",
                        escape_html(r.case_name), verdict, r.seconds,
                        r.failure ? escape_html(r.failure->code) : r.explained.findings.empty() ? ""
                                                                                                : escape_html(r.explained.findings.front().text));
    sections += section(r);
  }
  return fmt::format(
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">"
      "<title>gg-harness</title><style>{}</style></head><body><h1>gg-harness</h1><table><thead><tr><th>case</th><th>verdict</th>"
      "<th>time</th><th>first finding</th></tr></thead><tbody>\n{}</tbody></table>\n{}</body></html>\n",
      kStyle, rows, sections);
}

}  // namespace gg
