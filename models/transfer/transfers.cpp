// Reading and matching of transfers.
#include "models/transfer/transfers.h"

#include <algorithm>
#include <set>

#include "models/base/check.h"
#include "models/ir/control_flow.h"

namespace gg {
namespace {

const Type kContext = Type::array(ElementType::U32, {});

std::string ranks_text(std::int64_t source, std::int64_t target, std::int64_t channel) {
  return "from rank " + std::to_string(source) + " to rank " + std::to_string(target) +
         (channel < 0 ? " without a channel" : " on channel " + std::to_string(channel));
}

[[noreturn]] void refuse(const Location& where, const std::string& problem) {
  throw InputError(DiagCode::UnsupportedForm, where, problem);
}

/// The array that a send or recv moves.
const Type& payload(const Module& module, InstructionId id) { return module.type(id).elements.front(); }

}  // namespace

Transfers::Transfers(std::span<const RankClass> programs) : programs_(programs) {
  for (std::uint32_t p = 0; p < programs_.size(); ++p) {
    for (std::size_t k = 0; k < programs_[p].ranks.size(); ++k) {
      const bool fresh = seats_.emplace(programs_[p].ranks[k], std::pair(p, static_cast<std::int64_t>(k))).second;
      GG_CHECK(fresh, "a rank runs one program, once");
    }
  }
  for (std::uint32_t p = 0; p < programs_.size(); ++p) read(p);
  Scene entries;
  entries.entry = true;
  for (std::uint32_t p = 0; p < programs_.size(); ++p) entries.computations.emplace_back(p, programs_[p].module->entry());
  scenes_.push_back(entries);
  std::set<std::pair<std::uint32_t, ComputationId>> inner;
  for (const Endpoint& e : endpoints_) {
    if (e.computation != programs_[e.place.program].module->entry()) inner.emplace(e.place.program, e.computation);
  }
  for (const auto& computation : inner) scenes_.push_back({{computation}, false});
  for (const Scene& scene : scenes_) match(scene);
  for (std::uint32_t p = 0; p < programs_.size(); ++p) check_calls(p);
}

const Endpoint* Transfers::at(Place place) const {
  const auto found = by_place_.find(place);
  return found == by_place_.end() ? nullptr : &endpoints_[found->second];
}

std::optional<Transfers::Partner> Transfers::partner(const Endpoint& endpoint, std::int64_t rank) const {
  const auto found = partners_.find({static_cast<std::size_t>(&endpoint - endpoints_.data()), rank});
  if (found == partners_.end()) return std::nullopt;
  for (const auto& [source, target] : endpoint.pairs) {
    if ((endpoint.send ? source : target) == rank) return Partner{&endpoints_[found->second], endpoint.send ? target : source};
  }
  return std::nullopt;
}

std::string Transfers::text(Place place) const {
  const RankClass& program = programs_[place.program];
  return "'%" + std::string(program.module->name_of(place.id)) + "'" + (program.name.empty() ? "" : " of " + program.name);
}

std::optional<std::pair<std::uint32_t, std::int64_t>> Transfers::seat(std::int64_t rank) const {
  if (seats_.empty()) return std::pair(std::uint32_t{0}, rank);
  const auto found = seats_.find(rank);
  return found == seats_.end() ? std::nullopt : std::optional(found->second);
}

void Transfers::read(std::uint32_t program) {
  const Module& module = *programs_[program].module;
  for (const Transfer& transfer : module.transfers) {
    check_form(program, transfer);
    const Place place{program, transfer.instruction};
    const bool send = transfer.kind == Transfer::Kind::Send;
    if (send || transfer.kind == Transfer::Kind::Recv) {
      Endpoint endpoint{place, {program, kNone}, module.computation_of(place.id), send, transfer.channel, {}};
      if (transfer.pairs.empty()) {
        throw InputError(DiagCode::MissingAttribute, where(place),
                         text(place) + " does not say who sends to whom (_xla_send_recv_source_target_pairs)");
      }
      own_pairs(endpoint, transfer.pairs);
      by_place_[place] = endpoints_.size();
      endpoints_.push_back(std::move(endpoint));
      continue;
    }
    const auto start = by_place_.find({program, module.operands(place.id)[0]});
    const bool ends_send = transfer.kind == Transfer::Kind::SendDone;
    if (start == by_place_.end() || endpoints_[start->second].send != ends_send || endpoints_[start->second].done.id != kNone) {
      refuse(where(place), text(place) + (ends_send ? " does not end a send" : " does not end a recv") +
                               " of its own computation, or not as the only one: transfers that are started in one iteration of a "
                               "loop and ended in another are not modelled");
    }
    Endpoint& endpoint = endpoints_[start->second];
    if (transfer.channel >= 0 && transfer.channel != endpoint.channel) {
      throw InputError(DiagCode::BadAttribute, where(place), text(place) + " has another channel_id than what it ends");
    }
    endpoint.done = place;
    by_place_[place] = start->second;
  }
  // What a start gives goes to its -done alone, and of a recv-done only the parts are used.
  for (InstructionId id = 0; id < module.size(); ++id) {
    for (const InstructionId operand : module.operands(id)) {
      const Endpoint* used = at({program, operand});
      if (used == nullptr || used->done.id == id) continue;
      if (used->done.id == operand && (used->send || module[id].op == Op::GetTupleElement)) continue;
      refuse(module.where(id), "'%" + std::string(module.name_of(id)) + "' takes " + text({program, operand}) +
                                   ", a transfer as a value: only its -done and get-tuple-element may");
    }
  }
  for (const Endpoint& e : endpoints_) {
    if (e.place.program != program) continue;
    if (e.done.id == kNone) {
      refuse(where(e.place), text(e.place) +
                                 " is not ended in its own computation: transfers that are started in one iteration of a loop "
                                 "and ended in another are not modelled");
    }
    const InstructionId root = module.computation(e.computation).root;
    if (root == e.place.id || (root == e.done.id && !e.send)) refuse(module.where(root), text({program, root}) + " is the root of its computation");
  }
}

void Transfers::check_form(std::uint32_t program, const Transfer& transfer) {
  const Module& module = *programs_[program].module;
  const InstructionId id = transfer.instruction;
  const auto operands = module.operands(id);
  const Type& type = module.type(id);
  const auto bad = [&](const std::string& wanted) {
    throw InputError(DiagCode::BadOperand, module.where(id), text({program, id}) + " must be " + wanted);
  };
  const auto context = [&](const Type& data) { return data.is_array() && type == Type::tuple({data, kContext, Type::token()}); };
  switch (transfer.kind) {
    case Transfer::Kind::Send:
      if (operands.size() != 2 || !(module.type(operands[1]) == Type::token()) || !context(module.type(operands[0]))) {
        bad("(T, u32[], token[]) send(T, token[]) of an array T");
      }
      break;
    case Transfer::Kind::Recv:
      if (operands.size() != 1 || !(module.type(operands[0]) == Type::token()) || type.elements.empty() || !context(type.elements[0])) {
        bad("(T, u32[], token[]) recv(token[]) of an array T");
      }
      break;
    case Transfer::Kind::SendDone:
      if (operands.size() != 1 || !(type == Type::token())) bad("token[] send-done(the send)");
      break;
    case Transfer::Kind::RecvDone: {
      if (operands.size() != 1) bad("(T, token[]) recv-done(the recv)");
      const Type& from = module.type(operands[0]);
      if (from.elements.empty() || !(type == Type::tuple({from.elements[0], Type::token()}))) bad("(T, token[]) recv-done(the recv)");
      break;
    }
  }
}

void Transfers::own_pairs(Endpoint& endpoint, const PairList& pairs) const {
  std::set<std::int64_t> sources, targets;
  for (const auto& [source, target] : pairs) {
    const bool twice = !sources.insert(source).second || !targets.insert(target).second;
    const std::int64_t missing = !seat(source) ? source : target;
    if (twice || !seat(missing)) {
      throw InputError(DiagCode::BadPermute, where(endpoint.place),
                       text(endpoint.place) + ": rank " + std::to_string(twice ? source : missing) +
                           (twice ? ", or its target, occurs twice in the pairs" : " of its pairs runs none of the programs"));
    }
    if (seat(endpoint.send ? source : target)->first == endpoint.place.program) endpoint.pairs.emplace_back(source, target);
  }
  if (!endpoint.pairs.empty()) return;
  throw InputError(DiagCode::BadTransfer, where(endpoint.place),
                   text(endpoint.place) + (endpoint.send ? " has no pair whose source" : " has no pair whose target") +
                       " is a rank that runs this program",
                   {"pairs count the ranks of all programs, not those of one"});
}

void Transfers::match(const Scene& scene) {
  std::map<Route, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> routes;
  for (std::size_t k = 0; k < endpoints_.size(); ++k) {
    const Endpoint& e = endpoints_[k];
    if (std::find(scene.computations.begin(), scene.computations.end(), std::pair(e.place.program, e.computation)) == scene.computations.end()) continue;
    for (const auto& [source, target] : e.pairs) {
      auto& [sends, recvs] = routes[{source, target, e.channel}];
      (e.send ? sends : recvs).push_back(k);
    }
  }
  for (const auto& [route, lists] : routes) {
    const auto& [sends, recvs] = lists;
    if (sends.size() != recvs.size()) unmatched(scene, route, sends, recvs);
    for (std::size_t k = 0; k < sends.size(); ++k) {
      const Endpoint &from = endpoints_[sends[k]], &to = endpoints_[recvs[k]];
      const Type& sent = payload(*programs_[from.place.program].module, from.place.id);
      const Type& wanted = payload(*programs_[to.place.program].module, to.place.id);
      if (!(sent == wanted)) {
        const auto [source, target, channel] = route;
        throw InputError(DiagCode::BadTransfer, where(to.place),
                         text(to.place) + " receives " + to_string(wanted) + ", but transfer " + std::to_string(k + 1) + " " +
                             ranks_text(source, target, channel) + " is " + to_string(sent),
                         {"sent by " + text(from.place)});
      }
      partners_[{sends[k], std::get<0>(route)}] = recvs[k];
      partners_[{recvs[k], std::get<1>(route)}] = sends[k];
    }
  }
}

void Transfers::unmatched(const Scene& scene, const Route& route, std::span<const std::size_t> sends,
                          std::span<const std::size_t> recvs) const {
  const auto [source, target, channel] = route;
  const bool more_sends = sends.size() > recvs.size();
  const Endpoint& extra = endpoints_[more_sends ? sends[recvs.size()] : recvs[sends.size()]];
  const std::string counts = ranks_text(source, target, channel) + " there are " + std::to_string(sends.size()) + " sends and " +
                             std::to_string(recvs.size()) + " recvs";
  if (!scene.entry) {
    refuse(where(extra.place), text(extra.place) + " has no partner in its own computation (" + counts +
                                   "): transfers of loops and calls are modelled only where both ends stand in the same one");
  }
  throw InputError(DiagCode::BadTransfer, where(extra.place), text(extra.place) + " meets nobody: " + counts,
                   {"a send and its recv have the same pair of ranks and the same channel_id"});
}

void Transfers::check_calls(std::uint32_t program) {
  const Module& module = *programs_[program].module;
  std::map<ComputationId, std::set<Route>> own;
  for (const Endpoint& e : endpoints_) {
    if (e.place.program != program) continue;
    for (const auto& [source, target] : e.pairs) own[e.computation].emplace(source, target, e.channel);
  }
  if (own.empty()) return;
  std::map<ComputationId, std::set<Route>> inside;  // with those of what it calls
  const auto collect = [&](const auto& self, ComputationId id) -> const std::set<Route>& {
    if (const auto known = inside.find(id); known != inside.end()) return known->second;
    std::set<Route>& routes = inside[id] = own[id];
    const Computation& c = module.computation(id);
    std::map<Route, std::int64_t> pending;  // sent, not yet received
    for (InstructionId k = c.first; k < c.first + c.count; ++k) {
      const Endpoint* e = at({program, k});
      if (e != nullptr && e->place.id == k) {
        for (const auto& [source, target] : e->pairs) pending[{source, target, e->channel}] += e->send ? 1 : -1;
      }
      for (const ComputationId called : computations_of(module, k)) {
        for (const Route& route : self(self, called)) {
          if (pending[route] != 0) {
            refuse(module.where(k), text({program, k}) + " transfers " +
                                        ranks_text(std::get<0>(route), std::get<1>(route), std::get<2>(route)) +
                                        " while an earlier transfer of the same ranks and channel is open");
          }
          routes.insert(route);
        }
      }
    }
    return routes;
  };
  for (ComputationId id = 0; id < module.computations().size(); ++id) collect(collect, id);
}

}  // namespace gg
