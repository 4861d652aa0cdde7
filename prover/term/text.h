// Terms as text: in the certificate's syntax (docs/certificate.md, section 3), and so in messages.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "prover/term/terms.h"

namespace gg::prover {

/// How a read of an anchor is written: its name, indices and marks.
using ReadText = std::function<std::string(TermId read)>;

class TermText {
 public:
  /// Throws TermLimit for what has no syntax (row functions), and beyond `most` nodes: an index form may hold terms that hold index forms.
  TermText(const Terms& terms, ReadText read, std::uint64_t most = ~std::uint64_t{0}) : t_(terms), read_(std::move(read)), left_(most) {}
  /// For messages: anchors by number, row functions, temporary variables, `...` for what would be too long.
  explicit TermText(const Terms& terms) : t_(terms), left_(500) {}

  std::string form(LinId id) const;
  std::string indices(const std::vector<LinId>& index) const;
  std::string term(TermId id) const;

 private:
  std::string atom(AtomId id) const;
  std::string list(const std::string& head, TermId id) const;
  std::string product(const Summand& s) const;
  std::string function(TermId id) const;
  std::string row(TermId id) const;
  std::string binders(VarId first, const std::vector<std::int64_t>& extents) const;
  std::string variable(VarId v) const;

  const Terms& t_;
  ReadText read_;
  mutable std::uint64_t left_;
};

}  // namespace gg::prover
