#include "harness/options/load.h"

#include <algorithm>

#include "harness/dump/hints.h"
#include "harness/dump/pairs.h"
#include "models/base/diag.h"
#include "models/base/text.h"

namespace gg {
namespace {

CaseOptions case_options(const Options& o) {
  CaseOptions result;
  result.relation_file = o.relation;
  result.opaque_targets = o.opaque;
  result.definitions = o.define;
  for (const auto& name : o.allow_assumptions) result.allow_elided |= name == "elided-constants";
  for (const auto& text : o.ranges) add_range(result, text);
  return result;
}

/// Two texts; of a dump also what lies beside them.
Case load_texts(const std::string& sequential, const std::string& distributed, const Options& o) {
  CaseOptions options = case_options(o);
  if (!o.relation.empty()) return load_case(sequential, distributed, options);
  const DumpHints hints = read_dump_hints(sequential);
  options.input_names = hints.inputs;
  Case c = load_case(sequential, distributed, options);
  apply_hints(c, hints);
  return c;
}

Case load_given(const Options& o, std::size_t first) {
  if (!o.xla_dump.empty() && first == 0) {
    if (!o.inputs.empty()) throw InputError(DiagCode::Usage, {}, "--xla-dump stands in place of files");
    return load_dumped(read_dump_folder(o.xla_dump, o.module).pairs.front(), o);
  }
  const std::size_t given = o.inputs.size() - std::min(first, o.inputs.size());
  if (given == 1) {
    Case c = load_case(o.inputs[first], case_options(o));
    if (c.relation.from_shardings) apply_hints(c, read_dump_hints(c.sequential->file));
    return c;
  }
  if (given == 2) return load_texts(o.inputs[first], o.inputs[first + 1], o);
  throw InputError(DiagCode::Usage, {}, "'" + o.command + "' takes a case folder or two files (or --xla-dump), " + std::to_string(given) + " given");
}

/// Names of custom calls that the programs do not have, and meanings of such.
void refuse_unknown_targets(const Case& c, const Options& o) {
  if (!o.many && !c.unused.empty()) throw InputError(DiagCode::Usage, {}, "--define '" + c.unused[0] + "': the programs have no custom call to which it gives a meaning");
  const std::vector<std::string> calls = opaque_calls(c);
  for (const std::string& text : o.opaque) {
    const std::string target = parse_opaque_target(text).target;
    if (o.many || std::find(calls.begin(), calls.end(), target) != calls.end()) continue;
    throw InputError(DiagCode::Usage, {}, "--opaque '" + target + "': the programs have no such custom call without a meaning; they have " + (calls.empty() ? "none" : joined_text(calls)));
  }
}

}  // namespace

Case load_case(const Options& o, std::size_t first) {
  Case c = load_given(o, first);
  refuse_unknown_targets(c, o);
  return c;
}

Case load_dumped(const DumpedPair& pair, const Options& o) {
  Case c = load_texts(pair.before, pair.after, o);
  c.name = pair.module;
  return c;
}

Case load_states(const std::string& earlier, const std::string& later, const Options& o) {
  CaseOptions options = case_options(o);
  options.one_device = true;
  return load_case(earlier, later, options);
}

}  // namespace gg
