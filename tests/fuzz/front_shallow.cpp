// fuzz_front: nothing beyond reading.
#include "models/base/diag.h"
#include "tests/fuzz/front.h"

namespace gg::testing {

std::string run_and_prove(Case&, int) { throw InputError(DiagCode::Usage, {}, "fuzz_front reads only: DEPTH 0"); }

void read_tensors(std::uint64_t, long) {}

}  // namespace gg::testing
