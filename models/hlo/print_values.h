// Spelling of types, constants and attribute values, for the printer.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "models/op/attributes.h"
#include "models/type/type.h"

namespace gg::hlo {

/// The frontend attribute in which a printed custom call keeps what its text said beside its configuration (Attr::CallNotes).
inline constexpr std::string_view kCallNotes = "gg.call_notes";

/// With `widen` every float type is spelled f64.
std::string print_type(const Type& type, bool widen);

/// `1.5`, `{ { 1, 2 }, { 3, 4 } }`: the shortest digits that read back as the same value of the type (of f64 if
/// widened).
std::string print_literal(const ConstantArray& array, bool widen);

/// Every group as a list of ranks.
std::string print_groups(const std::vector<std::vector<std::int64_t>>& groups);

/// The value of an attribute that has a spelling. `computation` gives the name of a computation.
std::string print_attribute(Attr attr, const AttrValue& value,
                            const std::function<std::string(ComputationId)>& computation);

}  // namespace gg::hlo
