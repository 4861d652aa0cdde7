// send, recv and their -done in HLO text. XLA tells who sends to whom in frontend_attributes (collective-permute-decomposer
// writes them); what else could change the meaning is refused. models/transfer puts collective-permutes in their place.

#include "models/hlo/instruction.h"

namespace gg::hlo {
namespace {

constexpr std::pair<std::string_view, Transfer::Kind> kTransfers[] = {{"send", Transfer::Kind::Send},
                                                                      {"send-done", Transfer::Kind::SendDone},
                                                                      {"recv", Transfer::Kind::Recv},
                                                                      {"recv-done", Transfer::Kind::RecvDone}};

constexpr std::string_view kPairs = "_xla_send_recv_source_target_pairs";
constexpr std::string_view kStream = "_xla_send_recv_pipeline";  // which stream of the device: no value hangs on it

constexpr std::pair<std::string_view, std::string_view> kRefusedAttributes[] = {
    {"_xla_send_recv_validation", "transfers that count in some iterations of a loop only are not modelled"},
    {"_xla_host_transfer_rendezvous", "transfers to and from the host are not modelled"},
    {"_xla_host_transfer_handler_name", "transfers to and from the host are not modelled"},
    {"_xla_dcn_recv_channel", "transfers between slices are not modelled"}};

}  // namespace

std::optional<Transfer::Kind> find_transfer(std::string_view opcode) {
  for (const auto& [name, kind] : kTransfers) {
    if (name == opcode) return kind;
  }
  return std::nullopt;
}

void InstructionParser::parse_transfer(Transfer::Kind kind, Instruction& instruction) {
  instruction.op = Op::CustomCall;  // a placeholder until the transfer is replaced
  Attributes attributes(Attr::CustomCallTarget, std::string("point-to-point"));
  instruction.attributes = builder_.intern(std::move(attributes));
  Transfer transfer{kind, static_cast<InstructionId>(builder_.module().size()), -1, {}};
  parse_operands();
  each_attribute([&](std::string_view name, Cursor::Spot where) {
    if (name == "channel_id") {
      transfer.channel = cursor_.integer_in(name, 0, 0x7fffffff);
    } else if (name == "frontend_attributes") {
      parse_routes(transfer);
    } else if (name == "is_host_transfer") {
      if (cursor_.value(name) != "true") return;
      throw InputError(DiagCode::UnsupportedForm, cursor_.location(where), "transfers to and from the host are not modelled");
    } else if (name == "metadata" || name == "sharding") {
      scan_attribute_named(name, where, instruction);
    } else {
      ignore_attribute(name, where, instruction);
    }
  });
  builder_.module().transfers.push_back(std::move(transfer));
}

/// `{_xla_send_recv_source_target_pairs={{0,1},{1,2}}, other="x"}`; the pairs may stand in quotes.
void InstructionParser::parse_routes(Transfer& transfer) {
  cursor_.list('{', '}', [&] {
    cursor_.skip_space();
    const Cursor::Spot where = cursor_.spot();
    const std::string_view name = cursor_.identifier();
    if (name.empty()) cursor_.unexpected("a frontend attribute");
    cursor_.expect('=');
    cursor_.skip_space();
    for (const auto& [refused, reason] : kRefusedAttributes) {
      if (refused != name) continue;
      throw InputError(DiagCode::UnsupportedForm, cursor_.location(where), std::string(reason) + " (" + std::string(name) + ")");
    }
    if (name != kPairs) {
      if (name.substr(0, 5) == "_xla_" && name != kStream) {
        throw InputError(DiagCode::UnknownAttribute, cursor_.location(where),
                         "unknown frontend attribute '" + std::string(name) + "' of a transfer");
      }
      cursor_.value(name);
      return;
    }
    const auto none = [](std::string_view) -> ComputationId { return 0; };
    if (cursor_.peek() == '"') {
      const std::string text = cursor_.quoted(name);
      Cursor inner(text, cursor_.file(), where.line);
      transfer.pairs = std::get<PairList>(parse_attribute(inner, info(Attr::SourceTargetPairs), none));
      inner.skip_space();
      if (!inner.at_end()) inner.unexpected("the end of the pairs");
    } else {
      transfer.pairs = std::get<PairList>(parse_attribute(cursor_, info(Attr::SourceTargetPairs), none));
    }
  });
}

}  // namespace gg::hlo
