#include <algorithm>
#include <iostream>

#include "harness/cli/command.h"
#include "harness/report/diagnosis.h"
#include "models/base/text.h"
#include "models/pair/verdict.h"

namespace gg {
namespace {

struct Entry {
  std::string name, title, text;
};

std::vector<Entry> entries() {
  std::vector<Entry> all;
  for (const auto& row : diagnostics()) all.push_back({std::string(row.id), std::string(row.title), std::string(row.text)});
  for (const auto& row : pinpoint::diagnoses()) all.push_back({std::string(row.id), std::string(row.title), std::string(row.text)});
  for (const Reason reason : all_reasons()) {
    all.push_back({std::string(to_string(reason)), "reason of unknown: " + std::string(text_of(reason)), std::string(advice_of(reason))});
  }
  for (const AssumptionKind kind : all_assumptions()) all.push_back({std::string(to_string(kind)), "assumption", std::string(info(kind).text)});
  return all;
}

}  // namespace

int explain_command(const Options& options) {
  const std::vector<Entry> all = entries();
  std::vector<std::string> names = options.inputs;
  if (names.empty()) {
    for (const Entry& entry : all) names.push_back(entry.name);
  }
  for (const std::string& name : names) {
    const auto entry = std::find_if(all.begin(), all.end(), [&](const Entry& e) { return e.name == name; });
    if (entry == all.end()) {
      std::vector<std::string> known;
      for (const Entry& e : all) known.push_back(e.name);
      throw InputError(DiagCode::Usage, {}, "'" + name + "' is no diagnostic code, reason or assumption" + did_you_mean(name, known));
    }
    std::cout << entry->name << ": " << entry->title << "\n"
              << entry->text << "\n";
  }
  return 0;
}

}  // namespace gg
