#include "models/fx/edit.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <set>

#include "models/base/line_of.h"
#include "models/base/text.h"
#include "models/fx/graph.h"
#include "models/fx/reduction_names.h"
#include "models/fx/scanner.h"

namespace gg::fx {
namespace {

constexpr std::string_view kCopied = ".copy.default";

struct Exchange {
  Op op;
  std::string_view name;
  bool reduces, sized;
};
constexpr Exchange kExchanges[] = {{Op::AllReduce, "all_reduce", true, false}, {Op::AllGather, "all_gather_into_tensor", false, true}, {Op::ReduceScatter, "reduce_scatter_tensor", true, true}};

class Edit {
 public:
  Edit(const Module& before, const Module& after) : before_(before), after_(after) {
    for (InstructionId id = 0; id < before.size(); ++id) old_.emplace(before.name_of(id), id);
    for (InstructionId id = 0; id < after.size(); ++id) new_.emplace(after.name_of(id), id);
  }

  std::optional<std::vector<std::string>> lines() {
    for (InstructionId id = 0; id < after_.size(); ++id) {
      if (after_.computation_of(id) != after_.entry() || after_[id].op == Op::Tuple) continue;
      const auto found = old_.find(std::string(after_.name_of(id)));
      if (found == old_.end() ? !added(id) : !changed(found->second, id)) return std::nullopt;
    }
    for (InstructionId id = 0; id < before_.size(); ++id) {
      if (before_.computation_of(id) != before_.entry() || new_.count(std::string(before_.name_of(id))) != 0) continue;
      const auto written = written_at(before_.where(id));
      if (!written) return std::nullopt;
      put("- " + written->text);
    }
    return lines_.empty() ? std::nullopt : std::optional(lines_);
  }

 private:
  void put(const std::string& line) {
    if (put_.insert(line).second) lines_.push_back(line);
  }

  static std::string graph_name(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !word_char(c); }, '_');
    return name;
  }

  bool added(InstructionId id) {
    if (number_of(id)) return true;  // of the statement that it is for
    const std::string name = graph_name(std::string(after_.name_of(id)));
    const auto text = collective(id, name), other = text ? text : arithmetic(id, name);
    if (other) put("+ " + *other);
    return other.has_value();
  }

  /// One number, spread or not.
  std::optional<double> number_of(InstructionId id) const {
    while (after_[id].op == Op::Broadcast) id = after_.operands(id)[0];
    if (after_[id].op != Op::Constant || !after_.type(id).dims.empty() || !after_.attributes(id).has(Attr::Literal)) return std::nullopt;
    const Scalar& value = after_.attributes(id).literal().values.at(0);
    return is_float(value.type) ? value.real : static_cast<double>(value.integer);
  }

  /// A factor, or elements in another order.
  std::optional<std::string> arithmetic(InstructionId id, const std::string& name) const {
    const auto operands = after_.operands(id);
    if (operands.empty()) return std::nullopt;
    std::string call, argument;
    const auto list = [](const IntList& values) { return "[" + joined_text(values) + "]"; };
    switch (after_[id].op) {
      case Op::Multiply:
      case Op::Divide: {
        const auto number = number_of(operands[1]);
        if (!number) return std::nullopt;
        call = after_[id].op == Op::Divide ? "div.Tensor" : "mul.Tensor";
        char digits[32];
        argument.assign(digits, std::to_chars(digits, digits + sizeof digits, *number).ptr);
        break;
      }
      case Op::Reshape: call = "reshape.default", argument = list(after_.type(id).dims); break;
      case Op::Transpose: call = "permute.default", argument = list(after_.attributes(id).ints(Attr::BroadcastDims)); break;
      default: return std::nullopt;
    }
    return name + ": \"" + torch_text(after_.type(id)) + "\" = torch.ops.aten." + call + "(" + graph_name(std::string(after_.name_of(operands[0]))) + ", " + argument + ")";
  }

  bool changed(InstructionId was, InstructionId now) {
    const bool same = before_.attributes(was) == after_.attributes(now) || before_[was].op == Op::Parameter;
    std::vector<std::pair<std::string, std::string>> renamed;
    const auto a = before_.operands(was), b = after_.operands(now);
    if (before_[was].op != after_[now].op || a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (before_.name_of(a[k]) != after_.name_of(b[k])) renamed.emplace_back(before_.name_of(a[k]), graph_name(std::string(after_.name_of(b[k]))));
    }
    const bool exchanges = std::any_of(std::begin(kExchanges), std::end(kExchanges), [&](const Exchange& f) { return f.op == before_[was].op; });
    if (exchanges ? collective(now, "x") == collective_of(before_, was, "x") && renamed.empty() : same && renamed.empty()) return true;
    const auto written = written_at(before_.where(was));
    if (!written) return false;
    std::optional<std::string> text = exchanges ? collective(now, std::string(after_.name_of(now))) : same ? with_operands(written->text, before_.where(was), renamed)
                                                                                                           : std::nullopt;
    if (!text) return false;
    put("- " + written->text);
    put("+ " + *text);
    return true;
  }

  std::optional<std::string> collective(InstructionId id, const std::string& name) const { return collective_of(after_, id, name); }

  std::optional<std::string> collective_of(const Module& module, InstructionId id, const std::string& name) const {
    const auto row = std::find_if(std::begin(kExchanges), std::end(kExchanges), [&](const Exchange& f) { return f.op == module[id].op; });
    const Attributes& attributes = module.attributes(id);
    if (row == std::end(kExchanges) || module.operands(id).size() != 1) return std::nullopt;
    if (row->sized && attributes.ints(Attr::BroadcastDims) != IntList{0}) return std::nullopt;
    const auto& groups = attributes.groups();
    std::string arguments = graph_name(std::string(module.name_of(module.operands(id)[0])));
    if (row->reduces) {
      const InstructionId root = module.computation(attributes.computations(Attr::ToApply).at(0)).root;
      const auto reduction = std::find_if(std::begin(kReductions), std::end(kReductions), [&](const Reduction& r) { return r.op == module[root].op && !r.mean; });
      if (reduction == std::end(kReductions)) return std::nullopt;
      arguments += ", '" + std::string(reduction->name) + "'";
    }
    if (row->sized) arguments += ", " + std::to_string(groups.groups.empty() ? 1 : groups.groups[0].size());
    return name + ": \"" + torch_text(module.type(id)) + "\" = torch.ops._c10d_functional." + std::string(row->name) + ".default(" + arguments + ", " + group_name(groups) + ")";
  }

  /// What the graph calls a group: as some collective over the same ranks does.
  std::string group_name(const ReplicaGroups& groups) const {
    for (InstructionId id = 0; id < before_.size(); ++id) {
      if (!before_.attributes(id).has(Attr::ReplicaGroups) || !(before_.attributes(id).groups().groups == groups.groups)) continue;
      const auto written = written_at(before_.where(id));
      const std::size_t end = written ? written->text.rfind('\'') : std::string::npos;
      if (end == std::string::npos || end + 2 != written->text.size()) continue;
      const std::size_t start = written->text.rfind('\'', end - 1);
      return written->text.substr(start, end + 1 - start);
    }
    return "<group of " + joined_text(groups.groups, ", ", [](const auto& group) { return "[" + joined_text(group) + "]"; }) + ">";
  }

  /// The statement with other operands. A name that stands for the same value (what is waited for, an alias) is that operand too.
  std::optional<std::string> with_operands(const std::string& text, const Location& where, const std::vector<std::pair<std::string, std::string>>& renamed) {
    std::string result;
    bool done = false;
    for (std::size_t at = text.find("torch.ops."), start = 0;; start = at) {
      if (start == 0) {
        result = text.substr(0, at = text.find('(', at));
        continue;
      }
      if (at >= text.size()) break;
      while (at < text.size() && !word_char(text[at])) ++at;
      result += text.substr(start, at - start);
      const std::size_t word = at;
      while (at < text.size() && word_char(text[at])) ++at;
      const std::string name = text.substr(word, at - word), value = value_of(name, where.file);
      const auto other = std::find_if(renamed.begin(), renamed.end(), [&](const auto& r) { return r.first == value; });
      done = done || other != renamed.end();
      result += other == renamed.end() ? name : other->second;
    }
    return done ? std::optional(result) : std::nullopt;
  }

  /// The instruction that a name of the graph stands for.
  std::string value_of(std::string name, const std::string& file) {
    const auto& first = first_arguments(file);
    for (int k = 0; k < 16 && old_.count(name) == 0; ++k) {
      const auto found = first.find(name);
      if (found == first.end()) break;
      name = found->second;
    }
    return name;
  }

  const std::map<std::string, std::string>& first_arguments(const std::string& file) {
    if (!read_.insert(file).second) return first_;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
      const std::size_t call = line.find(" = torch.ops."), open = line.find('(', call);
      const std::size_t colon = line.rfind(": \"", call);
      if (call == std::string::npos || open == std::string::npos || colon == std::string::npos) continue;
      std::size_t start = colon, end = open + 1;
      while (start > 0 && word_char(line[start - 1])) --start;
      while (end < line.size() && word_char(line[end])) ++end;
      std::size_t from = open + 1;
      if (line.compare(open - kCopied.size(), kCopied.size(), kCopied) == 0 && line.compare(end, 2, ", ") == 0) {  // what is copied
        from = end + 2;
        for (end = from; end < line.size() && word_char(line[end]);) ++end;
      }
      first_.emplace(line.substr(start, colon - start), line.substr(from, end - from));
    }
    return first_;
  }

  const Module &before_, &after_;
  std::map<std::string, InstructionId> old_, new_;
  std::vector<std::string> lines_;
  std::set<std::string> put_, read_;
  std::map<std::string, std::string> first_;  // of the calls of a file
};

}  // namespace

std::optional<Written> written_at(const Location& where) {
  if (where.line == 0 || where.column == 0 || where.file.empty()) return std::nullopt;
  const auto line = line_of(where.file, where.line);
  if (!line || where.column > line->size()) return std::nullopt;
  std::string text(line->substr(where.column - 1));
  const std::size_t call = text.find(" = torch.ops."), open = text.find('(', call), close = text.rfind(')');
  if (call == std::string::npos || open == std::string::npos || close == std::string::npos) return std::nullopt;
  const std::size_t tail = text.find(");  ", open);
  text.resize(std::min(tail, close) + 1);
  constexpr std::string_view kCall = " = torch.ops.";
  return Written{text, text.substr(call + kCall.size(), open - call - kCall.size())};
}

std::optional<std::vector<std::string>> edit_text(const Module& before, const Module& after) { return Edit(before, after).lines(); }

}  // namespace gg::fx
