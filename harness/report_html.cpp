// A self-contained page: a table of verdicts, details folded below each. No script, no external resource.
#include <fmt/format.h>

#include "harness/report.h"

namespace gg {
namespace {

constexpr const char* kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:70em;color:#222}table{border-collapse:collapse;"
    "width:100%}td,th{padding:.4em .8em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}"
    ".proved{color:#0a6b2d}.refuted{color:#b00020}.unknown{color:#8a6100}pre{white-space:pre-wrap;margin:0}";

std::string escape(const std::string& text) {
  std::string result;
  for (const char ch : text) {
    if (ch == '&') result += "&amp;";
    else if (ch == '<') result += "&lt;";
    else if (ch == '>') result += "&gt;";
    else result += ch;
  }
  return result;
}

}  // namespace

std::string to_html(const std::vector<Report>& reports) {
  std::string rows;
  for (const auto& r : reports) {
    const std::string verdict(to_string(r.verdict));
    rows += fmt::format(
        "<tr><td>{}</td><td class=\"{}\"><b>{}</b></td><td>{:.2f} s</td><td><details><summary>{}</summary><pre>{}</pre>"
        "</details></td></tr>\n",
        escape(r.case_name), verdict, verdict, r.seconds, escape(verdict_line(r)), escape(to_text(r)));
  }
  return fmt::format(
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>gg-harness</title><style>{}</style></head>"
      "<body><h1>gg-harness</h1><table><tr><th>case</th><th>verdict</th><th>time</th><th>details</th></tr>\n{}</table>"
      "</body></html>\n",
      kStyle, rows);
}

}  // namespace gg
