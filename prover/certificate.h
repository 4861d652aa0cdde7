// The certificate: what the search found, as data that the checker re-derives (docs/certificate.md). Written by the
// engine, read by nobody but prover/checker.
#pragma once

#include <string>
#include <vector>

#include "models/pair/verdict.h"

namespace gg {

/// One line of conclusion: an instruction instance (leaf) of the distributed program is described by a term over
/// sequential anchors, in the certificate's term syntax.
struct CertificateRecord {
  std::string instance;
  std::string term;
  std::vector<std::string> steps;  ///< lemma applications with their parameters, in order
};

struct Certificate {
  int version = 1;
  std::string sequential_hash, distributed_hash, relation_hash;
  std::vector<Assumption> assumptions;
  std::vector<CertificateRecord> records;
  std::vector<CertificateRecord> outputs;
};

/// The file's text; byte-identical for equal certificates.
std::string print_certificate(const Certificate& certificate);

}  // namespace gg
