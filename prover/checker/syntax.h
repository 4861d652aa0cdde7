// The certificate's text as a tree (docs/certificate.md, sections 2 and 3). Strict: what the grammar does not allow is
// InputError(BadCertificate) at its line and column. No meaning yet; build.h makes terms of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/base/diag.h"
#include "models/pair/verdict.h"
#include "prover/checker/rational.h"
#include "prover/checker/scanner.h"

namespace gg::checker {

/// Limits of the text; beyond them it is refused (GG-C001).
inline constexpr std::size_t kMaxNesting = 200;
inline constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

struct TermSyntax;

enum class IndexKind : std::uint8_t { Sum,
                                      Variable,
                                      Binder,
                                      Div,
                                      Clamp,
                                      Product,
                                      Table,
                                      Data };

/// Sum: number + sum of coefs[k] * kids[k]. Variable, Binder: number. Div: kids[0] / number. Clamp: [lo, hi].
struct IndexSyntax {
  IndexKind kind = IndexKind::Sum;
  std::int64_t number = 0, lo = 0, hi = 0;
  std::vector<std::int64_t> coefs;  ///< Sum; Table: entries
  std::vector<IndexSyntax> kids;
  std::vector<TermSyntax> data;  ///< Data: one
};

enum class TermKind : std::uint8_t { Number,
                                     Inf,
                                     MinusInf,
                                     NaN,
                                     Unknown,
                                     True,
                                     False,
                                     Read,
                                     Form,
                                     List };

/// Read: head `s`, `x`, `g`, `k`, number, index; `levels` > 0 if marked. Form: i(L) and f(L). List: (head ...).
struct TermSyntax {
  TermKind kind = TermKind::Number;
  Location where;
  Rational value;
  std::string head;
  std::string type;  ///< of `(NAME:TYPE ..)`, `(wrap TYPE L)`
  std::int64_t number = 0;
  std::int64_t levels = 0;
  std::vector<IndexSyntax> index;                              ///< Read, Index, ge, eq, wrap, row
  std::vector<std::pair<std::int64_t, std::int64_t>> binders;  ///< folds and rows: name, extent
  std::vector<TermSyntax> kids;
};

enum class LineKind : std::uint8_t { Array,
                                     Anchor,
                                     Define,
                                     Carry,
                                     Record,
                                     Gap,
                                     Loop,
                                     Invariant,
                                     Closed,
                                     Output };

/// One line of the body.
struct LineSyntax {
  LineKind kind = LineKind::Record;
  Location where;
  bool distributed = false;
  std::int64_t number = 0;  ///< array, anchor, define, carry, gap, output; loop: trips
  std::int64_t extent = 0;  ///< define: of v0
  bool finite = false;      ///< carry
  bool defined = false;     ///< gap: the value keeps its definition
  bool unrolled = false;    ///< loop
  bool simulated = false;   ///< loop: over any state
  std::string follows{};    ///< distributed, simulated: the sequential loop
  std::int64_t leaf = 0;
  std::string instance;
  TermSyntax term;                ///< Record
  std::vector<TermSyntax> marks;  ///< Record: marked reads behind `|`
  std::int64_t left = 0, right = 0;
  FormSyntax form;                                ///< Record: of term, marks, levels and split
  std::vector<std::vector<std::int64_t>> starts;  ///< of the pieces of each of `split`; none: its values
  std::vector<TermSyntax> opened;                 ///< Record and Output: s<n> and g<n>, one after the other
  std::vector<std::int64_t> split;                ///< Record, Output, Invariant, Closed: variables whose values are compared one by one
};

struct CertificateSyntax {
  std::string sequential, distributed, relation;
  std::vector<Assumption> assumptions;
  std::vector<LineSyntax> lines;
};

/// `depth`: of the nesting around it.
TermSyntax parse_term(Scanner& in, std::size_t depth);
CertificateSyntax parse_certificate(std::string_view text, const std::string& file);

}  // namespace gg::checker
