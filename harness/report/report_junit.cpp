// JUnit XML: one test case a report. Refuted is a failure, unknown and broken are errors, so that no CI takes them for a pass.
#include <fmt/format.h>

#include "harness/report/report.h"
#include "models/base/text.h"

namespace gg {
namespace {

std::string escape_xml(const std::string& text) {
  std::string result;
  for (const char ch : text) {
    switch (ch) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default:
        // Control characters have no place in XML 1.0.
        if (static_cast<unsigned char>(ch) >= 0x20 || ch == '\n' || ch == '\t') result += ch;
    }
  }
  return result;
}

std::string test_case(const Report& r) {
  std::string text = fmt::format("  <testcase classname=\"gg-harness.{}\" name=\"{}\" time=\"{:.3f}\">\n",
                                 escape_xml(r.command), escape_xml(r.case_name), r.seconds);
  if (!r.details.empty()) {
    text += "   <properties>\n";
    for (const auto& d : r.details) {
      text += fmt::format("    <property name=\"{}\" value=\"{}\"/>\n", escape_xml(d.key), escape_xml(d.value));
    }
    text += "   </properties>\n";
  }
  if (!passes(r)) {
    const char* element = r.failure || r.verdict == Verdict::Unknown ? "error" : "failure";
    const std::string type = r.failure  ? (r.failure->code.empty() ? outcome_word(r) : r.failure->code)
                             : r.reason ? std::string(to_string(*r.reason))
                                        : outcome_word(r);
    text += fmt::format("   <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", element, escape_xml(type),
                        escape_xml(verdict_line(r)), escape_xml(to_text(r)));
  }
  if (!r.explained.witness.empty()) text += "   <system-out>gg-harness replay " + escape_xml(shell_word(r.explained.witness)) + "</system-out>\n";
  return text + "  </testcase>\n";
}

}  // namespace

std::string to_junit(const std::vector<Report>& reports) {
  std::size_t failures = 0, errors = 0;
  double seconds = 0;
  std::string cases;
  for (const auto& report : reports) {
    if (!passes(report)) ++(report.failure || report.verdict == Verdict::Unknown ? errors : failures);
    seconds += report.seconds;
    cases += test_case(report);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n <testsuite name=\"gg-harness\" tests=\"{}\" "
      "failures=\"{}\" errors=\"{}\" time=\"{:.3f}\">\n{} </testsuite>\n</testsuites>\n",
      reports.size(), failures, errors, seconds, cases);
}

}  // namespace gg
