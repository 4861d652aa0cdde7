// One line of a computation: `[ROOT] %name = type opcode(operands), attributes`. Types and attribute texts that were
// seen before are looked up, not parsed again; that is what makes large programs cheap to read.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/hlo/parser.h"
#include "models/hlo/values.h"
#include "models/ir/module.h"

namespace gg::hlo {

inline constexpr std::size_t kMaxProblems = 20;  ///< told of one text

/// An operator or custom call without a meaning, for the common report.
struct Unsupported {
  std::string what;
  Location where;
};

/// The point-to-point operator of this name.
std::optional<Transfer::Kind> find_transfer(std::string_view opcode);

class InstructionParser {
 public:
  InstructionParser(Cursor& cursor, Builder& builder, const ParseOptions& options)
      : cursor_(cursor), builder_(builder), options_(options) {}

  /// Names of a new computation: those of the last one are forgotten.
  void open_computation() { ++scope_; }
  /// Reads one instruction and appends it. Unknown operators and unknown attributes are collected, other errors thrown.
  /// Returns its id and whether it is marked ROOT.
  std::pair<InstructionId, bool> parse();
  /// A type, remembered by its text.
  TypeId type();

  std::vector<Unsupported> unsupported;
  std::vector<Diag> problems;  ///< unknown attributes

 private:
  struct KnownType {
    TypeId id;
    bool tiled;  ///< its layout has tiles, which are not kept
  };
  struct Slot {
    std::uint32_t scope = 0;
    InstructionId id = 0;
  };
  /// An attribute value whose text has been skipped.
  struct Pending {
    Attr attr;
    Cursor::Mark start;
    std::size_t end;
  };
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  KnownType known_type();
  TypeId element_of(TypeId tuple, std::size_t index, Cursor::Spot where, std::string_view what);
  InstructionId element_named(InstructionId tuple, Cursor::Spot where);
  void parse_operands();
  InstructionId find(std::string_view name, Cursor::Spot where);
  void define(StringId name, InstructionId id, Cursor::Spot where);
  void scan_arguments(Instruction& instruction);
  void scan_attributes(Instruction& instruction);
  void each_attribute(const std::function<void(std::string_view name, Cursor::Spot where)>& read);
  void scan_attribute_named(std::string_view name, Cursor::Spot where, Instruction& instruction);
  void note(std::string_view name);
  void ignore_attribute(std::string_view name, Cursor::Spot where, const Instruction& instruction);
  AttributesId resolve_attributes(const Instruction& instruction);
  Attributes parse_pending(const Instruction& instruction);
  void replace_custom_call(Instruction& instruction);
  void attach_border(const std::string& target, Instruction& instruction);
  bool replace_defined_call(const std::string& target, Instruction& instruction);
  void check_bitcast(const Instruction& instruction, bool tiled, Cursor::Spot where) const;
  bool reads_bits(const Instruction& instruction) const;
  void parse_transfer(Transfer::Kind kind, Instruction& instruction);
  void parse_routes(Transfer& transfer);
  void parse_complex(std::string_view opcode, Instruction& instruction);
  void skip_unknown_operator(std::string_view opcode, Cursor::Spot where);

  Cursor& cursor_;
  Builder& builder_;
  const ParseOptions& options_;
  std::unordered_map<std::string_view, KnownType> types_;
  std::unordered_map<std::string, AttributesId, TextHash, std::equal_to<>> attributes_;
  std::vector<Slot> names_;  // by StringId
  std::vector<bool> tiled_;  // by InstructionId
  std::uint32_t scope_ = 0;
  std::int64_t group_ranks_ = 0;
  // Of the instruction being read.
  std::vector<InstructionId> operands_;
  std::vector<Pending> pending_;
  std::vector<std::string_view> seen_;
  std::vector<Type> constraints_;  ///< operand_layout_constraints
  std::set<std::string> notes_;    ///< of a custom call: its calling convention and frontend attributes
  std::string given_notes_;        ///< what a printed one keeps of them (kCallNotes)
  std::string key_;
  bool keep_key_ = true;
  bool async_ = false;
};

/// Has a custom call a meaning that no definition changes?
bool has_own_meaning(std::string_view target);

}  // namespace gg::hlo
