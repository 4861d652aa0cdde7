// Operands by name: instructions of the computation, and elements of tuples.
#include <algorithm>

#include "models/base/diag.h"
#include "models/hlo/instruction.h"

namespace gg::hlo {

/// The type of element `index` of a tuple type; `what` asks for it.
TypeId InstructionParser::element_of(TypeId tuple, std::size_t index, Cursor::Spot where, std::string_view what) {
  const Type type = builder_.module().type_by_id(tuple);
  if (!type.is_tuple() || type.elements.size() <= index) {
    throw InputError(DiagCode::TypeMismatch, cursor_.location(where), std::string(what) + ", not " + to_string(type));
  }
  return builder_.intern(type.elements[index]);
}

/// `%while.1#2` as an operand: element 2 of the tuple, without an instruction of its own in the text. One is made for all that name it.
InstructionId InstructionParser::element_named(InstructionId tuple, Cursor::Spot where) {
  const auto index = static_cast<std::size_t>(cursor_.integer_in("the number of a tuple's element", 0, 0x7fffffff));
  const Instruction of = builder_.module()[tuple];
  const std::string number = std::to_string(index);
  const StringId name = builder_.intern(std::string(builder_.module().name_of(tuple)) + "__element_" + number);
  if (name < names_.size() && names_[name].scope == scope_) return names_[name].id;
  Instruction element{};
  element.op = Op::GetTupleElement;
  element.name = name;
  element.type = element_of(of.type, index, where, "element " + number + " of a tuple is named");
  element.line = of.line;
  element.column = of.column;
  element.metadata = of.metadata;
  Attributes attributes;
  attributes.set(Attr::Index, static_cast<std::int64_t>(index));
  element.attributes = builder_.intern(std::move(attributes));
  const InstructionId id = builder_.add(element, std::span(&tuple, 1));
  tiled_.push_back(false);
  define(name, id, where);
  return id;
}

InstructionId InstructionParser::find(std::string_view name, Cursor::Spot where) {
  const StringId id = builder_.intern(name);
  if (id < names_.size() && names_[id].scope == scope_) return names_[id].id;
  throw InputError(DiagCode::UnknownName, cursor_.location(where),
                   "operand '%" + std::string(name) + "' is not defined before its use in this computation");
}

void InstructionParser::define(StringId name, InstructionId id, Cursor::Spot where) {
  if (name >= names_.size()) names_.resize(std::max<std::size_t>(name + 1, names_.size() * 2));
  Slot& slot = names_[name];
  if (slot.scope == scope_) {
    throw InputError(DiagCode::DuplicateName, cursor_.location(where),
                     "'%" + std::string(builder_.module().string(name)) + "' is defined twice in this computation",
                     {"the first definition is in line " + std::to_string(builder_.module()[slot.id].line)});
  }
  slot = {scope_, id};
}

void InstructionParser::parse_operands() {
  cursor_.list('(', ')', [&] {
    cursor_.skip_space();
    const Cursor::Mark start = cursor_.mark();
    const Cursor::Spot where = cursor_.spot();
    TypeId printed = kNone;
    if (cursor_.peek() != '%') {
      cursor_.identifier();
      const bool typed = cursor_.peek() == '[' || cursor_.peek() == '(';
      cursor_.reset(start);
      if (typed) printed = known_type().id;
    }
    InstructionId id = find(cursor_.name("an operand"), where);
    while (cursor_.accept('#')) id = element_named(id, where);
    const Module& module = builder_.module();
    if (printed != kNone && module.type_by_id(printed) != module.type(id)) {
      throw InputError(DiagCode::TypeMismatch, cursor_.location(where),
                       "operand '%" + std::string(module.name_of(id)) + "' is " + to_string(module.type(id)) +
                           ", printed here as " + to_string(module.type_by_id(printed)));
    }
    operands_.push_back(id);
  });
}

}  // namespace gg::hlo
