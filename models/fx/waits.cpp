#include "models/fx/waits.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/fx/aliases.h"
#include "models/fx/put_back.h"

namespace gg::fx {
namespace {

using Kind = Argument::Kind;

constexpr std::string_view kWait = "_c10d_functional.wait_tensor.default";

bool starts(const Statement& statement) {
  return statement.kind == Statement::Kind::Call && statement.target.rfind("_c10d_functional.", 0) == 0 && statement.target != kWait;
}

void add_names(const Argument& argument, std::vector<std::string>& names) {
  if (argument.kind == Kind::Name) names.push_back(argument.text);
  for (const Argument& item : argument.items) add_names(item, names);
}

class Waits {
 public:
  explicit Waits(const Definitions& definitions) : definitions_(definitions) {}

  void pass(const Statement& statement) {
    const bool item = statement.kind == Statement::Kind::Item || statement.kind == Statement::Kind::Copy;
    if (item) return of_item(statement);
    std::vector<std::string> names;
    for (const Argument& argument : statement.arguments) add_names(argument, names);
    for (const auto& [keyword, argument] : statement.keywords) add_names(argument, names);
    if (statement.target == kWait) {
      if (!names.empty()) running_.erase(base(names[0]));
    } else if (view_of(statement.target) == nullptr) {
      for (const std::string& name : names) read(name);
      for (const std::string& name : written(statement)) need_unread(statement, name);
    }
    const bool same = !names.empty() && (view_of(statement.target) != nullptr || writes(statement));
    if (same) base_[statement.name] = base(names[0]);
    if (starts(statement)) start(statement);
  }

  /// Reads the result of what may still run, if this is one.
  void read(const std::string& name) {
    const auto found = running_.find(base(name));
    if (found != running_.end() && noted_.insert(found->first).second) names_.push_back(found->first);
  }

  std::vector<std::string> names_;  ///< what is read before it is waited for

 private:
  /// A collective that was started and not waited for.
  struct Running {
    std::string target;
    std::vector<std::string> reads;  ///< bases; item by item where it takes a list
    bool list = false;
  };

  const std::string& base(const std::string& name) const {
    const auto found = base_.find(name);
    return found == base_.end() ? name : found->second;
  }

  void start(const Statement& statement) {
    Running running{statement.target, {}, !statement.arguments.empty() && statement.arguments[0].kind == Kind::List};
    std::vector<std::string> read;
    if (!statement.arguments.empty()) add_names(statement.arguments[0], read);
    for (const std::string& name : read) running.reads.push_back(base(name));
    running_[base(statement.name)] = std::move(running);
  }

  /// Item k of a coalesced collective is waited for by itself; those of views and other results share their memory.
  void of_item(const Statement& statement) {
    const auto whole = running_.find(base(statement.target));
    const auto k = static_cast<std::size_t>(std::max<std::int64_t>(statement.item.integer, 0));
    const bool apart = statement.kind == Statement::Kind::Item && statement.item.kind == Kind::Integer && whole != running_.end() && whole->second.list && k < whole->second.reads.size();
    if (!apart) {
      base_[statement.name] = base(statement.target);
      return;
    }
    running_[statement.name] = {whole->second.target, {std::exchange(whole->second.reads[k], "")}, false};
  }

  /// Names whose memory this statement changes.
  std::vector<std::string> written(const Statement& statement) const {
    std::vector<std::string> names = definitions_.written(statement.target);
    if (!names.empty()) {
      for (std::string& name : names) {
        const std::size_t position = definitions_.position(statement.target, name);
        if (position < statement.arguments.size()) name = statement.arguments[position].text;
      }
      return names;
    }
    if (!writes(statement) && reshaping(statement.target).empty()) return {};
    const auto lists = written_lists(statement.target);
    for (const std::size_t k : lists) {
      if (k < statement.arguments.size()) add_names(statement.arguments[k], names);
    }
    if (lists.empty() && !statement.arguments.empty()) add_names(statement.arguments[0], names);
    for (const auto& [keyword, argument] : statement.keywords) {
      if (keyword == "out") add_names(argument, names);
    }
    return names;
  }

  void need_unread(const Statement& statement, const std::string& name) const {
    for (const auto& [result, running] : running_) {
      const bool reads = std::find(running.reads.begin(), running.reads.end(), base(name)) != running.reads.end();
      if (reads) refuse(statement, "writes '" + name + "' before wait_tensor of '" + result + "': " + running.target + " may still read it");
    }
  }

  const Definitions& definitions_;
  std::map<std::string, std::string> base_;  ///< of views and of what is written in place; of others the name itself
  std::map<std::string, Running> running_;   ///< by the base of the result
  std::set<std::string> noted_;
};

}  // namespace

std::vector<std::string> not_waited_for(const Graph& graph, const Definitions& definitions) {
  Waits waits(definitions);
  for (const Statement& statement : graph.statements) waits.pass(statement);
  for (const Argument& output : graph.outputs) {
    if (output.kind == Kind::Name) waits.read(output.text);
  }
  return std::move(waits.names_);
}

}  // namespace gg::fx
