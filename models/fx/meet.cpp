#include "models/fx/meet.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "models/fx/aliases.h"
#include "models/fx/lowering.h"
#include "models/fx/print.h"
#include "models/transfer/hang.h"

namespace gg::fx {
namespace {

using Members = std::vector<std::int64_t>;

/// One call of a collective by one rank.
struct Meeting {
  std::int64_t rank = 0;
  std::size_t position = 0;  ///< of the statement
  Members members;
  std::string group;      ///< its name on that rank
  std::string signature;  ///< what must be the same on all members
  bool message = false;   ///< a send or a receive: `signature` says from whom to whom, under which tag
};

/// Everything that a rank brings to a collective, but for whom it exchanges with and how much: elements of the tensors, operation, source.
class Signature {
 public:
  explicit Signature(const Graph& graph) {
    types_.reserve(graph.inputs.size() + graph.statements.size());
    for (const Placeholder& input : graph.inputs) types_[input.name] = &input.type;
    for (const Statement& s : graph.statements) {
      if (s.type) types_[s.name] = &*s.type;
    }
  }

  std::string of(const Statement& s, const std::vector<Argument>& arguments, std::size_t group) const {
    std::string text = s.target;
    const bool uneven = s.target == "_c10d_functional.all_to_all_single.default";  // splits differ; the element type must not
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (k == group || (uneven && k > 0)) continue;
      text += " " + part(arguments[k], uneven);
    }
    return text;
  }

 private:
  std::string part(const Argument& argument, bool uneven) const {
    if (argument.kind == Argument::Kind::List) {
      std::string text = "[";
      for (const Argument& item : argument.items) text += part(item, uneven) + " ";
      return text + "]";
    }
    if (argument.kind != Argument::Kind::Name) return argument_text(argument);
    const auto type = types_.find(argument.text);
    if (type == types_.end()) return "?";  // an object, which the relation explains
    const std::string element(info(type->second->element).name);
    return uneven ? element : element + "*" + std::to_string(type->second->count());  // buffers have no shape
  }

  std::unordered_map<std::string_view, const Type*> types_;  // of the graph's names
};

std::string short_name(const std::string& target) {
  const std::size_t first = target.find('.') + 1;
  return target.substr(first, target.rfind('.') - first);
}

/// The last directory and name of a source file are enough to find it.
std::string tail_of(const std::string& source) {
  const std::size_t slash = source.rfind('/');
  return slash == std::string::npos ? source : source.substr(slash + 1);
}

RankAt rank_at(const std::vector<Graph>& ranks, std::int64_t rank, std::size_t position) {
  const Graph& graph = ranks[static_cast<std::size_t>(rank)];
  const Statement& s = graph.statements[position];
  return {rank, s.name, s.target, tail_of(source_text(graph, s)), s.where, statement_text(s)};
}

std::string place_text(const RankAt& at) {
  return short_name(at.operation) + " at " + (at.source.empty() ? at.where.file + ":" + std::to_string(at.where.line) : at.source);
}

bool is_transfer(const Statement& s) { return s.target == "_c10d_functional.isend.default" || s.target == "_c10d_functional.irecv.default"; }

class Meetings {
 public:
  Meetings(const std::vector<Graph>& ranks, const GraphRelation& relation) : ranks_(ranks), relation_(relation), objects_(relation.objects(false)) {
    for (std::size_t r = 0; r < ranks.size(); ++r) collect(static_cast<std::int64_t>(r));
  }

  void check() const {
    const Meeting *waits = nullptr, *instead = nullptr;
    std::int64_t absent = 0;
    for (const auto& [key, calls] : queues()) {
      const auto found = first_unmet(key.first, calls);
      if (!found || (waits != nullptr && waits->position <= found->waits->position)) continue;
      waits = found->waits, instead = found->instead, absent = found->absent;
    }
    if (waits != nullptr) report(*waits, instead, absent);
  }

  /// Calls that meet may still wait for one another in a circle: on two groups, in another order on another rank; a receive before the send.
  void check_order() const {
    std::vector<std::vector<const Meeting*>> together(meetings_.size());  // the calls that a call meets, by index
    for (const auto& [key, calls] : queues()) {
      for (const auto& [rank, own] : calls) {
        for (std::size_t n = 0; n < own.size(); ++n) {
          auto& all = together[static_cast<std::size_t>(own[n] - meetings_.data())];
          for (const auto& [other, theirs] : calls) all.push_back(theirs[n]);
        }
      }
    }
    std::map<std::string, Queue> mail;  // a receive waits for its send; whether sends wait is a matter of buffers
    for (const Meeting& m : meetings_) {
      if (m.message) mail[m.signature][m.rank].push_back(&m);
    }
    for (const auto& [key, sides] : mail) {
      const auto& sent = sides.at(sides.begin()->second[0]->members[0]);
      for (const auto& [rank, own] : sides) {
        for (std::size_t n = 0; n < own.size() && rank != own[n]->members[0]; ++n) together[static_cast<std::size_t>(own[n] - meetings_.data())] = {sent.at(n)};
      }
    }
    std::vector<bool> begun(meetings_.size(), false);
    std::vector<std::size_t> done(events_.size(), 0);
    const auto met = [&](std::size_t m) {
      return std::all_of(together[m].begin(), together[m].end(), [&](const Meeting* other) { return begun[static_cast<std::size_t>(other - meetings_.data())]; });
    };
    for (bool more = true; more;) {
      more = false;
      for (std::size_t rank = 0; rank < events_.size(); ++rank) {
        for (; done[rank] < events_[rank].size(); ++done[rank], more = true) {
          const Event& e = events_[rank][done[rank]];
          if (e.wait && !met(e.meeting)) break;
          begun[e.meeting] = true;
        }
      }
    }
    for (std::size_t rank = 0; rank < events_.size(); ++rank) {
      if (done[rank] == events_[rank].size()) continue;
      const std::size_t stuck = events_[rank][done[rank]].meeting;
      const auto late = std::find_if(together[stuck].begin(), together[stuck].end(), [&](const Meeting* other) { return !begun[static_cast<std::size_t>(other - meetings_.data())]; });
      const auto other = static_cast<std::size_t>((*late)->rank);
      report(meetings_[stuck], &meetings_[events_[other][done[other]].meeting], (*late)->rank, true);
    }
  }

  Queues queued() const {
    const auto found = queues();
    std::vector<std::pair<std::size_t, const Queue*>> order;
    for (const auto& [key, calls] : found) order.emplace_back(calls.begin()->second[0]->position, &calls);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    Queues result;
    result.of.resize(ranks_.size());
    for (const auto& [position, queue] : order) {
      for (const auto& [rank, calls] : *queue) {
        const auto r = static_cast<std::size_t>(rank);
        for (const Meeting* m : calls) result.of[r][ranks_[r].statements[m->position].name] = result.members.size();
      }
      result.members.push_back(queue->begin()->second[0]->members);
    }
    return result;
  }

 private:
  using Queue = std::map<std::int64_t, std::vector<const Meeting*>>;  // by rank

  struct Unmet {
    const Meeting *waits, *instead;
    std::int64_t absent;
  };

  /// What a rank does in order: it begins a collective, or waits until all of its members have begun it.
  struct Event {
    std::size_t meeting;
    bool wait;
  };

  void collect(std::int64_t rank) {
    const Graph& graph = ranks_[static_cast<std::size_t>(rank)];
    const Signature signature(graph);
    std::map<std::string, std::string> objects;
    std::map<std::string, std::size_t> works;  // names of what a collective gives, not waited for yet
    std::vector<Event>& events = events_.emplace_back();
    for (std::size_t k = 0; k < graph.statements.size(); ++k) {
      const Statement& s = graph.statements[k];
      const bool same = s.kind == Statement::Kind::Copy || s.kind == Statement::Kind::Item;
      if (same && works.count(s.target) != 0) works[s.name] = works[s.target];
      const bool wait = is_wait(s) && s.arguments.size() == 1 && works.count(s.arguments[0].text) != 0;
      if (wait) events.push_back({works[s.arguments[0].text], true});
      if (is_transfer(s)) {
        const bool send = s.target == "_c10d_functional.isend.default";
        const std::int64_t peer = s.arguments[1].integer;
        const Members ends = send ? Members{rank, peer} : Members{peer, rank};
        works[s.name] = meetings_.size();
        events.push_back({meetings_.size(), false});
        meetings_.push_back({rank, k, ends, "", std::to_string(ends[0]) + ">" + std::to_string(ends[1]) + ":" + std::to_string(s.arguments[2].integer), true});
        continue;
      }
      if (s.kind == Statement::Kind::Attribute && objects_.count(s.target) != 0) objects[s.name] = objects_.at(s.target);
      const Overload* overload = s.kind == Statement::Kind::Call ? find_overload(s.target) : nullptr;
      if (overload == nullptr) continue;
      const std::size_t comma = overload->schema.rfind(", ");
      if (comma == std::string_view::npos || overload->schema.substr(comma + 2) != "group_name") continue;
      const auto arguments = bound_arguments(*overload, s);
      Argument name = arguments.back();
      if (name.kind == Argument::Kind::Name && objects.count(name.text) != 0) name = {Argument::Kind::String, objects[name.text], 0, 0, {}};
      if (name.kind != Argument::Kind::String) continue;  // lowering says what is wrong with it
      Members members = relation_.members(name.text, rank, s.where);
      if (members.size() <= 1) continue;
      works[s.name] = meetings_.size();
      events.push_back({meetings_.size(), false});
      meetings_.push_back({rank, k, std::move(members), name.text, signature.of(s, arguments, arguments.size() - 1)});
    }
  }

  /// Calls by members and name of the group; by members alone where its members do not use the same names.
  std::map<std::pair<Members, std::string>, Queue> queues() const {
    std::map<Members, std::map<std::int64_t, std::vector<std::string>>> names;
    for (const Meeting& m : meetings_) {
      if (m.message) continue;
      auto& list = names[m.members][m.rank];
      if (std::find(list.begin(), list.end(), m.group) == list.end()) list.push_back(m.group);
    }
    std::map<std::pair<Members, std::string>, Queue> result;
    for (const Meeting& m : meetings_) {
      if (m.message) continue;
      auto& own = names[m.members];
      for (auto& [rank, list] : own) std::sort(list.begin(), list.end());
      const bool same = std::all_of(own.begin(), own.end(), [&](const auto& entry) { return entry.second == own.begin()->second; });
      result[{m.members, same ? m.group : ""}][m.rank].push_back(&m);
    }
    return result;
  }

  /// The first call of a queue that some member does not make, or makes otherwise.
  static std::optional<Unmet> first_unmet(const Members& members, const Queue& calls) {
    for (std::size_t k = 0;; ++k) {
      const Meeting* first = nullptr;
      for (const std::int64_t rank : members) {
        const auto found = calls.find(rank);
        if (first == nullptr && found != calls.end() && k < found->second.size()) first = found->second[k];
      }
      if (first == nullptr) return std::nullopt;
      for (const std::int64_t rank : members) {
        const auto found = calls.find(rank);
        const Meeting* own = found != calls.end() && k < found->second.size() ? found->second[k] : nullptr;
        if (own == nullptr || own->signature != first->signature) return Unmet{first, own, rank};
      }
    }
  }

  /// `circle`: rank `absent` would call it, and waits in `instead` before.
  [[noreturn]] void report(const Meeting& waits, const Meeting* instead, std::int64_t absent, bool circle = false) const {
    RankAt here = rank_at(ranks_, waits.rank, waits.position);
    std::optional<RankAt> other;
    std::string text = "rank " + std::to_string(waits.rank) + " waits in " + place_text(here) + ": rank " + std::to_string(absent);
    if (instead != nullptr) {
      other = rank_at(ranks_, absent, instead->position);
      if (circle) text += " waits in " + place_text(*other) + " before it " + (waits.message ? "sends" : "calls it");
      else text += " calls " + (place_text(*other) == place_text(here) ? "it otherwise" : place_text(*other) + " in its place");
    } else {
      text += " never calls it";
    }
    if (waits.message) throw RanksHang(std::move(here), std::move(other), text);
    text += " (group " + (waits.group.empty() ? std::string("of") : "'" + waits.group + "':") + " ranks";
    for (const std::int64_t rank : waits.members) text += " " + std::to_string(rank);
    throw RanksHang(std::move(here), std::move(other), text + ")");
  }

  const std::vector<Graph>& ranks_;
  const GraphRelation& relation_;
  std::map<std::string, std::string> objects_;
  std::vector<Meeting> meetings_;
  std::vector<std::vector<Event>> events_;  ///< by rank
};

/// Is it known whom a communicating statement meets?
bool is_understood(const Statement& s) {
  if (s.kind != Statement::Kind::Call || s.target.find("c10d") == std::string::npos) return true;
  if (!is_transfer(s)) return find_overload(s.target) != nullptr;
  return s.arguments.size() >= 3 && s.arguments[1].kind == Argument::Kind::Integer && s.arguments[2].kind == Argument::Kind::Integer;
}

/// Does a nested graph communicate? How often it runs is no matter of the text.
bool meets_inside(const Graph& graph) {
  return std::any_of(graph.nested.begin(), graph.nested.end(), [](const Graph& inner) {
    return meets_inside(inner) || std::any_of(inner.statements.begin(), inner.statements.end(), [](const Statement& s) { return s.target.find("c10d") != std::string::npos; });
  });
}

/// Messages by sender, receiver and tag.
using Mail = std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::vector<std::pair<std::int64_t, std::size_t>>>;

void check_receives(const std::vector<Graph>& ranks) {
  Mail sent, received;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const auto rank = static_cast<std::int64_t>(r);
    for (std::size_t k = 0; k < ranks[r].statements.size(); ++k) {
      const Statement& s = ranks[r].statements[k];
      if (!is_transfer(s)) continue;
      const bool send = s.target == "_c10d_functional.isend.default";
      const std::int64_t peer = s.arguments[1].integer, tag = s.arguments[2].integer;
      if (send) sent[{rank, peer, tag}].emplace_back(rank, k);
      else received[{peer, rank, tag}].emplace_back(rank, k);
    }
  }
  for (const auto& [key, waiting] : received) {
    const std::size_t letters = sent.count(key) == 0 ? 0 : sent[key].size();
    if (waiting.size() <= letters) continue;
    RankAt here = rank_at(ranks, waiting[letters].first, waiting[letters].second);
    const std::string text = "rank " + std::to_string(here.rank) + " waits in " + place_text(here) + ": rank " + std::to_string(std::get<0>(key)) + " sends it " +
                             (letters == 0 ? "nothing" : "only " + std::to_string(letters)) + " under tag " + std::to_string(std::get<2>(key));
    throw RanksHang(std::move(here), std::nullopt, text);
  }
}

}  // namespace

Queues check_meetings(const std::vector<Graph>& ranks, const GraphRelation& relation) {
  const auto understood = [](const Graph& graph) { return std::all_of(graph.statements.begin(), graph.statements.end(), is_understood) && !meets_inside(graph); };
  if (!std::all_of(ranks.begin(), ranks.end(), understood)) return {std::vector<std::map<std::string, std::size_t, std::less<>>>(ranks.size()), {}};  // an unknown call may be what another rank waits for
  const Meetings meetings(ranks, relation);
  meetings.check();
  check_receives(ranks);
  meetings.check_order();
  return meetings.queued();
}

}  // namespace gg::fx
