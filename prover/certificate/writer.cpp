#include "prover/certificate/writer.h"

#include <algorithm>

#include "models/base/check.h"
#include "models/base/file.h"
#include "prover/certificate/term_text.h"
#include "prover/term/store.h"

namespace gg::prover {

std::string CertificateWriter::place(const Place& p) const {
  const Engine::Side& side = p.side == Which::Sequential ? e_.sequential_ : e_.distributed_;
  return std::to_string(p.leaf) + " " + to_string(*side.module, side.flat.instance(side.flat.nodes[p.node]));
}

// Sequential values in program order: the order in which their anchors were made.
void CertificateWriter::name_anchors() {
  for (std::size_t k = 0; k < e_.inputs_.size(); ++k) names_[e_.inputs_[k]] = "x" + std::to_string(k);
  for (const auto& [anchor, where] : e_.places_) {
    if (where.place.side != Which::Sequential) continue;
    const std::string number = std::to_string(anchors_.size());
    names_[anchor] = "s" + number;
    anchors_.push_back("anchor " + number + " " + place(where.place));
  }
}

void CertificateWriter::name_gaps() {
  std::size_t gaps = 0;
  for (const Record& r : e_.records_) {
    if (r.gap) names_[AnchorId{*r.gap}] = "g" + std::to_string(gaps++);
  }
}

std::string CertificateWriter::array_name(AnchorId anchor) {
  const ConstantArray& wanted = e_.case_.arena->array(e_.importer_.array_of(anchor));
  for (const Engine::Side* side : {&e_.sequential_, &e_.distributed_}) {
    for (std::uint32_t node = 0; node < side->flat.nodes.size(); ++node) {
      const InstructionId id = side->flat.nodes[node].instruction;
      if ((*side->module)[id].op != Op::Constant) continue;
      const Body* body = side->bodies->body(id, 0);
      if (body == nullptr || (*e_.case_.arena)[body->root].kind != ExprKind::Constant) continue;
      const ConstantArray& array = e_.case_.arena->array(ArrayId{(*e_.case_.arena)[body->root].arg});
      if (array.type != wanted.type || array.values != wanted.values) continue;
      const std::string number = std::to_string(arrays_.size());
      arrays_.push_back("array " + number + (side->which == Which::Sequential ? " S " : " D ") + place({side->which, node, 0}));
      return "k" + number;
    }
  }
  throw TermLimit("constant data of no instruction");
}

std::string CertificateWriter::read(TermId id) {
  const AnchorId anchor = e_.t_.anchor_of(id);
  if (names_.count(anchor) == 0) names_[anchor] = array_name(anchor);
  std::vector<LinId> index = e_.t_.index_of(id);
  RatId coef = RatId::One;
  if (const auto it = e_.places_.find(anchor); it != e_.places_.end()) {
    Terms::Map map;
    for (std::size_t k = 0; k < index.size(); ++k) map.set(static_cast<VarId>(k), index[k]);
    std::vector<LinId> whole;
    for (const LinId l : it->second.index) whole.push_back(e_.t_.substitute(l, map));
    index = std::move(whole);
    coef = e_.t_.q.inv(it->second.coef);
  }
  const TermText text(e_.t_, [this](TermId r) { return read(r); });
  std::string out = names_[anchor] + "[";
  for (std::size_t k = 0; k < index.size(); ++k) out += (k > 0 ? "," : "") + text.form(index[k]);
  out += "]";
  if (const auto it = marks_.find(id); it != marks_.end()) {
    out += it->second == 1 ? "!" : "!" + std::to_string(it->second);
    marks_left_.erase(id);
  }
  return coef == RatId::One ? out : "(* " + e_.t_.q.text(coef) + " " + out + ")";
}

std::string CertificateWriter::record(const Record& r, const Step& step) {
  marks_.clear();
  for (const auto& [read, levels] : step.marks) marks_[read] = std::max(marks_[read], levels);
  marks_left_ = marks_;
  std::string line = (r.side == Which::Sequential ? "S " : "D ") + place({r.side, r.node, r.leaf}) + " ";
  line += TermText(e_.t_, [this](TermId t) { return read(t); }).term(step.after);
  std::string more;
  const std::map<TermId, int> left = marks_left_;
  for (const auto& [id, levels] : left) {
    if (marks_left_.count(id) == 0) continue;  // seen inside of another one
    std::string text = read(id);
    if (text[0] == '(') text = text.substr(text.rfind(' ') + 1, text.size() - text.rfind(' ') - 2);  // without its coefficient
    more += " " + text;
  }
  marks_.clear();
  if (!more.empty()) line += " |" + more;
  if (step.left > 0) line += " left " + std::to_string(step.left);
  return line;
}

Certificate CertificateWriter::write() {
  name_anchors();
  name_gaps();
  std::vector<std::string> sequential, distributed;
  for (const Record& r : e_.records_) {
    std::vector<std::string>& lines = r.side == Which::Sequential ? sequential : distributed;
    for (const Step& step : r.steps) lines.push_back(record(r, step));
    if (r.gap) {
      const std::string name = names_[AnchorId{*r.gap}];
      lines.push_back("gap " + name.substr(1) + " D " + place({r.side, r.node, r.leaf}));
    }
  }
  Certificate c;
  c.sequential_hash = e_.case_.hashes.sequential;
  c.distributed_hash = e_.case_.hashes.distributed;
  c.relation_hash = e_.case_.hashes.relation;
  c.assumptions = e_.assumptions_;
  std::sort(c.assumptions.begin(), c.assumptions.end());
  c.lines = std::move(arrays_);
  for (auto* part : {&anchors_, &sequential, &distributed}) c.lines.insert(c.lines.end(), part->begin(), part->end());
  for (const OutputLine& o : e_.outputs_) {
    c.lines.push_back("output " + std::to_string(o.leaf) + " left " + std::to_string(o.left) + " right " + std::to_string(o.right));
  }
  return c;
}

}  // namespace gg::prover

namespace gg {

std::string print_certificate(const Certificate& c) {
  std::string text = "gg-certificate 1\nsequential " + c.sequential_hash + "\ndistributed " + c.distributed_hash +
                     "\nrelation " + c.relation_hash + "\n";
  for (const Assumption& a : c.assumptions) {
    text += "assume " + std::string(to_string(a.kind));
    for (const std::string& argument : a.arguments) text += " " + argument;
    text += "\n";
  }
  for (const std::string& line : c.lines) text += line + "\n";
  return text + "end " + content_hash(text) + "\n";
}

}  // namespace gg
