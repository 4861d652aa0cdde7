// For `replay.py --device`: the exact outputs of both programs on the witness's inputs rounded to their own types, and the
// programs in those types as XLA runs them.
//   exact.safetensors     sequential.K, distributed.K: the value of output K as f64 (distributed: a leading dimension of ranks);
//                         sequential.K.low, ...: what is missing to the exact value
//   xla/sequential.own.hlo, xla/distributed.own.hlo
#pragma once

#include <string>

#include "runtime/inputs.h"
#include "runtime/recording.h"

namespace gg {

/// Writes these files where the exact run is affordable; nothing else. `recorded` (may be null): the runs on these inputs as they are,
/// which are not made again where rounding the inputs changes nothing.
void write_exact_run(const std::string& folder, Case& c, const InputSet& inputs, const Budget& budget, const RecordedPair* recorded);

}  // namespace gg
