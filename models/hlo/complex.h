// Complex numbers as pairs: a module with c64 or c128 as one whose complex values are tuples of their real and their imaginary
// part. Whatever reads modules then knows real numbers only; a complex leaf of a signature is two leaves.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "models/ir/module.h"
#include "models/op/complex.h"

namespace gg::hlo {

/// Is this a placeholder for an operator of complex numbers only (complex, real, imag, fft)? Its target is the operator's name.
bool is_complex_operator(const Module& module, InstructionId id);
bool has_complex(const Module& module);
/// A complex array as a tuple of two real ones, also inside of tuples.
Type paired(const Type& type);

/// The module with pairs; instructions have the places of those they were made of. Throws InputError(UnsupportedForm) at operators
/// that have no rule.
Module lower_complex(const Module& module);

/// Appends the real instructions that one complex instruction becomes. Types are stated here and checked with the module's.
class PairEmitter {
 public:
  explicit PairEmitter(Builder& builder) : builder_(builder) {}
  /// What follows is made of this instruction; `name`: what it is called.
  void open(const Instruction& instruction, std::string name);
  /// Names that are taken in the computation.
  std::set<std::string, std::less<>> names;

  InstructionId add(Op op, const std::vector<InstructionId>& operands, const Type& type, Attributes attributes = {}, const std::string& end = "");
  InstructionId unary(Op op, InstructionId x) { return add(op, {x}, type(x)); }
  InstructionId binary(Op op, InstructionId a, InstructionId b) { return add(op, {a, b}, type(a)); }
  InstructionId convert(InstructionId x, ElementType element) { return add(Op::Convert, {x}, Type::array(element, type(x).dims)); }
  InstructionId number(ElementType element, double value, const std::vector<std::int64_t>& dims = {});
  InstructionId compare(const std::string& direction, InstructionId a, InstructionId b);
  Type type(InstructionId id) const { return builder_.module().type(id); }

 private:
  Builder& builder_;
  Instruction site_{};
  std::string stem_;
  int count_ = 0;
};

using Parts = Complex<InstructionId>;

/// fft over the last dimensions as products with the matrix of the roots of unity, which is computed from pi = atan2(0, -1),
/// so that it is exact over the reals. `kind`: FFT, IFFT, RFFT (x.im is not read), IRFFT (the result's im is none).
Parts lower_fft(PairEmitter& e, const std::string& kind, const std::vector<std::int64_t>& lengths, Parts x);

}  // namespace gg::hlo
