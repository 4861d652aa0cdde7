// isend(x, dst, tag, group) and irecv(x, src, tag, group): peers are global ranks, the tag is the channel.
#include "models/fx/transfers.h"

#include "models/fx/aliases.h"

namespace gg::fx {
namespace {

const Type kContext = Type::array(ElementType::U32, {});

}  // namespace

std::vector<std::int64_t> TransferLowering::numbers(const Statement& statement, std::size_t k) const {
  std::vector<std::int64_t> result;
  const Argument& argument = statement.arguments[k];
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    const Argument& item = argument.kind == Argument::Kind::Table ? argument.items[r] : argument;
    if (item.kind != Argument::Kind::Integer) {
      throw InputError(DiagCode::UnsupportedForm, statement.where, statement.target + " '" + statement.name + "': argument " + std::to_string(k) + " is no integer");
    }
    result.push_back(item.integer);
  }
  return result;
}

std::optional<Value> TransferLowering::wait(const std::string& name) {
  const auto found = sent_.find(name);
  if (found == sent_.end()) return std::nullopt;
  e_.transfer(Transfer::Kind::SendDone, {found->second.start}, Type::token(), {}, found->second.channel);
  sent_.erase(found);
  return Value{};
}

void TransferLowering::finish() {
  while (!sent_.empty()) wait(std::string(sent_.begin()->first));
}

std::optional<Value> TransferLowering::lower(const Statement& statement, const std::function<Value(const std::string&)>& lookup) {
  if (is_wait(statement) && !statement.arguments.empty()) return wait(statement.arguments[0].text);
  const bool send = statement.target == "_c10d_functional.isend.default";
  if (!send && statement.target != "_c10d_functional.irecv.default") return std::nullopt;
  const auto refuse = [&](const std::string& problem) {
    throw InputError(DiagCode::UnsupportedForm, statement.where, statement.target + " '" + statement.name + "': " + problem);
  };
  if (statement.arguments.size() < 3 || statement.arguments[0].kind != Argument::Kind::Name) refuse("expected a tensor, a rank and a tag");
  const auto peers = numbers(statement, 1), tags = numbers(statement, 2);
  PairList pairs;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    if (tags[r] != tags[0] || tags[0] < 0) refuse("a tag that is negative or differs between the ranks");
    pairs.emplace_back(send ? ranks_[r] : peers[r], send ? peers[r] : ranks_[r]);
  }
  const std::int64_t channel = tags.empty() ? 1 : tags[0] + 1;
  const NodeId token = e_.add(Op::AfterAll, {}, {}, Type::token());
  if (send) {
    const Value value = lookup(statement.arguments[0].text);
    if (value.kind != Value::Kind::Tensor) refuse("'" + statement.arguments[0].text + "' is no tensor");
    const NodeId start = e_.transfer(Transfer::Kind::Send, {value.node, token}, Type::tuple({e_.type(value.node), kContext, Type::token()}), pairs, channel);
    sent_[statement.name] = {start, channel};
    return Value{};
  }
  if (!statement.type) refuse("torch printed no type for its result");
  const NodeId start = e_.transfer(Transfer::Kind::Recv, {token}, Type::tuple({*statement.type, kContext, Type::token()}), pairs, channel);
  const NodeId end = e_.transfer(Transfer::Kind::RecvDone, {start}, Type::tuple({*statement.type, Type::token()}), {}, channel);
  return Value::tensor(e_.add(Op::GetTupleElement, {end}, {Attr::Index, std::int64_t{0}}));
}

}  // namespace gg::fx
