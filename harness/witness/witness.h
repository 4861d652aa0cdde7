// The witness folder of a refutation: everything that shows the difference, with and without gg-harness.
//   inputs.safetensors  free.K (F64 or I64): the free inputs; sequential.K, distributed.K: the parameters of both programs
//                       (distributed: one leading dimension of ranks); source.K: for output K, the flat index of the
//                       sequential element that each distributed element must equal (-1: not compared); terms.K: for an
//                       output of partial values, the flat indices (ranks stacked) of those that are combined
//   sequential.hlo, distributed.hlo, relation.json   the pair as given (custom calls with a definition written out);
//                       placement.N.hlo: the modules that the relation names
//   xla/                the pair as XLA's CPU client runs it: widened to f64, ranks as replicas; claim.K.hlo: what a rank's
//                       output K must be, from the sequential outputs
//   difference.json     what differs; claims: how each output is compared
//   exact.safetensors, xla/{sequential,distributed}.own.hlo   for replay.py --device, where the exact run is affordable: the exact outputs of
//                       both programs on these inputs rounded to their own types, sequential.K, distributed.K as f64 (distributed: a
//                       leading dimension of ranks), .low: what is missing to the exact value; and the programs in those types as XLA runs them
//   replay.py           runs xla/ with JAX and prints the difference
//   fx/, replay_torch.py   of a pair of graphs: as they were read, inputs.json the names of the inputs; runs them with torch
#pragma once

#include <string>

#include "runtime/differential.h"
#include "runtime/executor.h"
#include "runtime/inputs.h"

namespace gg {

/// Writes the folder, whole or not at all; an older witness is replaced, any other folder that holds something is refused. `budget`:
/// of what is told beside the difference; `recorded` (may be null): the runs on these inputs. Throws InputError(FileWrite).
void write_witness(const std::string& path, Case& c, const InputSet& inputs, const DrawOutcome& outcome, const Budget& budget,
                   const RecordedPair* recorded);

/// The free inputs stored in a witness folder, in the order of the relation. Throws InputError(BadWitness).
InputSet read_witness_inputs(const std::string& folder, const Case& c);

/// Writes what is for `replay.py --device` where the exact run is affordable; nothing else. `recorded` (may be null): the runs on these inputs as they are,
/// which are not made again where rounding the inputs changes nothing.
void write_exact_run(const std::string& folder, Case& c, const InputSet& inputs, const Budget& budget, const RecordedPair* recorded);

}  // namespace gg
