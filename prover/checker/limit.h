// What ends a check without an answer.
#pragma once

#include <stdexcept>

namespace gg::checker {

/// A limit of the checker was passed (steps, nodes, coefficients): the certificate is not accepted, nothing is wrong.
class Limit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A number of an index form is too large. The value is an integer all the same, by another name (to_index), or a function of its operands.
class Overflow : public Limit {
 public:
  using Limit::Limit;
};

}  // namespace gg::checker
