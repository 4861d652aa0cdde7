// Float literals that a proof may read as the numbers that they were rounded from (docs/certificate.md, `literal`).
#pragma once

#include <vector>

#include "models/pair/case.h"
#include "models/type/closed_form.h"

namespace gg::prover {

/// Every constant element of this type and value, in both programs, is read as `form`.
struct LiteralReading {
  ElementType type;
  double value;
  ClosedForm form;
  bool shared = false;  ///< it stands in both programs
};

/// Numbers of constants of few different ones that have a closed form; none where both programs have the same ones: exact numbers do as well then.
std::vector<LiteralReading> literal_readings(const Case& c);

/// As the certificate says it.
Assumption assumption_of(const LiteralReading& reading);

}  // namespace gg::prover
