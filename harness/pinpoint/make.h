// Instructions that repairs insert, each with the type and attributes that it needs.
#pragma once

#include "harness/pinpoint/repair.h"

namespace gg::pinpoint {

Ref constant(Patch& patch, ConstantArray values);
/// `a` where `mask` holds, `b` elsewhere; `type` is theirs.
Ref select(Patch& patch, const Type& type, Ref mask, Ref a, Ref b);
Ref compare(Patch& patch, Ref a, Ref b, const IntList& dims, const char* direction);
Ref reshape(Patch& patch, Ref value, const Type& type);
Ref convert(Patch& patch, Ref value, const Type& type);
/// Dimension d of the result, whose type is given, is dimension `order[d]` of the value.
Ref transpose(Patch& patch, Ref value, const Type& type, const IntList& order);
Ref product(Patch& patch, const Type& type, Ref a, Ref b);
Ref sum(Patch& patch, const Type& type, Ref a, Ref b);
/// Blocks of the ranks of each group, joined along a dimension; `type` is the result's.
Ref all_gather(const Context& context, Patch& patch, Ref value, const Type& type, const AxisSet& axes, std::size_t dim);
/// coordinate over the axes * block: where the rank's own block begins, as a scalar.
Ref own_begin(const Context& context, Patch& patch, const AxisSet& axes, ElementType element, std::int64_t block);
/// A part of `type` of a value, from the given begins on.
Ref part_at(Patch& patch, Ref value, const Type& type, const std::vector<Ref>& begins);
/// The type without its layout.
Type plain(const Type& type);

}  // namespace gg::pinpoint
