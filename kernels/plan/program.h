// The compiled form of a body: boxes of the output (pieces), each with a small program of nodes that the executor
// evaluates in rows. Nothing here knows the number type. Internal to kernels/plan.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/plan/plan.h"

namespace gg::plan {

using Mask = std::uint64_t;                  // one bit a level
inline constexpr int kMaxLevels = 64;        // output and fold levels of one program
inline constexpr std::int64_t kBlock = 512;  // elements of one row block
inline constexpr int kNoLevel = -1;

/// Throws TypeError(UnsupportedForm) where a body has more output and fold levels than a mask has bits.
void check_levels(std::int64_t levels);

inline Mask bit(int level) { return level < 0 ? 0 : Mask{1} << level; }

/// coef * value of a level.
struct FormTerm {
  int level;
  std::int64_t coef;
};

/// coef * something that is not affine in the levels.
struct Slot {
  AtomKind kind;  // Div, Data, Table
  std::int64_t coef;
  int arg;                              // Div, Table: form; Data: node
  std::int64_t m = 0;                   // Div
  std::int64_t lo = 0, hi = 0;          // Data
  ElementType type = ElementType::S64;  // Data
  const std::vector<std::int64_t>* table = nullptr;
  Mask mask = 0;
};

/// An index form: c0 + terms + slots.
struct Form {
  std::int64_t c0 = 0;
  std::vector<FormTerm> terms;
  std::vector<Slot> slots;
  Mask mask = 0;

  std::int64_t coef(int level) const {
    for (const FormTerm& t : terms) {
      if (t.level == level) return t.coef;
    }
    return 0;
  }
};

struct GuardNode {
  GuardKind kind;
  int form = -1;               // Le0, Eq0
  std::vector<int> kids = {};  // And, Or, Not
  Mask mask = 0;
};

struct FoldVar {
  int level;
  std::int64_t extent;
};

struct Node {
  ExprKind kind;
  ElementType type;
  ScalarFn fn = ScalarFn::Add;
  std::vector<int> kids = {};      // Fn; Case: then, otherwise; Fold: init, body
  int form = -1;                   // Read: flat address; Index: value; Unknown: output address
  int operand = -1;                // Read: position in the table of buffers
  int guard = -1;                  // Case, Fold
  std::vector<FoldVar> vars = {};  // Fold, outermost first
  bool product = false;            // Fold: sum of products
  bool horizontal = false;         // Fold: rows run along its last variable
  bool plain = false;              // Read: the address is affine
  bool cached = false;             // used at several places, or under a fold that it does not depend on
  Scalar literal = {};
  Mask mask = 0;
};

/// Nodes, forms and guards by position; a node's parts come before it.
struct Program {
  std::vector<Node> nodes;
  std::vector<Form> forms;
  std::vector<GuardNode> guards;
  std::int64_t block = 1;  // longest row block that occurs
};

struct Level {
  std::int64_t extent;
  std::int64_t stride;  // in the output
};

/// One box of the output.
struct Piece {
  Program program;
  int root = -1;
  std::vector<Level> levels;
  std::int64_t base = 0;
  int row = kNoLevel;           // level of the rows
  std::vector<int> loops;       // the others, outermost first
  std::vector<int> replicated;  // computed at 0, copied afterwards
  bool copy = false;            // root is a plain read: no rows, one strided copy
  double operations = 0;        // arithmetic (cost.cpp)
};

/// A fold whose guard names an output index by data (scatter): run over the fold's box in ascending order, adding into
/// a buffer of its own that the rest of the body reads.
struct Scatter {
  struct Target {
    int level;
    int form;  // the index on that level
  };
  std::vector<Piece> init;
  ElementType type;
  ScalarFn fn;
  std::vector<std::int64_t> extents;  // of the output levels; 1 where nothing depends on it
  std::vector<std::int64_t> strides;
  std::int64_t count = 1;
  Program program;
  int body = -1;
  bool product = false;
  int guard = -1;  // what is left of it; -1: none
  std::vector<Target> targets;
  std::vector<FoldVar> before;  // output levels on which the targets depend
  std::vector<FoldVar> vars;    // the fold's
  std::vector<FoldVar> after;   // output levels that are free
  int row = kNoLevel;
};

/// Operations: every node once for each combination of the levels on which it depends.
double cost(const Piece& piece);
double cost(const Scatter& scatter);

/// A fold computed before the output, over the output levels on which it depends.
struct Hoisted {
  std::vector<Piece> pieces;
  ElementType type;
  std::int64_t count = 1;
};

}  // namespace gg::plan

namespace gg {

struct Plan::Impl {
  Arena arena;  // holds the tables and constants that the programs point to
  Body body;
  std::vector<std::vector<std::int64_t>> operand_extents;
  std::vector<std::int64_t> operand_counts;
  std::size_t own_buffers = 0;     // scatters and hoisted folds, after the operands
  std::vector<ArrayId> constants;  // buffers after those
  std::vector<plan::Scatter> scatters;
  std::vector<plan::Hoisted> hoisted;
  std::vector<plan::Piece> pieces;
};

}  // namespace gg
