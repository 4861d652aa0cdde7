// The claims of the relation: both sides of each output as terms.
#include "prover/sizes/family.h"

namespace gg::sizes {

/// A term over inputs alone.
TermId Family::written_out(TermId term) {
  return t_.transform(term, [&](TermId t) {
    const Node& n = t_[t];
    const auto* definition = n.kind == Kind::Read ? matcher_.definition(n.anchor) : nullptr;
    if (definition == nullptr) return t;
    const std::vector<Ref> refs = n.refs;
    const TermId inner = t_.substitute(definition->first, [&](const Ref& r) {
      for (std::size_t k = 0; k < definition->second.size(); ++k) {
        if (r.kind == Ref::Kind::Var && r.var == definition->second[k].var) return refs[k];
      }
      return r;
    });
    return written_out(inner);
  });
}

// Without names, for each value of the digits that the text ties (a ring of so many ranks).
bool Family::equal_written_out(TermId left, TermId right, const BodyDigits& claim) {
  constexpr std::int64_t kMostCases = 64;
  t_.rank_vars = 0;  // what the sequential program multiplies is no offset of a rank
  std::vector<Ref> tied;
  std::int64_t cases = 1;
  for (const Ref& r : reader_.variables(claim.levels)) {
    if (digits_.fixed(r.digit) == nullptr || cases * digits_.extent(r.digit) > kMostCases) continue;
    cases *= digits_.extent(r.digit);
    tied.push_back(r);
  }
  try {
    for (std::int64_t number = 0; number < cases; ++number) {
      const auto here = [&](TermId t) {
        return written_out(t_.substitute(t, [&](const Ref& r) {
          std::int64_t rest = number;
          for (const Ref& v : tied) {
            const std::int64_t value = rest % digits_.extent(v.digit);
            rest /= digits_.extent(v.digit);
            if (r.kind != Ref::Kind::Var || r.var != v.var) continue;
            Ref to = r;
            to.kind = Ref::Kind::Const;
            to.shift = value;
            return to;
          }
          return r;
        }));
      };
      const TermId a = here(left), b = here(right);
      if (a != b && !matcher_.equal(a, b)) return false;
    }
  } catch (const NotGeneric&) {
    return false;
  }
  return true;
}

void Family::outputs(SizesTheorem& theorem) {
  const auto side_term = [&](Side& side, ExprId root, BodyDigits& digits) {
    const Reader::Dimensions dimensions = [&](int k) -> std::span<const DigitList> {
      return leaf(side, side.flat.outputs[static_cast<std::size_t>(k)]).dimensions;
    };
    return reader_.term(root, digits, dimensions, [&](int k, std::vector<Ref> refs) {
      return read_leaf(leaf(side, side.flat.outputs[static_cast<std::size_t>(k)]), std::move(refs));
    });
  };
  for (std::size_t k = 0; k < case_.relation.outputs.size(); ++k) {
    const OutputClaim& claim = case_.relation.outputs[k];
    if (claim.kind == OutputClaim::Kind::Ignored) continue;
    const TermId left = improve(side_term(distributed_, claim.distributed, claims_[k]));
    const TermId right = improve(side_term(sequential_, claim.sequential, claims_[k]));
    if (left == right || matcher_.equal(left, right) || equal_written_out(left, right, claims_[k])) continue;
    const auto text = [&](TermId t) {
      const std::string whole = t_.print(t, [&](DigitId d) { return symbol(d); });
      constexpr std::size_t kMost = 400;
      return whole.size() <= kMost ? whole : whole.substr(0, kMost) + " ...";
    };
    theorem.reason = gaps_.empty() ? "output " + std::to_string(k) + " is " + text(left) + ", the sequential one " + text(right)
                                   : gaps_.front();
    return;
  }
  theorem.proved = true;
}

}  // namespace gg::sizes
