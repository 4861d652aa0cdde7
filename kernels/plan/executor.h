// Evaluates the nodes of one program in rows: a node over elements [lo, lo + n) of the row level, the other levels
// fixed. Internal to kernels/plan.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kernels/plan/program.h"

namespace gg::plan {

/// A buffer that nodes read.
struct Source {
  const unsigned char* data;
  Storage storage;
  std::int64_t count;
};

/// What one run of a plan shares among its pieces.
struct RunContext {
  NumberMode mode;
  std::vector<Source> sources;  // operands, scatter buffers, constants
  const unsigned char* unknown = nullptr;
  Storage unknown_storage = Storage::Double;
  std::int64_t unknown_count = 0;
  TieCounter* ties = nullptr;
};

/// Disjoint ascending intervals [first, second) of positions on the row level.
using Intervals = std::vector<std::pair<std::int64_t, std::int64_t>>;

class Executor {
 public:
  Executor(const Program& program, const RunContext& context);

  /// Fixes a level that is not the row.
  void set(int level, std::int64_t value) {
    at_[static_cast<std::size_t>(level)] = value;
    tick_[static_cast<std::size_t>(level)] = ++now_;
  }
  std::int64_t at(int level) const { return at_[static_cast<std::size_t>(level)]; }
  /// Steps these levels like an odometer, the last one fastest; false when all are back at 0.
  bool step(std::span<const FoldVar> vars);
  void reset(std::span<const FoldVar> vars);
  /// Starts a block of at most kBlock elements of the row level (kNoLevel: one element).
  void begin_block(int row_level, std::int64_t lo);

  /// The node over [lo, lo + n) of the current block; written to `to` if it is not null and the node has to be
  /// computed, else wherever it lies. Stride 0 if the node does not depend on the row.
  Row row(int node, std::int64_t lo, std::int64_t n, void* to);
  /// Positions of [lo, lo + n) where the guard holds.
  void intervals(int guard, std::int64_t lo, std::int64_t n, Intervals& out);
  /// A form that does not depend on the row.
  std::int64_t value(int form) { return value(form, 0); }
  /// A form over [lo, lo + n) of the current block.
  void values(int form, std::int64_t lo, std::int64_t n, std::int64_t* out);
  /// body values over [lo, lo+n) accumulated into acc (element 0 = lo) with the fold's function.
  void accumulate(ScalarFn fn, Rounding rounding, Storage storage, int body, bool product, std::int64_t lo,
                  std::int64_t n, unsigned char* acc);
  /// The same, element k accumulated into place[k] * size of `acc`, in ascending order; negative places are skipped.
  void accumulate_at(ScalarFn fn, Rounding rounding, Storage storage, int body, bool product, std::int64_t lo,
                     std::int64_t n, const std::int64_t* place, unsigned char* acc);

 private:
  struct State {  // of a node
    Storage storage = Storage::Double;
    std::size_t size = 8;
    unsigned char* cells = nullptr;    // the elements of a block, then one that does not depend on it
    unsigned char* product = nullptr;  // of a product that is folded along the row
    std::uint64_t row_stamp = 0, scalar_stamp = 0;
    std::int64_t lo = 0, hi = 0;  // what is valid of the row
    int level = kNoLevel;
  };
  State& state(int node) { return states_[static_cast<std::size_t>(node)]; }
  const Node& node(int id) const { return p_.nodes[static_cast<std::size_t>(id)]; }
  const Form& form(int id) const { return p_.forms[static_cast<std::size_t>(id)]; }
  bool moves(Mask mask) const { return (mask & row_bit_) != 0; }
  unsigned char* cell(State& s, std::int64_t lo) { return s.cells + static_cast<std::size_t>(lo - block_) * s.size; }
  std::uint64_t stamp(Mask mask) const;

  Row computed(int id, std::int64_t lo, std::int64_t n, unsigned char* to);
  Row read(int id, std::int64_t lo, std::int64_t n, unsigned char* to);
  Row unknown(int id, std::int64_t lo, std::int64_t n);
  Row index(int id, std::int64_t lo, std::int64_t n, unsigned char* to);
  Row function(int id, std::int64_t lo, std::int64_t n, unsigned char* to, Rounding rounding);
  Row choice(int id, std::int64_t lo, std::int64_t n, unsigned char* to);
  Row fold(int id, std::int64_t lo, std::int64_t n, unsigned char* to);
  void fold_down(int id, std::int64_t lo, std::int64_t n, unsigned char* acc, Rounding rounding);
  void fold_along(int id, unsigned char* acc, Rounding rounding);
  std::optional<std::array<int, 2>> plain_parts(const Node& fold) const;
  void fold_plain(int id, const std::array<int, 2>& reads, std::int64_t begin, std::int64_t end, std::int64_t lo,
                  std::int64_t n, unsigned char* acc, Rounding rounding);
  void valid_steps(int guard, int level, std::int64_t begin, std::int64_t size, Intervals& out);

  std::int64_t value(int form, std::int64_t lo);  // c0, terms, and slots that do not move
  std::int64_t slot_value(const Slot& s, std::int64_t lo);
  void add_slot(const Slot& s, std::int64_t lo, std::int64_t n, std::int64_t* out);
  void add_division(const Slot& s, std::int64_t lo, std::int64_t n, std::int64_t* out);
  bool holds(int guard, std::int64_t lo);
  void condition(const GuardNode& g, std::int64_t lo, std::int64_t n, Intervals& out);
  bool run_copy(const Form& f, const Source& source, std::int64_t lo, std::int64_t n, unsigned char* to);

  // Scratch rows and interval lists, handed out in a stack.
  std::int64_t* take_row();
  void give_row() { --rows_used_; }
  Intervals take_list();
  void give_list(Intervals&& list) { lists_.push_back(std::move(list)); }

  const Program& p_;
  const RunContext& context_;
  std::array<std::int64_t, kMaxLevels> at_{};
  std::array<std::uint64_t, kMaxLevels> tick_{};
  std::uint64_t now_ = 1;
  int row_level_ = kNoLevel;
  Mask row_bit_ = 0;
  std::int64_t block_ = 0;
  std::vector<State> states_;
  std::unique_ptr<unsigned char[]> memory_;
  std::vector<std::unique_ptr<std::int64_t[]>> rows_;
  std::size_t rows_used_ = 0;
  std::vector<Intervals> lists_;
};

/// Computes one box of the output `out`.
void run_piece(const Piece& piece, const RunContext& context, Storage storage, unsigned char* out);

/// Computes the buffer of one scatter.
Buffer run_scatter(const Scatter& scatter, const RunContext& context);

}  // namespace gg::plan
