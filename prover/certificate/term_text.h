// Terms in the certificate's syntax (docs/certificate.md, section 3).
#pragma once

#include <functional>
#include <string>

#include "prover/term/terms.h"

namespace gg::prover {

/// How a read of an anchor is written, given its index forms as text of the certificate: its name, indices and marks.
using ReadText = std::function<std::string(TermId read)>;

class TermText {
 public:
  /// At most `most` nodes are written: an index form may hold terms that hold index forms.
  TermText(Terms& terms, ReadText read, std::uint64_t most = ~std::uint64_t{0}) : t_(terms), read_(std::move(read)), left_(most) {}

  std::string form(LinId id) const;
  /// Throws TermLimit for what has no syntax (row functions), or too many nodes.
  std::string term(TermId id) const;

 private:
  std::string atom(AtomId id) const;
  std::string list(const std::string& head, TermId id) const;
  std::string product(const Summand& s) const;
  std::string function(TermId id) const;

  Terms& t_;
  ReadText read_;
  mutable std::uint64_t left_;
};

}  // namespace gg::prover
