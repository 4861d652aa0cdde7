// Internal to prover: tables that permute places (certificate.md, I6 and F15).
#pragma once

#include <optional>
#include <vector>

#include "prover/term/terms.h"

namespace gg::prover {

/// The table that takes a permutation of 0..n-1 back; nothing of other tables.
std::optional<std::vector<std::int64_t>> inverse_table(const std::vector<std::int64_t>& table);

/// The elements of a row over a variable, where they are integers that hang on it alone; nothing of long rows.
std::optional<std::vector<std::int64_t>> numbers_of(Terms& t, LinId var, TermId element);
/// Are they so, and no two the same?
bool distinct_numbers(Terms& t, LinId var, TermId element);

/// A table of a form of one variable of few values that has another value at each of them: the table of the variable itself.
std::optional<LinId> table_of_variable(Terms& t, const std::vector<std::int64_t>& values, LinId index);

/// Is the table looked up by a variable itself, nothing added?
std::optional<VarId> looked_up_by(const Terms& t, const AtomNode& table);

}  // namespace gg::prover
