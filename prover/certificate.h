// The certificate: what the search found, as lines that the checker re-derives (docs/certificate.md, section 2). Written
// by prover/certificate, read by nobody but prover/checker.
#pragma once

#include <string>
#include <vector>

#include "models/pair/verdict.h"

namespace gg {

struct Certificate {
  std::string sequential_hash, distributed_hash, relation_hash;
  std::vector<Assumption> assumptions;  ///< sorted, unique
  std::vector<std::string> lines;       ///< array, anchor, S, D and gap, output lines, in the order of the format
};

/// The file's text with its closing hash; byte-identical for equal certificates.
std::string print_certificate(const Certificate& certificate);

}  // namespace gg
