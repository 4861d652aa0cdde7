// What ends a check without an answer.
#pragma once

#include <stdexcept>

namespace gg::checker {

/// A limit of the checker was passed (steps, nodes, coefficients): the certificate is not accepted, nothing is wrong.
class Limit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gg::checker
