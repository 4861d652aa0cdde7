// The alias pass, from graph to graph.
#include "models/fx/functional.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "models/fx/aliases.h"
#include "models/fx/in_place.h"
#include "models/fx/lowering.h"
#include "models/fx/nested.h"
#include "models/fx/program.h"
#include "models/fx/put_back.h"
#include "models/fx/waits.h"

namespace gg::fx {
namespace {

using Kind = Argument::Kind;

constexpr const char* kTogether = "tensors that share their memory, or whose memory is not known";

class Functional {
 public:
  Functional(const Graph& graph, const Definitions& definitions) : graph_(graph), definitions_(definitions), result_(graph) { result_.statements.clear(); }

  Graph run() {
    for (const Placeholder& input : graph_.inputs) own(input.name, input.type);
    for (const Statement& statement : graph_.statements) {
      if (!definitions_.written(statement.target).empty()) {
        write_defined(statement);
      } else if (const Updates* row = updates(statement)) {
        update(statement, *row);
      } else if (!reshaping(statement.target).empty()) {
        reshape(statement);
      } else if (writes(statement)) {
        write(statement);
      } else {
        read(statement);
      }
    }
    for (Argument& output : result_.outputs) resolve(output);
    for (const Placeholder& input : graph_.inputs) {
      const Base& base = bases_[input.name];
      const auto given = [&](const Argument& output) { return output.kind == Kind::Name && output.text == base.current; };
      if (base.version != 0 && std::none_of(result_.outputs.begin(), result_.outputs.end(), given)) result_.written.push_back(input.name);
    }
    return std::move(result_);
  }

 private:
  /// A name: a path of views (statements of the graph, the first argument is the tensor) from a base.
  struct Place {
    std::string base;
    std::vector<const Statement*> path;
    std::int64_t version = 0;
  };
  struct Base {
    std::string current;  ///< the name that has its value now
    std::int64_t version = 0;
  };

  void own(const std::string& name, const std::optional<Type>& type) {
    places_[name] = {name, {}, 0};
    bases_[name] = {name, 0};
    if (type) types_[name] = *type;
  }

  std::string fresh(const std::string& name) { return name + ".w" + std::to_string(++count_); }

  std::string emit(Statement statement, const std::string& name) {
    statement.name = name;
    if (statement.type) types_[name] = *statement.type;
    result_.statements.push_back(std::move(statement));
    return name;
  }

  /// The name that has the value of `name` now.
  std::string now(const std::string& name) {
    const auto found = places_.find(name);
    if (found == places_.end() || found->second.version == bases_[found->second.base].version) return name;
    const auto known = again_.find({name, bases_[found->second.base].version});
    if (known != again_.end()) return known->second;
    const std::string value = replay(found->second, found->second.path.size());
    return again_[{name, bases_[found->second.base].version}] = value;
  }

  /// The first views of a path applied to the base as it is now.
  std::string replay(const Place& place, std::size_t steps) {
    std::string value = bases_[place.base].current;
    for (std::size_t k = 0; k < steps; ++k) {
      Statement step = *place.path[k];
      if (step.kind == Statement::Kind::Call) step.arguments[0] = name_argument(value);
      else step.target = value;
      value = emit(std::move(step), fresh(place.path[k]->name));
    }
    return value;
  }

  void resolve(Argument& argument) {
    if (argument.kind == Kind::Name) argument.text = now(argument.text);
    for (Argument& item : argument.items) resolve(item);
  }
  void resolve(Statement& statement) {
    for (Argument& argument : statement.arguments) resolve(argument);
    for (auto& [keyword, argument] : statement.keywords) resolve(argument);
  }

  void read(const Statement& given) {
    Statement statement = given;
    const bool item = statement.kind == Statement::Kind::Item || statement.kind == Statement::Kind::Copy;
    if (item && written_.count(statement.target) != 0) return item_of_write(given);
    const std::string operand = item ? statement.target : statement.arguments.empty() ? ""
                                                                                      : statement.arguments[0].text;
    if (item) statement.target = now(statement.target);
    resolve(statement);
    emit(statement, statement.name);
    const auto from = places_.find(operand);
    const bool hidden = statement.kind == Statement::Kind::Call && view_of(statement.target) != nullptr && (operand.empty() || !statement.keywords.empty());
    if (hidden) refuse(given, "a view whose arguments are given by name, in a graph that writes into tensors");
    // Items of a view are views; those of another operator's results have memory of their own.
    const bool of_view = item && from != places_.end() && (statement.kind == Statement::Kind::Copy || !from->second.path.empty());
    const bool path = from != places_.end() && (of_view || (statement.kind == Statement::Kind::Call && view_of(statement.target) != nullptr));
    if (!path) {
      own(statement.name, statement.type);
      if (from != places_.end() && perhaps_view(statement.target)) perhaps_.insert({statement.name, from->second.base});
      return;
    }
    Place place = from->second;
    const bool itself = statement.kind == Statement::Kind::Copy || is_wait(statement);
    if (itself) objects_[statement.name] = object(operand);
    else place.path.push_back(&given);
    place.version = bases_[place.base].version;
    places_[statement.name] = place;
  }

  /// `op_(x, ...)` as `x' = op(x, ...)`, written back into what x is a view of.
  void write(const Statement& given) {
    if (given.arguments.empty()) refuse(given, "a write to nothing");
    const Statement statement = written_form(given);
    std::vector<std::string> targets;
    const bool list = statement.arguments[0].kind == Kind::List;
    for (const Argument& item : list ? statement.arguments[0].items : std::vector<Argument>{statement.arguments[0]}) {
      if (item.kind != Kind::Name) refuse(given, "a write to something that is no tensor");
      targets.push_back(item.text);
    }
    for (const Argument& read : statement.arguments) check_apart(given, targets.front(), read);
    if (const auto lists = written_lists(given.target); !lists.empty()) return write_lists(given, statement, lists);
    if (list && given.target.rfind("c10d.", 0) != 0) return write_each(given, statement, targets);
    for (const std::string& target : targets) {
      Statement one = statement;
      one.arguments[0] = name_argument(target);
      resolve(one);
      const auto type = types_.find(target);
      if (type == types_.end()) refuse(given, "the type of '" + target + "' is not known");
      one.type = type->second;
      store(given, target, emit(one, targets.size() == 1 && !list ? fresh(given.name) : fresh(target)));
    }
    if (list) {
      written_[given.name] = targets;
    } else {
      places_[given.name] = places_[targets[0]];
      types_[given.name] = types_[targets[0]];
      objects_[given.name] = object(targets[0]);
    }
  }

  /// What is read may not be a part of the memory that is written.
  void check_apart(const Statement& given, const std::string& target, const Argument& read) const {
    const auto own = places_.find(target), other = places_.find(read.kind == Kind::Name ? read.text : "");
    if (own == places_.end() || other == places_.end() || own->second.base != other->second.base || own->second.path.size() != 1 || other->second.path.size() != 1) return;
    const auto whole = types_.find(own->second.base);
    if (whole != types_.end() && share_some(*own->second.path[0], *other->second.path[0], whole->second)) refuse(given, "'" + read.text + "' shares some of the memory that it writes: torch raises");
  }

  /// `_foreach_op_([x, y], ...)`: the operator on lists, stored item by item.
  void write_each(const Statement& given, Statement call, const std::vector<std::string>& targets) {
    std::map<std::string, std::size_t> bases;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      if (places_.count(targets[k]) == 0 || !bases.insert({places_[targets[k]].base, k}).second) refuse(given, kTogether);
    }
    const auto need_apart = [&](const Argument& argument, std::size_t k) {  // what one step writes is not read by another
      const auto place = places_.find(argument.text);
      const auto base = place == places_.end() ? bases.end() : bases.find(place->second.base);
      if (argument.kind == Kind::Name && base != bases.end() && base->second != k) refuse(given, "'" + argument.text + "' is read and written");
    };
    const auto check = [&](const Argument& argument) {
      need_apart(argument, targets.size());
      for (std::size_t k = 0; k < argument.items.size(); ++k) need_apart(argument.items[k], k);
    };
    std::for_each(call.arguments.begin() + 1, call.arguments.end(), check);
    for (const auto& [keyword, argument] : call.keywords) check(argument);
    const std::string whole = emit_whole(given, call);
    for (std::size_t k = 0; k < targets.size(); ++k) store_item(given, whole, k, targets[k]);
    written_[given.name] = targets;
    lists_.insert(given.name);
  }

  /// A call whose results are taken item by item.
  std::string emit_whole(const Statement& given, Statement call) {
    resolve(call);
    call.type.reset();
    return emit(call, fresh(given.name));
  }

  /// A fused optimizer: the lists at these places are written.
  void write_lists(const Statement& given, const Statement& call, std::span<const std::size_t> places) {
    if (given.arguments.size() <= places.back() + 1) refuse(given, "lists that are given by name");
    std::set<std::string> read, changed;
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
      const bool written = std::find(places.begin(), places.end(), k) != places.end();
      for (const Argument& x : call.arguments[k].items) {
        if (places_.count(x.text) == 0 || (!(written ? changed : read).insert(places_[x.text].base).second && written)) refuse(given, kTogether);
      }
    }
    if (std::any_of(read.begin(), read.end(), [&](const std::string& base) { return changed.count(base) != 0; })) refuse(given, kTogether);
    const std::string whole = emit_whole(given, call);
    for (const std::size_t place : places) {
      const std::vector<Argument>& items = given.arguments[place].items;
      const std::string part = emit_item(given, whole, place, std::nullopt);
      for (std::size_t k = 0; k < items.size(); ++k) store_item(given, part, k, items[k].text);
    }
  }

  std::string emit_item(const Statement& given, const std::string& whole, std::size_t k, const std::optional<Type>& type) {
    Statement item;
    item.kind = Statement::Kind::Item;
    item.type = type;
    item.target = whole;
    item.item = Operation::whole(static_cast<std::int64_t>(k));
    item.where = given.where;
    item.source = given.source;
    return emit(item, fresh(given.name));
  }

  void store_item(const Statement& given, const std::string& whole, std::size_t k, const std::string& target) {
    const auto type = types_.find(target);
    if (type == types_.end()) refuse(given, "the type of '" + target + "' is not known");
    store(given, target, emit_item(given, whole, k, type->second));
  }

  /// `transpose_(x, ...)`: x, under all its names, is a view of what it was; views that were taken before stay.
  void reshape(const Statement& given) {
    if (given.arguments.empty() || given.arguments[0].kind != Kind::Name || !given.keywords.empty() || !given.type) refuse(given, "a change of shape that is not understood");
    const std::string target = given.arguments[0].text;
    const auto found = places_.find(target);
    if (found == places_.end()) refuse(given, "what '" + target + "' is a view of is not known");
    need_known_memory(given, found->second);
    Statement& view = reshaped_.emplace_back(given);
    view.target = reshaping(given.target);
    Statement step = view;
    step.arguments[0] = name_argument(now(target));
    const std::string value = emit(step, fresh(given.name));
    Place place = found->second;
    Base& base = bases_[place.base];
    if (object(base.current) == object(target)) {  // what the tensor was keeps its type, under another name
      Statement before = given;
      before.kind = Statement::Kind::Copy;
      before.target = base.current;
      before.type = types_[base.current];
      before.arguments.clear();
      base.current = emit(before, fresh(base.current));
    }
    place.path.push_back(&view);
    place.version = -1;  // read anew
    objects_[given.name] = object(target);
    std::vector<std::string> names = {object(target)};
    for (const auto& [name, one] : objects_) {
      if (one == object(target)) names.push_back(name);
    }
    for (const std::string& name : names) {
      places_[name] = place;
      types_[name] = *given.type;
      again_[{name, bases_[place.base].version}] = value;
    }
  }

  /// The first name of the tensor: what a write in place returns is the tensor itself.
  const std::string& object(const std::string& name) const {
    const auto found = objects_.find(name);
    return found == objects_.end() ? name : found->second;
  }

  /// A call that a definition says to write into some of its arguments: it gives what it writes, item by item.
  void write_defined(const Statement& given) {
    const std::string whole = emit_whole(given, given);
    const std::vector<std::string> targets = definitions_.written(given.target);
    for (std::size_t k = 0; k < targets.size(); ++k) {
      const Argument* argument = definitions_.argument(given, targets[k]);
      if (argument == nullptr || argument->kind != Kind::Name) refuse(given, "'" + targets[k] + "', into which it writes, is no tensor");
      store_item(given, whole, k, argument->text);
    }
  }

  /// A normalisation that moves its running statistics.
  void update(const Statement& given, const Updates& row) {
    Statement call = given;
    call.target = row.form;
    if (row.alone) {
      call.arguments.resize(8);  // without cudnn_enabled
      call.type.reset();
    }
    resolve(call);
    const std::string whole = emit(call, row.alone ? fresh(given.name) : given.name);
    if (row.alone) {
      Statement item = given;
      item.kind = Statement::Kind::Item;
      item.target = whole;
      item.item = Operation::whole(0);
      item.arguments.clear();
      emit(item, given.name);
    }
    own(given.name, given.type);
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
      const Argument& target = given.arguments[row.statistics + k];
      if (target.kind != Kind::Name) refuse(given, "one of its running statistics is no tensor");
      store_item(given, whole, static_cast<std::size_t>(row.first) + k, target.text);
    }
  }

  /// Refuses what would change a tensor that others may or may not be views of.
  void need_known_memory(const Statement& given, const Place& place) const {
    for (const auto& [name, base] : perhaps_) {
      const auto own_place = places_.find(name);
      if (base == place.base || (own_place != places_.end() && own_place->second.base == place.base)) refuse(given, "'" + name + "' may or may not share its memory");
    }
  }

  void store(const Statement& given, const std::string& target, const std::string& value) {
    const auto found = places_.find(target);
    if (found == places_.end()) refuse(given, "what '" + target + "' is a view of is not known");
    const Place place = found->second;
    need_known_memory(given, place);
    std::string written = value;
    for (std::size_t k = place.path.size(); k-- > 0;) {
      const Statement& step = *place.path[k];
      if (step.kind == Statement::Kind::Item) continue;  // with its split
      const std::string parent = replay(place, k);
      const std::int64_t item = k + 1 < place.path.size() && place.path[k + 1]->kind == Statement::Kind::Item ? place.path[k + 1]->item.integer : -1;
      const auto type = types_.find(parent);
      if (type == types_.end()) refuse(given, "the type of '" + parent + "' is not known");
      auto call = put_back(given, step, name_argument(parent), type->second, name_argument(written), item);
      if (call) written = emit(std::move(*call), fresh(given.name));
    }
    Base& base = bases_[place.base];
    base.current = written;
    ++base.version;
  }

  /// c10d.allreduce_ gives ([tensors], work): item 0 of item 0 is the tensor, item 1 the work.
  void item_of_write(const Statement& given) {
    const auto targets = written_.at(given.target);
    if (given.kind == Statement::Kind::Copy || given.item.kind != Kind::Integer) refuse(given, "a result of a write that is not understood");
    const auto k = static_cast<std::size_t>(given.item.integer);
    if (lists_.count(given.target) == 0) {
      if (k != 0) return;  // the work
      lists_.insert(given.name);
      written_[given.name] = targets;
      return;
    }
    if (k >= targets.size()) refuse(given, "no such tensor");
    places_[given.name] = places_[targets[k]];
    places_[given.name].version = -1;  // read anew
    types_[given.name] = types_[targets[k]];
    objects_[given.name] = object(targets[k]);
  }

  const Graph& graph_;
  const Definitions& definitions_;
  Graph result_;
  std::map<std::string, std::string> objects_;  ///< names of a tensor that has another first name
  std::deque<Statement> reshaped_;              ///< views that no statement of the graph is
  std::map<std::string, Place> places_;
  std::map<std::string, Base> bases_;
  std::map<std::string, Type> types_;
  std::map<std::pair<std::string, std::int64_t>, std::string> again_;
  std::set<std::pair<std::string, std::string>> perhaps_;
  std::map<std::string, std::vector<std::string>> written_;  // results of writes to lists
  std::set<std::string> lists_;
  int count_ = 0;
};

}  // namespace

Graph functional(Graph graph, const Definitions& definitions) {
  graph.unwaited = not_waited_for(graph, definitions);
  const auto write = [&](const Statement& s) { return writes(s) || updates(s) != nullptr || !definitions.written(s.target).empty(); };
  for (const Graph& inner : graph.nested) {
    for (const Statement& statement : inner.statements) {
      if (write(statement)) refuse(statement, "a write in the nested graph '" + inner.name + "'");
    }
    for (std::string& name : functional(inner, definitions).unwaited) graph.unwaited.push_back(std::move(name));
  }
  const bool pure = std::none_of(graph.statements.begin(), graph.statements.end(), write);
  if (pure) return graph;
  return Functional(graph, definitions).run();
}

}  // namespace gg::fx
