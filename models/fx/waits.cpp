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

bool starts(const Statement& statement) {
  return statement.kind == Statement::Kind::Call && statement.target.rfind("_c10d_functional.", 0) == 0 && !is_wait(statement);
}

template <class T>
std::vector<std::string> names_in(const T& given) {
  std::vector<std::string> names;
  each_name(given, [&](const std::string& name) { names.push_back(name); });
  return names;
}

class Waits {
 public:
  explicit Waits(const Definitions& definitions) : definitions_(definitions) {}

  void pass(const Statement& statement) {
    const bool item = statement.kind == Statement::Kind::Item || statement.kind == Statement::Kind::Copy;
    if (item) return of_item(statement);
    const std::vector<std::string> names = names_in(statement);
    if (is_wait(statement)) {
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
    Running running{statement.target, {}, false};
    if (!statement.arguments.empty()) {
      running.list = statement.arguments[0].kind == Kind::List;
      each_name(statement.arguments[0], [&](const std::string& name) { running.reads.push_back(base(name)); });
    }
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
    std::vector<std::string> names;
    const auto add = [&](const Argument* argument) {
      if (argument != nullptr) each_name(*argument, [&](const std::string& name) { names.push_back(name); });
    };
    const std::vector<std::string> defined = definitions_.written(statement.target);
    for (const std::string& parameter : defined) add(definitions_.argument(statement, parameter));
    if (const Updates* row = updates(statement)) add(&statement.arguments[row->statistics]), add(&statement.arguments[row->statistics + 1]);
    if (!names.empty() || (!writes(statement) && reshaping(statement.target).empty())) return names;
    const auto lists = written_lists(statement.target);
    for (const std::size_t k : lists.empty() ? std::vector<std::size_t>{0} : std::vector<std::size_t>(lists.begin(), lists.end())) {
      if (k < statement.arguments.size()) add(&statement.arguments[k]);
    }
    for (const auto& [keyword, argument] : statement.keywords) {
      if (keyword == "out") add(&argument);
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
