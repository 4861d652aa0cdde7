// Scalar functions of the table (models/body/scalar.def) on values in normal form.
#pragma once

#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

/// fn(args) with result type `type` and operands of type `operand`. Integers are exact; a result that may leave its type
/// is wrapped. `literal`: a convert whose argument is a literal of the program, and hence rounds.
Value apply(Terms& t, ScalarFn fn, ElementType type, ElementType operand, const std::vector<Value>& args,
            bool literal = false);
/// The function of a Fn node on other arguments.
Value reapply(Terms& t, const ValueNode& node, const std::vector<Value>& args);
Value maximum(Terms& t, Value a, Value b);
/// logistic or tanh by an exponential.
Value sigmoid(Terms& t, ScalarFn fn, Value x);
/// Of a float that is no case.
Value absolute(Terms& t, Value a);
/// The integer value modulo 2^bits in `type`; itself if its range fits.
Value wrapped(Terms& t, ElementType type, Value v);
/// The position in Terms::arrays of the elements of an array, row-major, without dimensions along which it is the same (constants.cpp).
std::uint32_t elements_of(Terms& t, const ConstantArray& array);
/// One of these elements.
Value element(Terms& t, std::uint32_t elements, Index position);
/// Element of an array that outlives the terms.
Value element_of(Terms& t, const ConstantArray& array, const std::vector<Index>& at);
/// A multiple of one of these elements, a literal of type `from`, rounded to `to`.
std::optional<Value> rounded_element(Terms& t, ElementType to, ElementType from, Value v);
/// A scalar literal as a value.
Value literal(Terms& t, const Scalar& scalar);

}  // namespace gg::checker
