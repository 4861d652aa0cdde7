// Instructions: operands by name, attributes by their text.
#include "models/hlo/instruction.h"

#include <algorithm>
#include <array>

#include "models/hlo/print_values.h"
#include "models/hlo/sharding.h"

namespace gg::hlo {
namespace {

constexpr std::size_t kMaxKey = 1U << 16U;  // longer attribute texts (large constants) are not worth remembering

struct Ignored {
  std::string_view name;
  std::string_view value;  ///< only this value may be ignored; empty: any
};

constexpr std::array kIgnored = {
#define IGNORED(name, value, reason) Ignored{name, value},
#define IGNORED_HEADER(name, printed, reason)
#include "models/hlo/ignored_attributes.def"
#undef IGNORED
#undef IGNORED_HEADER
};

/// Operators that take or give complex numbers only.
constexpr std::array<std::string_view, 4> kComplex = {"complex", "fft", "imag", "real"};

/// Known operators that are refused, and why.
constexpr std::pair<std::string_view, std::string_view> kRefused[] = {
#define UNSUPPORTED(name, reason) {name, reason},
#include "models/hlo/unsupported.def"
#undef UNSUPPORTED
};

/// Two spellings of one computation in two instructions: `X-start` computes, `X-done` (and `X-update`) hand on.
struct Async {
  std::optional<Op> op;  ///< of a start
  int result = -1;       ///< position of the result in the start's tuple; -1: the type itself
};

std::optional<Async> find_async(std::string_view opcode) {
  if (opcode == "send-done" || opcode == "recv-done") return std::nullopt;
  if (opcode.ends_with("-done") || opcode.ends_with("-update")) return Async{Op::OptimizationBarrier, -1};
  if (!opcode.ends_with("-start")) return std::nullopt;
  const std::string_view base = opcode.substr(0, opcode.size() - 6);
  if (base == "async") return Async{Op::Fusion, 1};
  if (base == "copy") return Async{Op::Copy, 0};
  if (base == "all-reduce") return Async{Op::AllReduce, -1};
  const auto op = find_op(base);
  return op ? std::optional(Async{op, 1}) : std::nullopt;
}

bool takes_channel(Op op) {
  const auto list = attributes_of(op);
  return std::any_of(list.begin(), list.end(), [](const OpAttribute& row) { return row.attr == Attr::HasChannel; });
}

template <class T>
void append_raw(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

}  // namespace

std::pair<InstructionId, bool> InstructionParser::parse() {
  const bool root = cursor_.accept("ROOT");
  cursor_.skip_space();
  const Cursor::Spot where = cursor_.spot();
  Instruction instruction{};
  instruction.line = where.line;
  instruction.column = where.column;
  instruction.name = builder_.intern(cursor_.name("an instruction or '}'"));
  cursor_.expect('=');
  const KnownType type = known_type();
  instruction.type = type.id;
  cursor_.skip_space();
  const Cursor::Spot op_place = cursor_.spot();
  const std::string_view opcode = cursor_.identifier();
  if (opcode.empty()) cursor_.unexpected("an operator");
  operands_.clear();
  const auto async = find_async(opcode);
  async_ = async.has_value();
  if (const auto op = async ? async->op : find_op(opcode == "domain" ? "copy" : opcode)) {
    instruction.op = *op;
    if (async && async->result >= 0)
      instruction.type = element_of(instruction.type, static_cast<std::size_t>(async->result), op_place, "the start of an asynchronous operator gives a tuple of operands and results");
    scan_arguments(instruction);
    if (async_ && instruction.op == Op::OptimizationBarrier && !operands_.empty()) instruction.type = builder_.module()[operands_[0]].type;
    scan_attributes(instruction);
    instruction.attributes = resolve_attributes(instruction);
    if (instruction.op == Op::CustomCall) replace_custom_call(instruction);
    check_bitcast(instruction, type.tiled, where);
    if (reads_bits(instruction)) instruction.op = Op::BitcastConvert;
    if (async_ && info(instruction.op).traits == OpTraits::Collective) {
      builder_.module().async_starts.push_back(static_cast<InstructionId>(builder_.module().size()));
    }
  } else if (const auto transfer = find_transfer(opcode)) {
    parse_transfer(*transfer, instruction);
  } else if (std::find(kComplex.begin(), kComplex.end(), opcode) != kComplex.end()) {
    parse_complex(opcode, instruction);
  } else {
    skip_unknown_operator(opcode, op_place);
    instruction.op = Op::CustomCall;  // a placeholder: the module will be refused
    instruction.attributes = builder_.intern(Attributes{});
  }
  const InstructionId id = builder_.add(instruction, operands_);
  tiled_.push_back(type.tiled);
  define(instruction.name, id, where);
  return {id, root};
}

TypeId InstructionParser::type() { return known_type().id; }

InstructionParser::KnownType InstructionParser::known_type() {
  cursor_.skip_space();
  const Cursor::Mark start = cursor_.mark();
  const std::string_view text = scan_type(cursor_);
  const auto it = types_.find(text);
  if (it != types_.end()) return it->second;
  cursor_.reset(start);
  const TypeId id = builder_.intern(parse_type(cursor_));
  return types_.emplace(text, KnownType{id, text.find(":T(") != std::string_view::npos}).first->second;
}

/// What stands in the parentheses: operands, a parameter's number, a constant's data.
void InstructionParser::scan_arguments(Instruction& instruction) {
  key_.assign(1, static_cast<char>(instruction.op));
  pending_.clear();
  keep_key_ = true;
  if (instruction.op != Op::Parameter && instruction.op != Op::Constant) return parse_operands();
  if (instruction.op == Op::Constant) append_raw(key_, instruction.type);
  cursor_.skip_space();
  if (cursor_.peek() != '(') cursor_.unexpected("'('");
  const Cursor::Mark before = cursor_.mark();
  const std::string_view text = cursor_.balanced("the argument");
  const Cursor::Mark after = cursor_.mark();
  cursor_.reset(before);
  cursor_.expect('(');
  cursor_.skip_space();
  if (instruction.op == Op::Parameter || cursor_.rest().substr(0, 5) != "{...}") {
    const Attr attr = instruction.op == Op::Parameter ? Attr::Parameter : Attr::Literal;
    pending_.push_back({attr, cursor_.mark(), after.position - 1});
  }
  keep_key_ = text.size() <= kMaxKey;
  if (keep_key_) key_ += text;
  cursor_.reset(after);
}

void InstructionParser::scan_attributes(Instruction& instruction) {
  constraints_.clear();
  notes_.clear();
  given_notes_.clear();
  each_attribute([&](std::string_view name, Cursor::Spot where) { scan_attribute_named(name, where, instruction); });
  if (instruction.channel >= 0) key_ += '\1';
}

/// `, name=value` to the end of the instruction: `read` is called behind each '='.
void InstructionParser::each_attribute(const std::function<void(std::string_view name, Cursor::Spot where)>& read) {
  seen_.clear();
  while (cursor_.accept(',')) {
    cursor_.skip_space();
    const Cursor::Spot where = cursor_.spot();
    const std::string_view name = cursor_.identifier();
    if (name.empty()) cursor_.unexpected("an attribute");
    if (std::find(seen_.begin(), seen_.end(), name) != seen_.end()) {
      throw InputError(DiagCode::DuplicateAttribute, cursor_.location(where), "attribute '" + std::string(name) + "' is given twice");
    }
    seen_.push_back(name);
    cursor_.expect('=');
    read(name, where);
  }
}

void InstructionParser::scan_attribute_named(std::string_view name, Cursor::Spot where, Instruction& instruction) {
  if (name == "metadata") {
    const std::string_view text = cursor_.balanced(name);
    instruction.metadata = builder_.intern(text.substr(1, text.size() - 2));
    return;
  }
  if (name == "sharding") {
    instruction.sharding = builder_.intern(cursor_.balanced(name));
    return;
  }
  if (name == "operand_layout_constraints") {
    cursor_.list('{', '}', [&] { constraints_.push_back(parse_type(cursor_)); });
    return;
  }
  if (instruction.op == Op::CustomCall && (name == "api_version" || name == "frontend_attributes")) return note(name);
  if (name == "channel_id" && takes_channel(instruction.op)) {
    instruction.channel = static_cast<std::int32_t>(cursor_.integer_in(name, 0, 0x7fffffff));
    return;
  }
  const bool order = instruction.op == Op::Compare && name == "order";
  const auto row = find_attribute(instruction.op, order ? info(Attr::CompareType).name : name);
  if (!row) return ignore_attribute(name, where, instruction);
  cursor_.skip_space();
  const Cursor::Mark start = cursor_.mark();
  const std::string_view text = scan_attribute(cursor_, name);
  pending_.push_back({row->attr, start, cursor_.position()});
  key_ += static_cast<char>(row->attr);
  append_raw(key_, text.size());
  if (text.size() <= kMaxKey) {
    key_ += text;
  } else {
    keep_key_ = false;
  }
}

/// What a custom call says to who implements it. XLA's own notes (shardings, transfers, where it runs) say nothing of what it computes.
void InstructionParser::note(std::string_view name) {
  if (name == "api_version") {
    notes_.insert("api_version=" + std::string(cursor_.value(name)));
    return;
  }
  cursor_.list('{', '}', [&] {
    cursor_.skip_space();
    const std::string key(cursor_.identifier());
    if (key.empty()) cursor_.unexpected("a frontend attribute");
    cursor_.expect('=');
    cursor_.skip_space();
    if (key == kCallNotes) {
      given_notes_ = cursor_.quoted(key);
      return;
    }
    const std::string_view value = scan_attribute(cursor_, key);
    if (!key.starts_with("xla.") && !key.starts_with("_xla_")) notes_.insert(key + "=" + std::string(value));
  });
}

void InstructionParser::ignore_attribute(std::string_view name, Cursor::Spot where, const Instruction& instruction) {
  const auto* row =
      std::find_if(kIgnored.begin(), kIgnored.end(), [name](const Ignored& ignored) { return ignored.name == name; });
  cursor_.skip_space();
  const std::string_view value = scan_attribute(cursor_, name);
  if (row != kIgnored.end() && (row->value.empty() || row->value == value)) return;
  if (async_ && name == "calls" && instruction.op == Op::OptimizationBarrier) return;  // repeated by async-done
  if (async_ && (name == "channel_id" || name == "cross_program_prefetch_index")) return;
  if (row != kIgnored.end() && name == "custom_call_has_side_effect") {
    key_ += '\2';  // decided when the target is known
    return;
  }
  if (problems.size() == kMaxProblems) return;
  problems.push_back({DiagCode::UnknownAttribute,
                      cursor_.location(where),
                      "unknown attribute '" + std::string(name) + "' of " + std::string(info(instruction.op).name),
                      {}});
}

AttributesId InstructionParser::resolve_attributes(const Instruction& instruction) {
  if (keep_key_) {
    const auto it = attributes_.find(std::string_view(key_));
    if (it != attributes_.end()) return it->second;
  }
  const AttributesId id = builder_.intern(parse_pending(instruction));
  if (keep_key_) attributes_.emplace(key_, id);
  return id;
}

Attributes InstructionParser::parse_pending(const Instruction& instruction) {
  Attributes attributes;
  const Cursor::Mark after = cursor_.mark();
  const auto resolve = [this](std::string_view name) { return builder_.reserve(name); };
  for (const Pending& pending : pending_) {
    cursor_.reset(pending.start);
    if (pending.attr == Attr::Literal) {
      const Type type = builder_.module().type_by_id(instruction.type);
      const Cursor::Mark start = cursor_.mark();
      cursor_.identifier();  // old dumps repeat the type before the data
      const bool typed = cursor_.peek() == '[';
      cursor_.reset(start);
      if (typed && parse_type(cursor_) != type) cursor_.unexpected("data of type " + to_string(type));
      attributes.set(Attr::Literal, parse_literal(cursor_, type));
    } else if (pending.attr == Attr::Parameter) {
      attributes.set(Attr::Parameter, cursor_.integer_in("a parameter number", 0, 0x7fffffff));
    } else {
      attributes.set(pending.attr, parse_attribute(cursor_, info(pending.attr), resolve));
    }
    if (pending.attr == Attr::CompareType) {  // since 2026 XLA prints `order=TOTAL` for `type=TOTALORDER`
      const std::string& word = attributes.text(Attr::CompareType);
      if (word == "TOTAL") attributes.set(Attr::CompareType, std::string("TOTALORDER"));
      if (word == "PARTIAL") attributes.set(Attr::CompareType, std::string("FLOAT"));
    }
    cursor_.skip_space();
    if (cursor_.position() < pending.end) cursor_.unexpected("the end of the value");
    if (pending.attr == Attr::ReplicaGroups) {
      for (const auto& group : attributes.groups().groups) group_ranks_ += static_cast<std::int64_t>(group.size());
      if (group_ranks_ > most(Limit::GroupEntries)) cursor_.fail(DiagCode::TooLarge, exceeds(Limit::GroupEntries, group_ranks_));
    }
  }
  cursor_.reset(after);
  if (instruction.channel >= 0) attributes.set(Attr::HasChannel, true);
  return attributes;
}

/// The bits of a tiled layout are in another order than the layout's dimensions say.
void InstructionParser::check_bitcast(const Instruction& instruction, bool tiled, Cursor::Spot where) const {
  if (instruction.op != Op::Bitcast) return;
  for (const InstructionId operand : operands_) tiled = tiled || tiled_[operand];
  if (tiled)
    throw InputError(DiagCode::UnsupportedForm, cursor_.location(where),
                     "bitcast between tiled layouts is not supported");
}

/// A bitcast to another type of as many bits, which passes of XLA make of a bitcast-convert: element by element, as nothing is moved.
bool InstructionParser::reads_bits(const Instruction& instruction) const {
  if (instruction.op != Op::Bitcast || operands_.size() != 1) return false;
  const Type &from = builder_.module().type(operands_[0]), &to = builder_.module().type_by_id(instruction.type);
  const auto has_bits = [](const Type& type) { return type.is_array() && type.element != ElementType::Pred; };
  if (!has_bits(from) || !has_bits(to) || from.element == to.element) return false;
  return info(from.element).bits == info(to.element).bits && from.dims == to.dims && from.layout == to.layout;
}

/// A placeholder until complex numbers are pairs (models/hlo/complex.h).
void InstructionParser::parse_complex(std::string_view opcode, Instruction& instruction) {
  instruction.op = Op::CustomCall;
  Attributes attributes(Attr::CustomCallTarget, std::string(opcode));
  attributes.set(Attr::Kind, std::string());
  parse_operands();
  each_attribute([&](std::string_view name, Cursor::Spot where) {
    if (name == "fft_type") {
      attributes.set(Attr::Kind, std::string(cursor_.value(name)));
    } else if (name == "fft_length") {
      attributes.set(Attr::DynamicSliceSizes, parse_attribute(cursor_, info(Attr::DynamicSliceSizes), [](std::string_view) -> ComputationId { return 0; }));
    } else if (name == "metadata" || name == "sharding") {
      scan_attribute_named(name, where, instruction);
    } else {
      ignore_attribute(name, where, instruction);
    }
  });
  instruction.attributes = builder_.intern(std::move(attributes));
}

void InstructionParser::skip_unknown_operator(std::string_view opcode, Cursor::Spot where) {
  cursor_.skip_space();
  if (cursor_.peek() != '(') cursor_.unexpected("'('");
  cursor_.balanced("the operands");
  each_attribute([&](std::string_view name, Cursor::Spot) { scan_attribute(cursor_, name); });
  std::string what(opcode);
  for (const auto& [name, reason] : kRefused) {
    if (name == opcode) what += " (" + std::string(reason) + ")";
  }
  unsupported.push_back({what, cursor_.location(where)});
}

}  // namespace gg::hlo
