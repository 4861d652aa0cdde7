// Repairs that follow from kin (harness/pinpoint/kin.h).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/pinpoint/kin.h"
#include "harness/pinpoint/told_edits.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"
#include "runtime/value.h"

namespace gg::pinpoint {
namespace {

constexpr int kReduction = 16;  ///< after what the catalogue has for a collective that stands in the wrong place
constexpr int kMeans = 38;      ///< a mean over ranks where the value should be one: after what the catalogue has where it comes up
constexpr int kMean = 18;       ///< a sum where a mean is right; after other numbers beside it
constexpr int kFactor = 25;
constexpr int kOrder = 20;
constexpr int kEverywhere = 26;          ///< the same edit at several places
constexpr int kAlike = 2;                ///< more at every instruction of one line of the program
constexpr std::size_t kMostOrders = 40;  ///< places behind a value in another order
constexpr std::size_t kMostOrigins = 4;
constexpr std::size_t kMostMessages = 12;
constexpr std::size_t kMostMoves = 48;

class Telling : private ToldEdits {
 public:
  Telling(const Context& context, const Kinship& kinship, bool any_factor)
      : ToldEdits(context), kinship_(kinship), values_(context.trace()->distributed().values()), any_factor_(any_factor) {}

  std::vector<Repair> run() {
    std::vector<ValueId> known;
    for (const ValueId source : kinship_.sources()) {
      if (kinship_.known(source)) known.push_back(source);
      else known.insert(known.end(), values_[source].operands.begin(), values_[source].operands.end());
    }
    for (const ValueId id : known) look_at(id);
    everywhere();
    for (const ValueId id : known) rearrange(id);
    exchange_messages();
    std::stable_sort(moves_.begin(), moves_.end(), [](const Repair& a, const Repair& b) { return a.cost < b.cost; });
    if (moves_.size() > kMostMoves) moves_.resize(kMostMoves);
    std::vector<Repair> all = std::move(single_);
    for (std::vector<Repair>* more : {&joint_, &moves_}) all.insert(all.end(), more->begin(), more->end());
    std::stable_sort(all.begin(), all.end(), [](const Repair& a, const Repair& b) { return a.cost < b.cost; });
    for (Repair& r : all) r.told = true;
    return all;
  }

 private:
  using Places = std::map<std::string, std::vector<Repair>>;  ///< single repairs by kind
  InstructionId at(ValueId id) const { return values_[id].instance.instruction; }
  bool array(InstructionId id) const { return context_.type(id).is_array(); }

  /// What the value needs to be the sequential one, at the place where that comes up.
  void look_at(ValueId id) {
    const Kin* kin = kinship_.of(id);
    if (kin == nullptr || (kin->partial.empty() && (kin->factor == 1 || !(any_factor_ || ranks(kin->factor))))) return;
    const std::vector<Step> near = origins({id, kin->factor}, *kin);
    for (const Step& step : near) {
      if (const auto open = unbounded(moved_from(step.first))) put({*open, step.second}, *kin, farther_);
    }
    for (const Step& step : near) {
      for (const Step& far : origins({moved_from(step.first), step.second}, *kin)) put(far, *kin, far_);
    }
    for (const Step& step : near) put(step, *kin, near_);
  }

  using Step = std::pair<ValueId, double>;  ///< a value and its factor

  /// The values behind `id` where its factor, or that it is partial, comes up: the first ones on the way; where they are many, the one
  /// that they meet in.
  std::vector<Step> origins(Step from, const Kin& kin) const {
    std::set<ValueId> seen;
    std::vector<Step> first, todo = {from};
    while (!todo.empty()) {
      const Step at = todo.back();
      todo.pop_back();
      if (!seen.insert(at.first).second) continue;
      const auto before = alike_before(at, kin);
      if (before.empty()) first.push_back(at);
      todo.insert(todo.end(), before.begin(), before.end());
    }
    std::sort(first.begin(), first.end());
    if (first.size() == 1 || (kin.partial.empty() && first.size() <= kMostOrigins)) return first;
    Step meet = from;
    for (auto before = alike_before(meet, kin); before.size() == 1; before = alike_before(meet, kin)) meet = before.front();
    return {meet};
  }

  /// Operands that are partial like it, or have its factor, or what a constant makes that of. A value that is right as another one of
  /// the sequential program is the last on the way.
  std::vector<Step> alike_before(const Step& at, const Kin& kin) const {
    std::vector<Step> before;
    const auto [id, factor] = at;
    const bool reduction = !kin.partial.empty();
    const Kin* own = kinship_.of(id);
    if (!reduction && own != nullptr && own->factor == 1 && own->plain) return before;
    if (!reduction && is_collective(this->at(id)) && ranks(factor)) return before;  // a mean would be right
    const double constant = by_constant(this->at(id));
    for (const ValueId operand : values_[id].operands) {
      const Kin* k = kinship_.of(operand);
      if (k == nullptr) continue;
      if (reduction) {
        if (k->partial == kin.partial && k->sum == kin.sum && (!is_mean(kin) || k->factor == kin.factor)) before.emplace_back(operand, factor);
        continue;
      }
      for (const double f : {factor, factor / constant}) {
        if (f == 1 || !(k->factor == f || std::find(k->also.begin(), k->also.end(), f) != k->also.end())) continue;
        before.emplace_back(operand, f);
        break;
      }
    }
    return before;
  }

  /// What was only moved from there, as pieces of a larger value perhaps.
  ValueId moved_from(ValueId id) const { return DivergenceTrace::origin(context_.trace()->distributed(), id); }

  /// What a bound that holds nothing back in this run was put on: a count that is at least 1.
  std::optional<ValueId> unbounded(ValueId id) const {
    const DivergenceTrace& trace = *context_.trace();
    const Op op = trace.op(id);
    if (op != mutation::kLargest && op != mutation::kSmallest) return std::nullopt;
    const auto& operands = values_[id].operands;
    for (std::size_t k = 0; k < 2; ++k) {
      const Buffer *bounded = trace.value(id), *free = trace.value(operands[k]);
      if (!trace.state(operands[k]).derived || trace.state(operands[1 - k]).derived || bounded == nullptr || free == nullptr) continue;
      if (numbers_of(*bounded) == numbers_of(*free)) return moved_from(operands[k]);
    }
    return std::nullopt;
  }

  /// The result of the statement of which the instruction is a piece, where that only moves it.
  InstructionId outward(InstructionId id) const {
    const Module& module = context_.module();
    for (;;) {
      const auto& users = context_.users(id);
      if (users.size() != 1 || module[users[0]].line != module[id].line || module.operands(users[0]).size() != 1) return id;
      if (!moves_one(module, users[0]) || module.type(users[0]).count() != module.type(id).count()) return id;
      id = users[0];
    }
  }

  bool read_by_collective(InstructionId place) const {
    const InstructionId user = context_.user_behind_copies(place);
    return user != kNone && is_collective(user);
  }

  /// Keeps the repair, and the same one at all instructions of its line of the program.
  void put(const Step& step, const Kin& kin, Places& places) {
    const ValueId id = step.first;
    const bool reduction = !kin.partial.empty();
    const InstructionId place = outward(at(id));
    if (reduction && (read_by_collective(place) || (kin.sum && summed_later(context_, place, context_.digit_set(kin.partial).groups)))) return;
    ++served_[place];
    const std::string kind = reduction ? fmt::format("{} over {}", is_mean(kin) ? "mean" : kin.sum ? "sum"
                                                                                                   : "maximum",
                                                     context_.trace()->digit_names(kin.partial))
                                       : fmt::format("factor {}", kin.factor);
    if (!array(place) || (!reduction && !context_.is_float_array(place)) || !seen_.insert({place, kind}).second) return;
    const auto made = [&](InstructionId where) { return reduction ? reduced(where, kin) : scaled(where, kin); };
    Repair single = made(place);
    single.cost += cost(place, kin) + (&places == &near_ ? 1 : &places == &farther_ ? -1
                                                                                    : 0);
    places[kind].push_back(single);
    single_.push_back(single);
    std::vector<Repair> alike = {std::move(single)};
    for (const InstructionId other : of_the_line(place)) alike.push_back(made(other));
    if (alike.size() > 1) joint_.push_back(joined(context_, alike, together(alike.front(), true)));
  }

  int cost(InstructionId place, const Kin& kin) const {
    if (!kin.partial.empty()) return is_mean(kin) ? kMeans : kReduction;
    const bool collective = is_collective(place);
    return collective && by_constant(behind_moves(context_.module(), context_.module().operands(place)[0])) == 1 ? kMean : kFactor;
  }

  /// The cost of a repair at several places.
  static int together(const Repair& first, bool line) { return std::max(first.cost, line ? std::min(kEverywhere, first.cost + kAlike) : kEverywhere); }

  /// Repairs of the same kind at all places that need it.
  void everywhere() {
    for (const Places* places : {&farther_, &far_, &near_}) {
      for (const auto& [kind, repairs] : *places) {
        std::vector<Repair> all = repairs, sums;  // a count that is not summed tells more than the sum that it divides
        std::stable_partition(all.begin(), all.end(), [](const Repair& r) { return r.diagnosis == Diagnosis::MeanOfMeans; });
        if (all.front().kind != FindingKind::Missing) {  // first what most of the wrong outputs come from
          std::stable_sort(all.begin(), all.end(), [&](const Repair& a, const Repair& b) { return served_.at(a.at) > served_.at(b.at); });
        }
        std::copy_if(all.begin(), all.end(), std::back_inserter(sums), [&](const Repair& r) { return is_collective(r.at); });
        for (const std::vector<Repair>& some : {all, sums.size() < all.size() ? sums : std::vector<Repair>{}}) {
          if (some.size() > 1) joint_.push_back(joined(context_, some, together(some.front(), one_line(some))));
        }
      }
    }
  }

  /// An exchange of two parts of a dimension where the elements stand in another order, behind what they come from.
  void rearrange(ValueId id) {
    std::set<ValueId> seen;
    std::vector<ValueId> todo = {id};
    for (std::size_t k = 0; k < todo.size() && k < kMostOrders; ++k) {
      const Kin* kin = kinship_.of(todo[k]);
      if (kin == nullptr || kin->plain || !seen.insert(todo[k]).second) continue;
      if (at_exchange(todo[k])) reorder(at(todo[k]), static_cast<int>(k));
      for (const ValueId operand : values_[todo[k]].operands) todo.push_back(operand);
    }
  }

  /// What an exchange of blocks brings, or sends.
  bool at_exchange(ValueId id) const {
    const auto exchanges = [&](InstructionId i) { return is_exchange(context_.module(), i) || is_gather_of_ranks(context_.module(), i); };
    const auto& users = context_.users(at(id));
    return exchanges(at(id)) || std::any_of(users.begin(), users.end(), exchanges);
  }

  void reorder(InstructionId place, int distance) {
    if (!context_.is_float_array(place)) return;
    const Type& type = context_.type(place);
    for (const AxisSet& axes : context_.axes()) {
      const std::int64_t n = axes.size;
      if (type.dims.empty() || type.dims[0] % n != 0) continue;
      const std::int64_t rest = type.dims[0] / n;
      for (std::int64_t other = 2; other <= rest; ++other) {
        if (rest % other != 0) continue;
        for (const auto& [a, b] : {std::pair(n, other), std::pair(other, n)}) {
          if (!seen_.insert({place, fmt::format("order {} {}", a, b)}).second) continue;
          moves_.push_back(in_order(place, a, b));
          moves_.back().cost = kOrder + distance / 4;
        }
      }
    }
  }

  /// A value received from another rank, or from another program: a copy of what stands in that one's text.
  bool brings_message(InstructionId id) const {
    const Module& module = context_.module();
    if (!array(id) || module.operands(id).size() != 1) return false;
    return is_message(module, id) || (is_copy(module, id) && module.where(id).file != module.where(module.operands(id)[0]).file);
  }

  /// Two messages between the same ranks carry each other's value.
  void exchange_messages() {
    const Module& module = context_.module();
    std::vector<InstructionId> messages;
    for (InstructionId id = 0; id < module.size() && messages.size() < kMostMessages; ++id) {
      if (brings_message(id)) messages.push_back(id);
    }
    for (std::size_t a = 0; a < messages.size(); ++a) {
      for (std::size_t b = a + 1; b < messages.size(); ++b) {
        const InstructionId first = messages[a], second = messages[b];
        if (!(module.attributes(first) == module.attributes(second)) || !(context_.type(first) == context_.type(second))) continue;
        if (module.computation_of(first) != module.computation_of(second)) continue;
        moves_.push_back(exchanged(first, second));
        moves_.back().cost = kOrder + 1;
      }
    }
  }

  const Kinship& kinship_;
  const std::vector<TracedValue>& values_;
  bool any_factor_;
  std::vector<Repair> single_, joint_, moves_;
  Places farther_, far_, near_;
  std::map<InstructionId, int> served_;  ///< how often a place was reached
  std::set<std::pair<InstructionId, std::string>> seen_;
};

}  // namespace

std::vector<Repair> told_repairs(const Context& context, const Kinship& kinship, bool any_factor) { return Telling(context, kinship, any_factor).run(); }

}  // namespace gg::pinpoint
