// Sums over boxes by their first and last elements (certificate.md, section 5).
#include "prover/term/terms.h"

namespace gg::prover {
namespace {

constexpr int kEndLevels = 3;              ///< of definitions
constexpr std::uint32_t kMostAtEnd = 100;  ///< of an element that is opened

}  // namespace

bool Terms::positive_at_end(const FoldParts& p) {
  const TermId inside = p.guard == TermId::True && (*this)[p.body].kind == Kind::Read ? anchor(anchor_of(p.body)).form : TermId::Unknown;
  if ((*this)[inside].kind != Kind::Fn || static_cast<ScalarFn>((*this)[inside].op) != ScalarFn::Exp || !attributes(p.body).nonnegative) return false;
  for (const Map& end : ends(p)) {
    TermId element = substitute(p.body, end);
    for (int level = 0; level < kEndLevels && (*this)[element].size <= kMostAtEnd; ++level) {
      element = expand_all(element, 1);
      if (attributes(element).positive) return true;
    }
  }
  return false;
}

}  // namespace gg::prover
