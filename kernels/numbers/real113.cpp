// The 113-bit real numbers: one of the two files that include Boost.Multiprecision.
#include "kernels/numbers/fast113.h"
#include "kernels/numbers/real_domain.h"

namespace gg {

template struct RealOps<Real113>;

namespace numbers {
namespace {

constexpr RowTable kTable = make_row_table<RealDomain<Real113>>();

}  // namespace

const RowTable& real113_rows() { return kTable; }

}  // namespace numbers
}  // namespace gg
