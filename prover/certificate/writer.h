// From the records of a search to the certificate's lines.
#pragma once

#include "prover/certificate.h"
#include "prover/engine/engine.h"
#include "prover/term/text.h"

namespace gg::prover {

class CertificateWriter {
 public:
  explicit CertificateWriter(Engine& engine) : e_(engine) {}
  /// Of a finished search that has a line for every compared output. Throws TermLimit where a conclusion has no syntax.
  Certificate write();
  /// What each value of the distributed entry computation is, in terms of sequential instructions: a line each, in program order.
  std::vector<std::string> relations();

 private:
  void name_anchors();
  void name_gaps();
  std::string name(const Place& p) const;
  std::string place(const Place& p) const;
  TermText spelled(std::uint64_t most = ~std::uint64_t{0});  ///< of what has a text
  void loop(const LoopRecord& r, std::vector<std::string>& lines);
  std::string read(TermId id);
  std::string array_name(AnchorId anchor);
  std::string record(const Record& r, const Step& step);
  std::string opened(const std::vector<AnchorId>& anchors) const;

  Engine& e_;
  std::map<AnchorId, std::string> names_;
  std::vector<std::string> arrays_, anchors_;
  std::map<TermId, int> marks_;       // of the step being written
  std::map<TermId, int> marks_left_;  // those not seen in its term
};

}  // namespace gg::prover
