#include "models/fx/spoken.h"

#include <algorithm>
#include <map>
#include <set>

#include "models/fx/edit.h"
#include "models/op/facts.h"

namespace gg::fx {
namespace {

bool name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-'; }

/// `r0.` of a program of its own.
std::size_t rank_prefix(const std::string& name) {
  std::size_t k = 1;
  while (k < name.size() && std::isdigit(static_cast<unsigned char>(name[k])) != 0) ++k;
  return name[0] == 'r' && k > 1 && k < name.size() && name[k] == '.' ? k + 1 : 0;
}

/// What an instruction is of its statement: `dot` of `addmm_1.dot`; "" where it is named as a node.
std::string piece_of(const std::string& name) {
  const std::size_t dot = name.find('.', rank_prefix(name));
  if (dot == std::string::npos) return "";
  const std::size_t end = name.find('.', dot + 1);
  return name.substr(dot + 1, end == std::string::npos ? std::string::npos : end - dot - 1);
}

/// Is this piece what its statement gives, moved at most? Else it lies inside, where the statement makes more of it.
bool is_given(const Module& module, InstructionId id, const std::string& node) {
  while (!piece_of(std::string(module.name_of(id))).empty()) {
    InstructionId inner = kNone;
    for (InstructionId user = 0; user < module.size(); ++user) {
      const auto operands = module.operands(user);
      if (std::find(operands.begin(), operands.end(), id) == operands.end()) continue;
      if (node_of(module, user) != node) return true;
      if (inner != kNone || operands.size() != 1 || !moves_elements(module[user].op) || module.type(user).count() != module.type(id).count()) return false;
      inner = user;
    }
    if (inner == kNone) return true;
    id = inner;
  }
  return true;
}

/// Does the text go on with a value behind which something stands or is put?
bool behind_value(const std::string& text) { return text.ends_with("after ") || text.ends_with("likewise ") || text.ends_with("likewise at "); }

/// An instruction that a text names.
struct Mention {
  std::size_t start, end;  ///< in the text
  InstructionId id;
  std::string node;  ///< "" where it was not read from a graph
};

}  // namespace

std::string node_of(const Module& module, InstructionId id) {
  const auto written = written_at(module.where(id));
  if (!written) return "";
  const std::string name(module.name_of(id));
  return name.substr(0, rank_prefix(name)) + written->text.substr(0, written->text.find_first_of(" :"));
}

std::string spoken(const Module& module, const std::string& given) {
  std::map<std::string, InstructionId> ids;
  for (InstructionId id = 0; id < module.size(); ++id) ids.emplace(module.name_of(id), id);
  std::string text = given;
  std::vector<Mention> mentions;
  constexpr std::string_view kConsumed = " (consumed by ";
  for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && name_char(text[end])) ++end;
    while (end > at + 1 && (text[end - 1] == '.' || text[end - 1] == '-')) --end;  // of the sentence
    const auto found = ids.find(text.substr(at + 1, end - at - 1));
    if (found == ids.end()) continue;
    Mention mention{at, end, found->second, node_of(module, found->second)};
    const bool consumer = !mentions.empty() && at == mentions.back().end + kConsumed.size() && text.compare(mentions.back().end, kConsumed.size(), kConsumed) == 0;
    if (consumer && !mention.node.empty() && mention.node == mentions.back().node && text[end] == ')') {  // pieces of one statement
      text.erase(mentions.back().end, end + 1 - mentions.back().end);
      at = mentions.back().end - 1;
      continue;
    }
    mentions.push_back(std::move(mention));
  }
  std::map<std::string, std::set<InstructionId>> pieces;
  for (const Mention& m : mentions) pieces[m.node].insert(m.id);
  const std::string entry = std::string(module.string(module.computation(module.entry()).name)) + "/";
  std::string result;
  std::size_t done = 0;
  for (const Mention& m : mentions) {
    result += text.substr(done, m.start - done);
    done = m.end;
    const std::string name(module.name_of(m.id));
    std::string piece = piece_of(name);
    if (module[m.id].op == Op::Constant && piece.find_first_not_of("0123456789") == std::string::npos) piece.clear();  // `constant.6` stands in no text
    const bool after_entry = result.size() >= entry.size() && result.compare(result.size() - entry.size(), entry.size(), entry) == 0;
    if (!m.node.empty() && after_entry) result.resize(result.size() - entry.size());
    if (m.node.empty() || piece.empty()) result += module[m.id].op == Op::Constant && !m.node.empty() ? "the constant of %" + m.node : "%" + name;
    else if (module[m.id].op == Op::Constant || pieces[m.node].size() > 1 || (behind_value(result) && !is_given(module, m.id, m.node))) result += "the " + piece + " of %" + m.node;
    else result += "%" + m.node;
  }
  return result + text.substr(done);
}

}  // namespace gg::fx
