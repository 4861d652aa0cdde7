// What is said of all sizes of a pair, and how it is told.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gg {

/// One size of the theorem.
struct SizeSymbol {
  std::string name;        ///< `tp`, `a`
  std::int64_t value;      ///< in the text
  bool mesh = false;       ///< a mesh axis or a part of one
  std::int64_t least = 1;  ///< at least so many
};

struct SizesTheorem {
  bool proved = false;
  std::string reason;  ///< what has no reading for all sizes; empty if proved
  std::vector<SizeSymbol> sizes;
  std::vector<std::string> inputs;  ///< `params['w']: f32[a, tp*b]`, of the sequential program
  std::vector<std::string> outputs;
  std::vector<std::string> conditions;  ///< `a*b - c >= 0`: what holds of the sizes beside their lower bounds
  std::vector<std::string> readings;    ///< `literal 4 of %c = b`: numbers of the texts that stand for sizes
  std::vector<std::string> kept;        ///< `literal 8 of %n`: those that stay, and count something in the text that does not
};

/// Of which sizes it speaks: `a >= 3, b, a - b >= 0`.
std::string bounds_of(const SizesTheorem& theorem);
/// The theorem in lines: `all sizes: proved for any a >= 3, b (here a=3 b=4)` and what follows, or a note with the reason.
std::vector<std::string> size_lines(const SizesTheorem& theorem);

}  // namespace gg
