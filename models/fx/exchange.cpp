#include "models/fx/exchange.h"

#include <algorithm>
#include <unordered_map>

#include "models/fx/lowering.h"

namespace gg::fx {
namespace {

using Members = std::vector<std::int64_t>;
using Kind = Argument::Kind;

constexpr std::size_t kMaxMessages = 200'000;  ///< with more, collectives stay as they are
constexpr std::int64_t kFirstTag = 1 << 20;    ///< of the messages of collectives: beyond those of programs

Argument number(std::int64_t value) { return {Kind::Integer, "", value, 0, {}}; }
Argument list_of(std::vector<Argument> items) { return {Kind::List, "", 0, 0, std::move(items)}; }

/// What joins two values of a reduction.
struct Joining {
  std::string_view name, target;
};
constexpr Joining kJoinings[] = {{"avg", "aten.add.Tensor"}, {"band", "aten.bitwise_and.Tensor"}, {"bor", "aten.bitwise_or.Tensor"}, {"max", "aten.maximum.default"}, {"min", "aten.minimum.default"}, {"product", "aten.mul.Tensor"}, {"sum", "aten.add.Tensor"}};

/// One call of a collective by one rank, written out.
class CallByMessages {
 public:
  CallByMessages(const Statement& call, const Type& given, const Members& members, std::int64_t rank, std::int64_t tag, std::vector<Statement>& out)
      : call_(call), given_(given), members_(members), seat_(static_cast<std::size_t>(std::find(members.begin(), members.end(), rank) - members.begin())), tag_(tag), out_(out) {}

  /// Nothing is written where the collective is not one of these.
  bool write(const std::vector<Argument>& arguments) {
    const auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.target == call_.target; });
    return row != std::end(kRows) && call_.type && (this->*row->write)(arguments);
  }

 private:
  struct Row {
    std::string_view target;
    bool (CallByMessages::*write)(const std::vector<Argument>&);
  };

  std::size_t size() const { return members_.size(); }

  std::string fresh(const std::string& what, std::size_t k) const { return call_.name + "." + what + std::to_string(members_[k]); }

  std::string add(std::string name, const std::string& target, std::optional<Type> type, std::vector<Argument> arguments) {
    Statement s;
    s.name = name;
    s.type = std::move(type);
    s.target = target;
    s.arguments = std::move(arguments);
    s.where = call_.where;
    s.source = call_.source;
    out_.push_back(std::move(s));
    return name;
  }

  // Buffers have no shape: members may hold the same elements in another one.
  static Type flat(const Type& type) { return Type::array(type.element, {type.count()}); }

  void send(std::string value, const Type& type, std::size_t seat) {
    if (type.rank() != 1) value = add(fresh("flat", seat), "aten.reshape.default", flat(type), {name_argument(value), list_of({number(-1)})});
    add(fresh("to", seat), "_c10d_functional.isend.default", std::nullopt, {name_argument(value), number(members_[seat]), number(tag_)});
  }
  std::string receive(const Type& type, std::size_t seat, const std::string& like) {
    const std::string got = add(fresh("got", seat), "_c10d_functional.irecv.default", flat(type), {name_argument(like), number(members_[seat]), number(tag_)});
    std::vector<Argument> dims;
    for (const std::int64_t extent : type.dims) dims.push_back(number(extent));
    return type.rank() == 1 ? got : add(fresh("from", seat), "aten.reshape.default", type, {name_argument(got), list_of(std::move(dims))});
  }

  /// The values of all members by seats: `own` is this one's part for a seat.
  std::vector<std::string> exchanged(const std::vector<std::string>& own, const std::vector<Type>& sent, const std::vector<Type>& types) {
    for (std::size_t k = 0; k < size(); ++k) {
      if (k != seat_) send(own[k], sent[k], k);
    }
    std::vector<std::string> result;
    for (std::size_t k = 0; k < size(); ++k) result.push_back(k == seat_ ? own[k] : receive(types[k], k, own[k]));
    return result;
  }

  /// The pieces of a tensor along its first dimension.
  std::vector<std::string> pieces(const std::string& whole, const std::vector<std::int64_t>& rows) {
    std::vector<std::string> result;
    std::int64_t start = 0;
    for (std::size_t k = 0; k < size(); ++k) {
      result.push_back(add(fresh("for", k), "aten.slice.Tensor", with_rows(given_, rows[k]), {name_argument(whole), number(0), number(start), number(start + rows[k])}));
      start += rows[k];
    }
    return result;
  }

  static Type with_rows(Type type, std::int64_t rows) {
    type.dims[0] = rows;
    return type;
  }

  bool join(const std::string& how, const std::vector<std::string>& values) {
    const auto found = std::find_if(std::begin(kJoinings), std::end(kJoinings), [&](const Joining& j) { return j.name == how; });
    if (found == std::end(kJoinings)) return false;
    const bool mean = how == "avg";
    std::string sum = values[0];
    for (std::size_t k = 1; k < size(); ++k) {
      sum = add(k + 1 < size() || mean ? fresh("with", k) : call_.name, std::string(found->target), *call_.type, {name_argument(sum), name_argument(values[k])});
    }
    if (mean) add(call_.name, "aten.div.Tensor", *call_.type, {name_argument(sum), number(static_cast<std::int64_t>(size()))});
    return true;
  }

  std::vector<std::string> exchanged(const std::string& own) {
    const std::vector<Type> types(size(), given_);
    return exchanged(std::vector<std::string>(size(), own), types, types);
  }

  bool all_reduce(const std::vector<Argument>& a) { return join(a[1].text, exchanged(a[0].text)); }

  bool all_gather(const std::vector<Argument>& a) {
    std::vector<Argument> all;
    for (std::string& value : exchanged(a[0].text)) all.push_back(name_argument(std::move(value)));
    add(call_.name, given_.dims.empty() ? "aten.stack.default" : "aten.cat.default", *call_.type, {list_of(std::move(all))});
    return true;
  }

  bool reduce_scatter(const std::vector<Argument>& a) {
    const auto n = static_cast<std::int64_t>(size());
    if (given_.dims.empty() || given_.dims[0] % n != 0) return false;
    const std::int64_t rows = given_.dims[0] / n;
    const std::vector<Type> types(size(), with_rows(given_, rows));
    return join(a[1].text, exchanged(pieces(a[0].text, std::vector<std::int64_t>(size(), rows)), types, types));
  }

  bool all_to_all(const std::vector<Argument>& a) {
    std::vector<std::int64_t> got, sent;
    for (const auto& [from, to] : {std::pair{&a[1], &got}, {&a[2], &sent}}) {
      if (from->items.size() != size()) return false;
      for (const Argument& item : from->items) to->push_back(item.integer);
    }
    if (given_.dims.empty()) return false;
    std::vector<Type> theirs, mine;
    for (const std::int64_t rows : got) theirs.push_back(with_rows(given_, rows));
    for (const std::int64_t rows : sent) mine.push_back(with_rows(given_, rows));
    std::vector<Argument> all;
    for (std::string& value : exchanged(pieces(a[0].text, sent), mine, theirs)) all.push_back(name_argument(std::move(value)));
    add(call_.name, "aten.cat.default", *call_.type, {list_of(std::move(all))});
    return true;
  }

  bool broadcast(const std::vector<Argument>& a) {
    const auto source = static_cast<std::size_t>(a[1].integer);
    if (a[1].kind != Kind::Integer || source >= size()) return false;
    for (std::size_t k = 0; seat_ == source && k < size(); ++k) {
      if (k != seat_) send(a[0].text, given_, k);
    }
    const std::string value = seat_ == source ? a[0].text : receive(given_, source, a[0].text);
    add(call_.name, "aten.clone.default", *call_.type, {name_argument(value)});
    return true;
  }

  static constexpr Row kRows[] = {{"_c10d_functional.all_gather_into_tensor.default", &CallByMessages::all_gather},
                                  {"_c10d_functional.all_reduce.default", &CallByMessages::all_reduce},
                                  {"_c10d_functional.all_to_all_single.default", &CallByMessages::all_to_all},
                                  {"_c10d_functional.broadcast.default", &CallByMessages::broadcast},
                                  {"_c10d_functional.reduce_scatter_tensor.default", &CallByMessages::reduce_scatter}};

  const Statement& call_;
  const Type& given_;
  const Members& members_;
  std::size_t seat_;
  std::int64_t tag_;
  std::vector<Statement>& out_;
};

/// Which program each rank runs.
std::vector<std::size_t> program_of(const std::vector<RankGraphs>& programs, std::size_t ranks) {
  std::vector<std::size_t> result(ranks, 0);
  for (std::size_t p = 0; p < programs.size(); ++p)
    for (const std::int64_t rank : programs[p].ranks) result[static_cast<std::size_t>(rank)] = p;
  return result;
}

/// A tag for each queue: another one than those of queues of which it has two members. Alike on ranks that call alike.
std::vector<std::int64_t> tags_of(const Queues& queues) {
  std::vector<std::int64_t> tags;
  for (const Members& own : queues.members) {
    std::int64_t tag = kFirstTag;
    const auto taken = [&] {
      for (std::size_t k = 0; k < tags.size(); ++k) {
        const auto common = std::count_if(own.begin(), own.end(), [&](std::int64_t m) { return std::find(queues.members[k].begin(), queues.members[k].end(), m) != queues.members[k].end(); });
        if (tags[k] == tag && common > 1) return true;
      }
      return false;
    };
    while (taken()) ++tag;
    tags.push_back(tag);
  }
  return tags;
}

class Writer {
 public:
  explicit Writer(const Queues& queues) : queues_(queues), tags_(tags_of(queues)) {}

  /// `program`: which one each rank runs.
  Graph run(const Graph& graph, std::int64_t rank, const std::vector<std::size_t>& program) {
    std::unordered_map<std::string_view, const Type*> types;
    for (const Placeholder& input : graph.inputs) types[input.name] = &input.type;
    Graph result = graph;
    result.statements.clear();
    for (const Statement& s : graph.statements) {
      if (s.type) types[s.name] = &*s.type;
      const std::size_t before = result.statements.size();
      if (exchange(s, rank, program, types, result.statements)) continue;
      result.statements.resize(before);
      result.statements.push_back(s);
    }
    return result;
  }

 private:
  bool exchange(const Statement& s, std::int64_t rank, const std::vector<std::size_t>& program, const std::unordered_map<std::string_view, const Type*>& types, std::vector<Statement>& out) const {
    const auto& own = queues_.of[static_cast<std::size_t>(rank)];
    const auto queue = s.kind == Statement::Kind::Call ? own.find(s.name) : own.end();
    if (queue == own.end()) return false;
    const Members& members = queues_.members[queue->second];
    const auto among = [&](std::int64_t other) { return program[static_cast<std::size_t>(other)] == program[static_cast<std::size_t>(rank)]; };
    if (std::all_of(members.begin(), members.end(), among)) return false;
    const std::vector<Argument> arguments = bound_arguments(*find_overload(s.target), s);
    const auto type = arguments[0].kind == Kind::Name ? types.find(arguments[0].text) : types.end();
    return type != types.end() && CallByMessages(s, *type->second, members, rank, tags_[queue->second], out).write(arguments);
  }

  const Queues& queues_;
  std::vector<std::int64_t> tags_;
};

/// Messages if all collectives were written out.
std::size_t messages_of(const Queues& queues) {
  std::size_t count = 0;
  for (const auto& calls : queues.of)
    for (const auto& [name, queue] : calls) count += queues.members[queue].size();
  return count;
}

}  // namespace

std::vector<RankGraphs> programs_of(std::vector<Graph> ranks, const Queues& queues) {
  std::vector<RankGraphs> programs = fold_ranks(ranks);
  if (messages_of(queues) > kMaxMessages) return programs;
  Writer writer(queues);
  // Messages among ranks of one program may tell them apart, and then there are collectives among more programs.
  for (std::size_t before = 1; programs.size() > before;) {
    before = programs.size();
    const std::vector<std::size_t> program = program_of(programs, ranks.size());
    for (std::size_t r = 0; r < ranks.size(); ++r) ranks[r] = writer.run(ranks[r], static_cast<std::int64_t>(r), program);
    programs = fold_ranks(ranks);
  }
  const auto other = [&](const RankGraphs& p) { return p.ranks.size() != programs[0].ranks.size(); };
  return std::any_of(programs.begin(), programs.end(), other) ? fold_ranks(ranks, true) : programs;
}

}  // namespace gg::fx
