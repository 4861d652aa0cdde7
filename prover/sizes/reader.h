// Bodies read over digits. An index form of a body is arithmetic at the extents of the text; here it becomes a list of
// digits of the dimension that it indexes, or it is refused. The first pass (`constrain`) states what the body says of
// the digits of its dimensions, the second (`term`) builds the term.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/body/body.h"
#include "prover/sizes/terms.h"

namespace gg::sizes {

/// Thrown by the second pass when it has cut a digit: both passes start again.
struct Resized {};

/// Lists of the variables of one body: its extents, and those of its folds, which it keeps between the passes.
struct BodyDigits {
  std::vector<DigitList> levels;
  std::map<std::pair<std::uint32_t, int>, DigitList> folds;  ///< by fold expression and variable
};

class Reader {
 public:
  /// Lists of the dimensions of operand k (rank digits first).
  using Dimensions = std::function<std::span<const DigitList>(int operand)>;
  /// The term of operand k at these references, one a digit.
  using Read = std::function<TermId(int operand, std::vector<Ref> refs)>;

  Reader(Terms& terms, const Arena& arena) : t_(terms), digits_(terms.digits()), arena_(arena) {}
  /// Equations between the lists. Throws NotGeneric where a form has no reading.
  void constrain(ExprId root, GuardId guard, BodyDigits& own, const Dimensions& dimensions);
  /// The term over variables 0, 1, ..., one a digit of the body's extents. Throws NotGeneric.
  TermId term(ExprId root, BodyDigits& own, const Dimensions& dimensions, const Read& read);
  /// How many lists of a body's extents are those of rank digits: of the distributed program all, of the other none.
  std::size_t ranks = 0;
  /// Variables of the digits of these lists, in order.
  std::vector<Ref> variables(std::span<const DigitList> lists) const;

 private:
  struct Segment {
    std::int64_t coef;
    Ref ref;
  };
  /// constant + sum of segments +- an index that data choose.
  struct Form {
    std::int64_t constant = 0;
    std::vector<Segment> segments;
    std::uint32_t data = 0;    ///< atom
    std::int64_t data_coef = 0;  ///< 1, -1; 0: none
    bool has_data() const { return data_coef != 0; }
  };
  struct Restart {};  ///< the digits have changed

  void open(BodyDigits& own);
  TermId expr(ExprId id);
  TermId fold(ExprId id);
  TermId choose(ExprId id);
  TermId constant(ExprId id);
  TermId guard(GuardId id);
  TermId equal(LinId id);
  TermId at_most(const Form& form);
  void operand_read(ExprId id, std::vector<Ref>& refs);
  Form form(LinId id);
  std::optional<Form> ring(LinId id);
  Form divide(const Form& form, std::int64_t by);
  void add(Form& to, std::int64_t coef, const Ref& ref) const;
  void add_table(Form& to, std::int64_t coef, std::span<const std::int64_t> values, const Form& place);
  std::vector<Summand> sum_of(const Form& form);
  TermId number(const Form& form) { return t_.number(sum_of(form)); }
  void index(const Form& form, std::span<const DigitId> dimension, std::vector<Ref>& refs);
  void cover(const Form& form, std::span<const DigitId> dimension);
  void decode(const std::vector<Summand>& sum, std::span<const DigitId> dimension, std::vector<Ref>& refs);
  void recut(const std::vector<Summand>& sum, std::span<const DigitId> dimension);
  void changed(std::size_t before) const;
  /// A digit variable that guards look at, and that has no value yet.
  const Ref* undecided(GuardId id);
  std::string print(LinId id) const { return arena_.print(id); }

  Terms& t_;
  Digits& digits_;
  const Arena& arena_;
  bool constraining_ = false;
  BodyDigits* own_ = nullptr;
  const Dimensions* dimensions_ = nullptr;
  const Read* read_ = nullptr;
  std::vector<std::vector<Ref>> levels_;  ///< by level, one a digit, major first
  Ref chosen_;
};

}  // namespace gg::sizes
