// Terms of the certificate's text: names resolved, sorts checked. A term that means nothing (an unknown name, a wrong
// number of indices, a real used as an index) is InputError(BadCertificate) at its place.
#pragma once

#include <map>
#include <vector>

#include "prover/checker/syntax.h"
#include "prover/checker/terms.h"
#include "prover/checker/unfold.h"

namespace gg::checker {

/// What the names in terms stand for.
struct Names {
  std::vector<std::uint32_t> sequential, inputs, gaps;  ///< s<n>, x<k>, g<n>: anchors
  std::vector<std::uint32_t> arrays;                    ///< k<N>: Terms::arrays
  /// Sequential loops whose bodies are being walked: anchors from number `first` on may be read at the present time only.
  struct Present {
    std::size_t first, position;  ///< position: of the time among an anchor's indices
    Index time;
  };
  std::vector<Present> present;
};

class TermBuilder {
 public:
  /// `variables` are v0, v1, ...
  TermBuilder(Terms& t, const Names& names, std::vector<Index> variables)
      : t_(t), names_(names), variables_(std::move(variables)) {}
  Value term(const TermSyntax& syntax) { return build(syntax).value; }
  /// The same, of the sort that elements of this type have.
  Value term(const TermSyntax& syntax, ElementType type);
  void mark(const TermSyntax& read);
  const Marks& marks() const { return marks_; }

 private:
  enum class Sort : std::uint8_t { Bool,
                                   Int,
                                   Real };  // an Int may stand where a Real may
  struct Typed {
    Value value;
    Sort sort;
  };
  static Sort sort_of(ElementType type);
  Typed build(const TermSyntax& syntax);
  Typed read(const TermSyntax& syntax);
  Typed list(const TermSyntax& syntax);
  Typed arithmetic(const TermSyntax& syntax);
  std::vector<Var> bind(const TermSyntax& syntax);
  Typed order(const TermSyntax& syntax);
  Typed fold(const TermSyntax& syntax);
  Typed function(const TermSyntax& syntax);
  Typed typed_function(const TermSyntax& syntax, ScalarFn fn);
  Value boolean_term(const TermSyntax& syntax);
  Typed number_term(const TermSyntax& syntax);
  Index index(const IndexSyntax& syntax, const Location& where);
  std::uint32_t anchor(const TermSyntax& syntax) const;
  [[noreturn]] static void fail(const Location& where, const std::string& message);

  Terms& t_;
  const Names& names_;
  std::vector<Index> variables_;
  std::map<std::int64_t, Index> binders_;
  Marks marks_;
};

}  // namespace gg::checker
