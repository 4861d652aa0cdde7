// What nobody needs must not write into what somebody does (models/fx/functional.h).
#include <algorithm>
#include <map>

#include "models/fx/aliases.h"
#include "models/fx/functional.h"
#include "models/fx/lowering.h"
#include "models/fx/nested.h"

namespace gg::fx {

void check_left_out(const Graph& graph, const std::set<std::string>& needed, const Definitions& definitions) {
  std::map<std::string, std::string> roots;
  const auto root = [&](const std::string& name) {
    const auto found = roots.find(name);
    return found == roots.end() ? name : found->second;
  };
  for (const Statement& s : graph.statements) {
    const bool item = s.kind == Statement::Kind::Item || s.kind == Statement::Kind::Copy;
    const bool view = s.kind == Statement::Kind::Call && !s.arguments.empty() && s.arguments[0].kind == Argument::Kind::Name && may_alias(s.target);
    if (item || view) roots[s.name] = root(item ? s.target : s.arguments[0].text);
  }
  std::set<std::string> held;
  for (const std::string& name : needed) held.insert(root(name));
  for (const Statement& s : graph.statements) {
    if (s.kind != Statement::Kind::Call || needed.count(s.name) != 0 || find_overload(s.target) != nullptr || calls_graphs(s.target) || definitions.knows(s.target)) continue;
    if (s.target.find("c10d_functional.i") != std::string::npos || s.target.find("auto_functionalized") != std::string::npos) continue;
    const auto touches = [&](const auto& self, const Argument& argument) -> bool {
      if (argument.kind == Argument::Kind::Name && held.count(root(argument.text)) != 0) return true;
      return std::any_of(argument.items.begin(), argument.items.end(), [&](const Argument& inner) { return self(self, inner); });
    };
    bool may_write = std::any_of(s.arguments.begin(), s.arguments.end(), [&](const Argument& argument) { return touches(touches, argument); });
    for (const auto& [keyword, argument] : s.keywords) may_write = may_write || touches(touches, argument);
    if (may_write) {
      throw InputError(DiagCode::UnsupportedOps, s.where, "torch.ops." + s.target + " ('" + s.name + "') is not known, and may write into a tensor that is used");
    }
  }
}

}  // namespace gg::fx
