// Edits of a distributed program that keep the types of all existing values: instructions changed, inserted, bypassed.
// What repairs are made of.
#pragma once

#include <optional>
#include <vector>

#include "models/ir/module.h"

namespace gg::mutation {

/// A value that a patch speaks about: an instruction of the module, or one that the patch adds.
struct Ref {
  std::uint32_t id = 0;
  bool added = false;
  friend auto operator<=>(const Ref&, const Ref&) = default;
};

/// The scalar function of a reducer region (`to_apply`): found in the module by content, else made.
struct Reducer {
  Op op = Op::Add;
  ElementType element = ElementType::F32;
};

/// An instruction that stands only in the patched program. It is placed before its first user.
struct Added {
  Op op;
  Type type;
  Attributes attributes;
  std::vector<Ref> operands;
  std::optional<Reducer> reducer;
  bool channel = false;  ///< takes a new channel_id
};

/// An existing instruction with another operator, other attributes or operands; name, place and type stay.
struct Changed {
  InstructionId id;
  Op op;
  Attributes attributes;
  std::vector<Ref> operands;
  std::optional<Reducer> reducer = {};
};

/// Users of `from` (the root included) read `to` instead; what the patch adds still reads `from`. With `only`, that user
/// alone.
struct Reroute {
  InstructionId from;
  Ref to;
  std::optional<InstructionId> only;
};

struct Patch {
  std::vector<Added> added;
  std::vector<Changed> changed;
  std::vector<Reroute> reroutes;

  /// Appends an instruction; the reference is for operands and reroutes.
  Ref add(Added instruction);
};

/// The instruction as it is, to be altered.
Changed unchanged(const Module& module, InstructionId id);

/// Nothing but this change.
Patch changing(Changed change);
/// All users of `from` read `to` instead.
Patch rerouting(InstructionId from, Ref to);

/// The module with the patch: the same text order, new instructions before their first users, what only the patch made
/// unused left out. Nothing where a value would depend on itself. Types are not checked (models/ir/verify.h does).
std::optional<Module> patched(const Module& module, const Patch& patch);

}  // namespace gg::mutation
