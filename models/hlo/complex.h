// Complex numbers as pairs: the text of a module with c64 or c128 rewritten so that a complex value is a tuple of its real
// and its imaginary part. Whatever reads modules then knows real numbers only; a complex leaf of a signature is two leaves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gg::hlo {

/// Does any type of the text say c64 or c128?
bool has_complex(std::string_view text);

/// The text with pairs. What an instruction became stands on its line, so that places in diagnostics stay right; operators
/// that have no rule here keep their complex types, and the reader refuses them by name. Throws InputError(UnsupportedForm).
std::string lower_complex(std::string_view text, const std::string& file);

/// One complex value while it is rewritten: the names of its parts and their common type, `f32[8,16]{1,0}`.
struct ComplexParts {
  std::string re, im, type;
};

/// Appends `%name = type rhs` and gives `%name` back.
class PairWriter {
 public:
  /// `stem`: the instruction that is being rewritten; new names are made of it.
  PairWriter(std::string& out, std::string stem) : out_(out), stem_(std::move(stem)) {}
  std::string add(const std::string& type, const std::string& rhs);
  std::string add_named(const std::string& name, const std::string& type, const std::string& rhs);

 private:
  std::string& out_;
  const std::string stem_;
  int count_ = 0;
};

/// fft over the last dimensions as products with the matrix of the roots of unity, which is computed from pi = atan2(0, -1),
/// so that it is exact over the reals. `kind`: FFT, IFFT, RFFT, IRFFT; `lengths`: of the last dimensions; `x.im` is "" for real
/// operands, and the result's for IRFFT. Types of the result have no layout.
ComplexParts lower_fft(PairWriter& writer, const std::string& kind, const std::vector<long>& lengths, ComplexParts x);

}  // namespace gg::hlo
