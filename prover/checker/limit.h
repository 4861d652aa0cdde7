// What ends a check without an answer.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace gg::checker {

/// A limit of the checker was passed (steps, nodes, coefficients): the certificate is not accepted, nothing is wrong.
class Limit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One level of recursion of `depth`; throws Limit where the stack might not last.
class Deeper {
 public:
  explicit Deeper(std::uint32_t& depth) : depth_(depth) {
    if (++depth > kMaxDepth) {
      --depth;
      throw Limit("terms nested deeper than " + std::to_string(kMaxDepth));
    }
  }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
#if defined(GG_SANITIZED)
  static constexpr std::uint32_t kMaxDepth = 300;  // frames are several times as large
#else
  static constexpr std::uint32_t kMaxDepth = 1500;
#endif
  std::uint32_t& depth_;
};

}  // namespace gg::checker
