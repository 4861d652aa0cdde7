// The walk over both programs: equations between sizes first, then the terms of all values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/ir/flatten.h"
#include "prover/sizes/match.h"
#include "prover/sizes/reader.h"
#include "prover/sizes/sizes.h"

namespace gg::sizes {

class Family {
 public:
  explicit Family(Case& c);
  /// `counts_tied`: a sum of equal values ties the number of values to the text's.
  SizesTheorem prove(bool counts_tied);

 private:
  struct Leaf {
    std::vector<DigitList> dimensions;  ///< rank digits first
    TermId term{};
    std::string gap;                    ///< why the term is a value of its own
  };
  struct Side {
    const Module* module;
    BodyTable* bodies;
    FlatProgram flat;
    bool distributed;
    std::vector<std::uint32_t> first_leaf;
    std::vector<Leaf> leaves;
    std::vector<BodyDigits> bodies_digits;  ///< by leaf
  };

  bool attempt(SizesTheorem& theorem);
  void layout(Side& side);
  void constrain_inputs();
  /// Every array that an instruction of the side makes, operands first.
  using Visit = std::function<void(FlatValue value, const Type& type, Leaf& own)>;
  void each_value(Side& side, const Visit& visit);
  void note_gap(const Side& side, std::uint32_t node, Leaf& own, const NotGeneric& why) const;
  void constrain(Side& side);
  void constrain_outputs();
  void terms_of_inputs();
  void terms(Side& side);
  void conclude(Side& side, Leaf& leaf, TermId term, ElementType type);
  TermId name(const Leaf& leaf, TermId term, ElementType type);
  TermId name_whole(const Leaf& leaf, TermId term);
  TermId improve(TermId term);
  bool inline_term(TermId term) const;
  TermId fresh(const Leaf& leaf);
  TermId written_out(TermId term);
  bool equal_written_out(TermId left, TermId right, const BodyDigits& claim);
  void outputs(SizesTheorem& theorem);
  Reader::Dimensions operands(const Side& side, std::uint32_t node) const;
  Leaf& leaf(Side& side, FlatValue v) { return side.leaves[side.first_leaf[v.node] + v.leaf]; }
  const Leaf& leaf(const Side& side, FlatValue v) const { return side.leaves[side.first_leaf[v.node] + v.leaf]; }
  TermId read_leaf(const Leaf& leaf, std::vector<Ref> refs);
  BodyDigits body_digits(const Leaf& leaf) const { return {leaf.dimensions, {}}; }
  void describe(SizesTheorem& theorem);
  void judge(SizesTheorem& theorem) const;
  bool is_rank(DigitId digit) const;
  std::string shape(const std::vector<DigitList>& dimensions, ElementType type);
  const std::string& symbol(DigitId digit);

  Case& case_;
  Digits digits_;
  Terms t_;
  Matcher matcher_;
  Reader reader_;
  Side sequential_, distributed_;
  std::vector<DigitList> ranks_;                   ///< one digit a list
  std::vector<std::vector<DigitList>> free_;       ///< dimensions of the free inputs
  std::vector<BodyDigits> sequential_inputs_, distributed_inputs_, claims_;
  std::vector<std::string> gaps_;
  std::vector<std::string> names_;                 ///< by digit
  std::vector<DigitId> order_;                     ///< digits as they were named
  std::size_t next_name_ = 0;
  std::uint32_t anchors_ = 0;
  bool resized_ = false;  ///< a digit was cut while terms were made
};

}  // namespace gg::sizes
