// Rebuilding of terms through their constructors: substitution of variables, unfolding of anchors, restriction to a
// condition are all instances. Results are remembered for the life of one Rewriter.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

class Rewriter {
 public:
  explicit Rewriter(Terms& t) : t_(t) {}
  virtual ~Rewriter() = default;
  Rewriter(const Rewriter&) = delete;
  Rewriter& operator=(const Rewriter&) = delete;
  Value operator()(Value v);
  virtual Index operator()(Index a);
  /// A test becomes a condition.
  Value condition(Test test);
  Value guard(const std::vector<Literal>& path);

 protected:
  /// Terms without these free variables that also pass `unchanged` are returned as they are.
  virtual bool unchanged(VarSet free) = 0;
  virtual Index atom(Atom a);
  virtual Value read(Value v, const std::vector<Index>& index);
  virtual Value total(const std::vector<PolyPart>& summands);  ///< a Poly
  virtual Value base(const Factor& f) { return (*this)(f.base); }
  virtual Value pick(const ValueNode& node);  ///< a Case
  virtual Value fold(const ValueNode& node);
  Value rebuild(Value v);
  std::vector<Index> each(const std::vector<Index>& list);

  Terms& t_;
  std::unordered_map<std::uint32_t, Value> values_;
  std::unordered_map<std::uint32_t, Index> indices_;
};

/// Simultaneous replacement of variables by index forms.
class Substitution : public Rewriter {
 public:
  Substitution(Terms& t, std::vector<std::pair<Var, Index>> map);
  /// Of the first variables, as many as there are forms.
  Substitution(Terms& t, const std::vector<Var>& vars, const std::vector<Index>& forms);

 protected:
  bool unchanged(VarSet free) override { return t_.disjoint(free, keys_); }
  Index atom(Atom a) override;

 private:
  std::vector<std::pair<Var, Index>> map_;
  VarSet keys_;
};

/// The `point`-th point of the box of these variables, the first of which counts fastest.
std::vector<std::pair<Var, Index>> nth_point(Terms& t, const std::vector<Var>& vars, std::int64_t point);

/// Binders that are open in a scope (Space::Temp): their numbers are given back at its end.
class Binders {
 public:
  explicit Binders(Terms& t) : t_(t), before_(t.open_binders) {}
  ~Binders() { t_.open_binders = before_; }
  Binders(const Binders&) = delete;
  Binders& operator=(const Binders&) = delete;
  Var open(Size extent) { return t_.var(Space::Temp, t_.open_binders++, extent); }

 private:
  Terms& t_;
  std::uint32_t before_;
};

/// A fold or row taken apart: fresh variables for its binders.
class Opened {
 public:
  Opened(Terms& t, const ValueNode& node);
  std::vector<Var> vars;
  Value guard;  ///< condition of a fold
  std::vector<Value> kids;

 private:
  Binders scope_;
};

}  // namespace gg::checker
