// Bodies become terms: a body is walked with its operands' terms put in place of the reads. The only place where the
// prover learns what an operator means.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "models/body/body.h"
#include "prover/term/tables.h"
#include "prover/term/terms.h"

namespace gg::prover {

class Importer {
 public:
  /// The term of operand `operand` at these indices (rank digits first).
  using Read = std::function<TermId(int operand, std::span<const LinId> index)>;

  Importer(Terms& terms, const Arena& arena) : t_(terms), arena_(arena) {}

  /// Element of a body at free variables 0, 1, ... (its extents). Throws TermLimit where a form is not expressible.
  TermId body(const Body& body, const Read& read);
  /// The same at other forms for its variables (rank digits, dimensions).
  /// `rounds`: its operand is a literal of the program, which a conversion to a type of fewer bits rounds.
  TermId body(const Body& body, std::span<const LinId> levels, const Read& read, bool rounds = false);
  /// An expression or guard over variables at levels 0.. with these extents.
  TermId expression(ExprId expr, std::span<const std::int64_t> extents, const Read& read);
  TermId guard(GuardId guard, std::span<const std::int64_t> extents);

  /// Float constants of this type and value are this term instead.
  void read_as(ElementType type, double value, TermId term) { readings_[{type, value}] = term; }

  /// Are the elements of this array, row-major, those of the anchor (but for dimensions along which they are the same)?
  bool names(ArrayId id, AnchorId anchor);

 private:
  struct Context {
    const Read* read = nullptr;
    bool rounds = false;
    std::vector<LinId> levels;
    std::vector<SmallMap<TermId>> memo;  // one map a number of levels
  };
  TermId expr(ExprId id, Context& c);
  TermId expr_uncached(ExprId id, Context& c);
  TermId fold(ExprId id, Context& c);
  TermId literal(const Scalar& value);
  std::optional<TermId> rounded(ElementType to, ElementType from, TermId literal);
  TermId constant(ExprId id, Context& c);
  /// The elements of constant arrays, but for the dimensions along which they are the same.
  struct Content {
    ElementType type;
    std::vector<Scalar> values;
    std::optional<AnchorId> anchor{};
  };
  /// Where an array lies in such elements: one step along each of its dimensions, which may stand in another order there; it is `times` these.
  struct Placed {
    std::uint32_t content;
    std::vector<std::int64_t> pitch;
    RatId times = RatId::One;
  };
  std::optional<RatId> number_read(const Scalar& value);
  /// What `values` are times the content, of floats that are numbers.
  std::optional<RatId> multiple(ElementType type, const std::vector<Scalar>& values, const Content& content);
  /// An array as a literal, or a multiple of it, rounded element by element.
  std::optional<TermId> rounded_elements(ElementType to, ElementType from, TermId literal);
  const Placed& placed(ArrayId id);
  TermId element(Content& content, LinId flat);
  AnchorId array_anchor(Content& content);
  LinId lin(gg::LinId id, Context& c);
  LinId atom(std::uint32_t id, Context& c);
  TermId guard(GuardId id, Context& c);

  Terms& t_;
  const Arena& arena_;
  std::vector<Content> contents_;
  std::map<std::uint32_t, Placed> placed_;  ///< by array
  std::map<std::pair<ElementType, double>, TermId> readings_;
};

}  // namespace gg::prover
