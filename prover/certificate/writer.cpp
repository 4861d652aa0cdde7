#include "prover/certificate/writer.h"

#include <algorithm>

#include "models/base/file.h"
#include "models/base/text.h"
#include "models/ir/kinds.h"
#include "prover/engine/piecewise.h"
#include "prover/term/text.h"

namespace gg::prover {
namespace {

std::string split(const std::vector<VarId>& vars, const std::vector<std::vector<std::int64_t>>& starts = {}) {
  std::string text;
  for (std::size_t k = 0; k < vars.size(); ++k) {
    text += (text.empty() ? " split v" : ",v") + std::to_string(int{vars[k]});
    if (k < starts.size())
      for (const std::int64_t at : starts[k]) text += "@" + std::to_string(at);
  }
  return text;
}

}  // namespace

std::string CertificateWriter::name(const Place& p) const { return e_.name_of(e_.side_of(p), p.node); }

std::string CertificateWriter::place(const Place& p) const { return std::to_string(p.leaf) + " " + name(p); }

TermText CertificateWriter::spelled(std::uint64_t most) {
  return {e_.t_, [this](TermId r) { return read(r); }, most};
}

// The lines of one loop but for its carries and gaps (docs/certificate.md, section 8).
void CertificateWriter::loop(const LoopRecord& r, std::vector<std::string>& lines) {
  const std::string s = r.place.side == Which::Sequential ? "S " : "D ";
  if (!r.follows.empty()) {
    const std::string other = r.follows == LoopRecord::kAnyState ? "" : " " + r.follows;
    lines.push_back("simulate " + s + name(r.place) + other);
  } else lines.push_back((r.unrolled ? "unroll " : "loop ") + s + std::to_string(r.trips) + " " + name(r.place));
  for (std::uint32_t k = 0; k < r.leaves.size(); ++k) {
    const LoopLeaf& leaf = r.leaves[k];
    if (leaf.anchor && !leaf.closed) continue;
    const Record record{r.place.side, r.place.node, k, {}, {}, r.place.frame};
    const Step step{leaf.closed ? *leaf.closed : leaf.value, leaf.marks, leaf.left, leaf.split};
    lines.push_back((leaf.closed ? "closed " : "invariant ") + this->record(record, step));
  }
}

// Sequential values in program order: the order in which their anchors were made.
void CertificateWriter::name_anchors() {
  for (std::size_t k = 0; k < e_.inputs_.size(); ++k) names_[e_.inputs_[k]] = "x" + std::to_string(k);
  for (const auto& [anchor, where] : e_.places_) {
    if (where.place.side != Which::Sequential) continue;
    const std::string number = std::to_string(anchors_.size());
    names_[anchor] = "s" + number;
    if (where.pieces > 0) anchors_.push_back("define " + number + " " + std::to_string(where.pieces) + " " + place(where.place) + " " + spelled().term(e_.piecewise_->definition(anchor)));
    else anchors_.push_back((where.carry ? "carry " : "anchor ") + number + " " + place(where.place) + (where.finite ? " finite" : ""));
  }
}

void CertificateWriter::name_gaps() {
  std::size_t gaps = 0;
  for (const Record& r : e_.records_)
    if (r.gap) names_[AnchorId{*r.gap}] = "g" + std::to_string(gaps++);
}

std::string CertificateWriter::array_name(AnchorId anchor) {
  std::vector<const Engine::Side*> all{&e_.sequential_, &e_.distributed_};
  for (const Engine::Side& frame : e_.frames_) all.push_back(&frame);
  for (const Engine::Side* side : all) {
    for (std::uint32_t node = 0; node < side->flat.nodes.size(); ++node) {
      const InstructionId id = side->flat.nodes[node].instruction;
      if (!is_constant(*side->module, id)) continue;
      const Body* body = side->bodies->body(id, 0);
      if (body == nullptr || (*e_.case_.arena)[body->root].kind != ExprKind::Constant) continue;
      if (!e_.importer_.names(ArrayId{(*e_.case_.arena)[body->root].arg}, anchor)) continue;
      const std::string number = std::to_string(arrays_.size());
      arrays_.push_back("array " + number + (side->which == Which::Sequential ? " S " : " D ") + place({side->which, node, 0, side->frame}));
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
    const Terms::Map map(0, index);
    std::vector<LinId> whole;
    for (const LinId l : it->second.index) whole.push_back(e_.t_.substitute(l, map));
    index = std::move(whole);
    coef = e_.t_.q.inv(it->second.coef);
  }
  std::string out = names_[anchor] + spelled().indices(index);
  if (const auto it = marks_.find(id); it != marks_.end()) {
    out += it->second == 1 ? "!" : "!" + std::to_string(it->second);
    marks_left_.erase(id);
  }
  return coef == RatId::One ? out : "(* " + e_.t_.q.text(coef) + " " + out + ")";
}

std::string CertificateWriter::opened(const std::vector<AnchorId>& anchors) const {
  std::string out;
  for (const AnchorId a : anchors) out += (out.empty() ? " open " : ",") + names_.at(a);
  return out;
}

std::string CertificateWriter::record(const Record& r, const Step& step) {
  marks_.clear();
  for (const auto& [read, levels] : step.marks) marks_[read] = std::max(marks_[read], levels);
  marks_left_ = marks_;
  std::string line = (r.side == Which::Sequential ? "S " : "D ") + place({r.side, r.node, r.leaf, r.frame}) + " ";
  line += spelled().term(step.after);
  std::string more;
  const std::map<TermId, int> left = marks_left_;
  for (const auto& [id, levels] : left) {
    if (marks_left_.count(id) == 0) continue;  // seen inside of another one
    std::string text = read(id);
    if (text[0] == '(') text = text.substr(text.find(' ', 3) + 1, text.size() - text.find(' ', 3) - 2);  // without its coefficient
    more += " " + text;
  }
  marks_.clear();
  if (!more.empty()) line += " |" + more;
  if (step.left > 0) line += " left " + std::to_string(step.left);
  return line + opened(step.opened) + split(step.split, step.starts);
}

std::vector<std::string> CertificateWriter::relations() {
  constexpr std::uint32_t kMaxSize = 200;  // of a form that is shown
  for (std::size_t k = 0; k < e_.inputs_.size(); ++k) names_[e_.inputs_[k]] = e_.case_.relation.free[k].name;
  for (const auto& [anchor, where] : e_.places_)
    names_[anchor] = (where.place.side == Which::Sequential ? "" : "distributed ") + name(where.place);
  const Engine::Side& side = e_.distributed_;
  const std::string digits = joined_text(side.bodies->digits().digits(), ", ", [&](const Digit& d) { return d.name; });
  std::vector<std::string> lines{"v0, v1, ...: the digits of the rank (" + digits + "), then the dimensions of the value"};
  for (std::uint32_t node = 0; node < side.flat.nodes.size(); ++node) {
    const auto leaves = side.module->type(side.flat.nodes[node].instruction).leaves();
    for (std::uint32_t leaf = 0; leaf < leaves.size(); ++leaf) {
      if (!leaves[leaf]->is_array()) continue;
      const std::uint32_t at = side.first_leaf[node] + leaf;
      const TermId term = side.conclusions[at];
      std::string text = "...";
      try {
        if (e_.t_[term].size <= kMaxSize) text = spelled(10 * kMaxSize).term(term);
      } catch (const TermLimit& limit) {
        text = limit.what();
      }
      lines.push_back(e_.name_of(side, node) + (leaves.size() > 1 ? " leaf " + std::to_string(leaf) : "") + " = " + text +
                      (side.pending[at] ? "   (no sequential value)" : ""));
    }
  }
  return lines;
}

Certificate CertificateWriter::write() {
  name_anchors();
  name_gaps();
  std::vector<std::string> sequential, distributed;
  for (const Record& r : e_.records_) {
    std::vector<std::string>& lines = r.side == Which::Sequential ? sequential : distributed;
    for (Step step : r.steps) e_.mark_inside(step), lines.push_back(record(r, step));
    if (r.gap) {
      const std::string name = names_[AnchorId{*r.gap}];
      const bool defined = e_.t_.anchor(AnchorId{*r.gap}).form != TermId::Unknown;
      lines.push_back("gap " + name.substr(1) + " D " + place({r.side, r.node, r.leaf, r.frame}) + (defined ? " defined" : ""));
    }
  }
  for (const LoopRecord& r : e_.loops_) loop(r, r.place.side == Which::Sequential ? sequential : distributed);
  Certificate c;
  c.sequential_hash = e_.case_.hashes.sequential;
  c.distributed_hash = e_.case_.hashes.distributed;
  c.relation_hash = e_.case_.hashes.relation;
  c.assumptions = e_.assumptions_;
  std::sort(c.assumptions.begin(), c.assumptions.end());
  c.lines = std::move(arrays_);
  for (auto* part : {&anchors_, &sequential, &distributed}) c.lines.insert(c.lines.end(), part->begin(), part->end());
  for (const OutputLine& o : e_.outputs_) {
    const std::string line = "output " + std::to_string(o.leaf) + " left " + std::to_string(o.left) + " right " + std::to_string(o.right);
    c.lines.push_back(line + opened(o.opened) + split(o.split, o.starts));
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
