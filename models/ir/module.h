// A module: computations of instructions, as columns of small integers. Immutable once built (Builder); ids are
// positions; operands come before their users within a computation.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/base/diag.h"
#include "models/op/op.h"

namespace gg {

using InstructionId = std::uint32_t;  ///< position in the module
using TypeId = std::uint32_t;
using AttributesId = std::uint32_t;
using StringId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffffU;

/// One instruction. 48 bytes; everything larger is interned.
struct Instruction {
  Op op;
  TypeId type;
  AttributesId attributes;
  std::uint32_t first_operand;
  std::uint32_t operand_count;
  StringId name;       ///< without '%'
  std::uint32_t line;  ///< in the HLO text, from 1
  std::uint32_t column;
  StringId metadata = kNone;  ///< text inside metadata={...}
  StringId sharding = kNone;  ///< text inside sharding={...}, braces included
  std::int32_t channel = -1;  ///< channel_id; -1 = none
  std::uint32_t text = 0;     ///< which of Module::files it stands in
};

/// One computation: instructions [first, first + count) of the module.
struct Computation {
  StringId name;
  InstructionId first = 0;
  std::uint32_t count = 0;
  InstructionId root = 0;
  std::vector<InstructionId> parameters;  ///< by parameter number
  std::uint32_t line = 0;
};

/// A resolved source position of the user's program, from metadata and the StackFrames tables.
struct SourcePlace {
  std::string file;
  std::int64_t line = 0;
};

/// `{output}: (parameter, {leaf}, may-alias)` of the header: output leaf -> parameter leaf, both flattened.
struct Alias {
  std::int64_t output_leaf;
  std::int64_t input_leaf;
};

/// A point-to-point operator of a text; models/transfer puts collective-permutes in their place.
struct Transfer {
  enum class Kind : std::uint8_t { Send,
                                   SendDone,
                                   Recv,
                                   RecvDone } kind;
  InstructionId instruction;
  std::int64_t channel;  ///< -1 = none
  PairList pairs;        ///< source and target ranks, of a send or recv
};

class Module {
 public:
  std::string file;                ///< path for diagnostics
  std::vector<std::string> files;  ///< the texts, where there are several
  std::string name;
  std::optional<std::int64_t> replica_count, num_partitions;
  std::vector<Alias> aliases;
  std::vector<std::string> parameter_names;  ///< what the user's program calls the entry's parameters, where given
  std::string header_extra;                  ///< header attributes that are kept for printing only
  std::vector<Transfer> transfers;           ///< in the order of the text; none once they are replaced
  std::vector<InstructionId> async_starts;   ///< of collectives; kept as long as transfers are
  bool scheduled = false;                    ///< is_scheduled=true: the text's order is that of execution; not kept either
  std::size_t replaced_transfers = 0;        ///< sends and recvs that were matched

  std::size_t size() const { return instructions_.size(); }
  const Instruction& operator[](InstructionId id) const { return instructions_[id]; }
  std::span<const InstructionId> operands(InstructionId id) const;
  const Type& type(InstructionId id) const { return types_[instructions_[id].type]; }
  const Type& type_by_id(TypeId id) const { return types_[id]; }
  const Attributes& attributes(InstructionId id) const { return attributes_[instructions_[id].attributes]; }
  const Attributes& attributes_by_id(AttributesId id) const { return attributes_[id]; }
  std::string_view name_of(InstructionId id) const { return string(instructions_[id].name); }
  std::string_view string(StringId id) const;
  std::span<const Computation> computations() const { return computations_; }
  const Computation& computation(ComputationId id) const { return computations_[id]; }
  /// Computations in the order of their instructions, which need not be that of their ids.
  std::span<const ComputationId> in_order() const { return order_; }
  /// The computation that contains the instruction.
  ComputationId computation_of(InstructionId id) const;
  ComputationId entry() const { return entry_; }
  std::size_t type_count() const { return types_.size(); }

  /// Where the instruction stands in the HLO text.
  Location where(InstructionId id) const;
  /// op_name of its metadata ("" if none), e.g. `jit(f)/while/body/dot_general`.
  std::string op_name(InstructionId id) const;
  /// The text inside its metadata={...} with a stack frame resolved to its source line, for texts without the tables.
  std::string resolved_metadata(InstructionId id) const;
  /// Source line of the user's program, through stack_frame_id or source_file/source_line.
  std::optional<SourcePlace> source(InstructionId id) const;
  std::size_t memory_bytes() const;

 private:
  friend class Builder;
  std::vector<Instruction> instructions_;
  std::vector<InstructionId> operands_;
  std::vector<Computation> computations_;
  std::vector<ComputationId> order_;  // by first instruction; differs from ids after forward references
  ComputationId entry_ = 0;
  std::vector<Type> types_;
  std::vector<Attributes> attributes_;
  std::string text_;                        // backing store of strings
  std::vector<std::uint32_t> string_ends_;  // string k is text_[ends[k], ends[k+1])
  // FileNames / FileLocations / StackFrames tables, by printed number.
  std::unordered_map<std::int64_t, std::string> file_names_;
  std::unordered_map<std::int64_t, std::pair<std::int64_t, std::int64_t>> file_locations_;  // file, line
  std::unordered_map<std::int64_t, std::int64_t> stack_frames_;                             // frame -> location
};

/// The computations of a conditional, in order: branch k is taken for the number k (the last one for numbers out of
/// range), of a predicate branch 0 if it is true.
ComputationList branches_of(const Module& module, InstructionId conditional);

/// The only way to make a module: interns types, attributes and strings. Structure (every computation defined once, an
/// entry, complete parameters) is checked here and thrown as InputError; misuse by a caller (operands outside the open
/// computation) is an InternalError. Types and call signatures are checked by verify().
class Builder {
 public:
  explicit Builder(std::string file);
  ~Builder();
  StringId intern(std::string_view text);
  TypeId intern(Type type);
  AttributesId intern(Attributes attributes);
  /// The computation of this name, new or reserved by a forward reference.
  ComputationId reserve(std::string_view name);
  /// Opens a computation. Throws InputError(DuplicateName) if it was defined before.
  void begin(ComputationId id, std::uint32_t line);
  /// Appends to the open computation; first_operand and operand_count are set here. The attributes of a Parameter must
  /// have its number.
  InstructionId add(Instruction instruction, std::span<const InstructionId> operands);
  /// An instruction of another module with its name and notes, to be altered and added; type and attributes are still to be set.
  Instruction like(const Module& from, InstructionId id);
  /// Reserves the computations of another module in its order: they keep their ids.
  void reserve_all(const Module& from);
  /// Closes the computation. Throws InputError(BadComputation) unless its parameters are numbered 0, 1, ...
  void end(InstructionId root);
  void set_entry(ComputationId id);
  Module& module();  ///< header fields and source tables are set directly
  /// Name, numbers of devices, aliases and printed attributes of another module.
  void copy_header(const Module& from);
  /// The tables by which metadata names places of the user's program.
  void copy_sources(const Module& from);
  void file_name(std::int64_t number, std::string name);
  void file_location(std::int64_t number, std::int64_t file, std::int64_t line);
  void stack_frame(std::int64_t number, std::int64_t location);
  /// The module; the builder is empty afterwards. Throws InputError(UnknownName | BadComputation) where a reserved
  /// computation was never defined or the entry is missing.
  Module finish();

 private:
  struct Interned;
  std::unique_ptr<Interned> interned_;
  Module module_;
  ComputationId open_ = kNone;
};

/// The Call of an instruction (attributes and operand types point into the module). Regions and digits are left empty.
Call call_of(const Module& module, InstructionId id);

/// An instruction instance; a computation called several times has several of each of its instructions. The chain of call-like instructions from the entry computation, and the instruction itself. `iteration` counts the
/// trips of the innermost enclosing while loop (-1: in no loop). `branches`: for each conditional of the path, in order, the
/// branch (two may call one computation); empty where nobody asks (runs).
struct Instance {
  std::vector<InstructionId> path;
  InstructionId instruction = 0;
  std::int64_t iteration = -1;
  std::vector<std::uint32_t> branches{};
};

/// `main/layer.3/%mul.2` (`%mul.2#4` in iteration 4 of a loop, `main/cond.5@1/%mul.2` in branch 1 of a conditional): entry's
/// name, names of the calls, the instruction.
std::string to_string(const Module& module, const Instance& instance);

}  // namespace gg
