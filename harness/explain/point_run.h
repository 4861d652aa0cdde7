// Single elements of a distributed program at its own shapes, however large its arrays are: what an instruction computes
// from operands that are drawn, not computed.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <vector>

#include "harness/explain/reached.h"
#include "models/pair/case.h"
#include "runtime/divergence.h"

namespace gg {

/// Why an element cannot be had.
struct NoElement : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Draws values of the repaired program from sequential ones.
class DrawnValues {
 public:
  /// `trace` is of the repaired pair at reduced shapes, `full` the same pair at its own.
  DrawnValues(const DivergenceTrace& trace, const Case& full) : trace_(trace), full_(full) {}
  /// Does the placement exist at full shape, for an array of this local type? (At reduced shapes arrays of other shapes
  /// may hold the same numbers.)
  bool fits(const Match& match, const Type& local) const;
  /// Would the sequential program raise if the value that is matched held this number?
  bool raises(const Match& match, std::int64_t number) const;
  /// Element `index` on `rank` of a matched value that fits.
  void draw(const Match& match, const Type& local, std::int64_t rank, std::span<const std::int64_t> index, void* out) const;

 private:
  double number(const Match& match, std::uint32_t part, std::uint64_t address) const;
  /// Of the finite values of a candidate of matches; zeros where none is.
  Range bounds(std::uint32_t candidate, const std::vector<double>& values) const;
  const Type* whole(const Match& match, const Type& local) const;
  const DivergenceTrace& trace_;
  const Case& full_;
  mutable std::map<std::uint32_t, Range> bounds_;
  mutable std::map<std::pair<const Match*, const Type*>, const Type*> wholes_;
};

/// What the edits reach in the repaired program: in first iterations, and in any.
struct EditReach {
  Reached first, later;
};

/// One of the two programs: the repaired one, or the one as given, whose instructions are found in it by name.
class PointRun {
 public:
  /// Calls and loops from the entry on. A loop stands for its first iteration, with kSecond for its second one.
  using Path = std::vector<InstructionId>;
  static constexpr InstructionId kSecond = 0x80000000U;
  /// `same[id]`: the instruction of the repaired program (kNone: none).
  PointRun(Case& c, const DivergenceTrace& trace, const DrawnValues& drawn, std::vector<InstructionId> same, const EditReach& reach)
      : case_(c), trace_(trace), drawn_(drawn), same_(std::move(same)), reach_(reach) {}
  /// `alone`: second iterations are looked at alone: what they read of the first one is drawn, whatever the edits have done
  /// to it. `steps`: reads for one element.
  void limit(bool alone, std::int64_t steps) {
    alone_ = alone;
    most_steps_ = steps;
    known_.clear();
  }
  /// Element of the array that instruction `id` gives, on a rank, over the reals. Throws NoElement.
  Ball128 element(const Path& path, InstructionId id, std::int64_t rank, std::span<const std::int64_t> index);

 private:
  void value(const Path& path, InstructionId id, std::size_t leaf, std::int64_t rank, std::span<const std::int64_t> index, void* out);
  bool drawn(const Path& path, InstructionId id, std::size_t leaf, std::int64_t rank, std::span<const std::int64_t> index, void* out);
  void refuse_raised(const Path& path, InstructionId id, std::size_t leaf, const Cell& cell) const;
  void loop(const Path& path, InstructionId id, std::size_t leaf, std::int64_t rank, std::span<const std::int64_t> index, void* out);
  bool through(const Path& path, InstructionId id, std::size_t leaf, std::int64_t rank, std::span<const std::int64_t> index, void* out);

  Case& case_;
  const DivergenceTrace& trace_;
  const DrawnValues& drawn_;
  std::vector<InstructionId> same_;
  const EditReach& reach_;
  std::map<std::vector<std::int64_t>, Cell> known_;  ///< elements computed before, by instruction, leaf, rank, path, index
  std::int64_t steps_ = 0, all_steps_ = 0, most_steps_ = 0;
  bool alone_ = false;
  int depth_ = 0;
};

}  // namespace gg
