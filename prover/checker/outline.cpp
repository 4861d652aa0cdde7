#include "prover/checker/outline.h"

#include <algorithm>

namespace gg::checker {
namespace {

constexpr std::size_t kMaxOutline = 1024;  ///< of a term
constexpr int kMaxOutlineDepth = 200;

struct TooLarge {};

void append(Words& out, std::int64_t number) {
  out.push_back(static_cast<std::uint32_t>(number));
  out.push_back(static_cast<std::uint32_t>(number >> 32));
}

// A size that is free has no words.
void append_size(Words& out, const Size& n) {
  if (!small(n, INT64_MAX)) throw TooLarge{};
  append(out, at_text(n));
}

void append(Words& out, const Rational& number) {
  if (!number.is_number()) throw TooLarge{};
  if (const auto parts = number.parts()) {
    append(out, parts->second);
    append(out, parts->first);
    return;
  }
  const std::string digits = number.print();
  append(out, 0);  // no denominator: a large one
  out.push_back(static_cast<std::uint32_t>(digits.size()));
  out.insert(out.end(), digits.begin(), digits.end());
}

/// Writes a term node by node, each with as many words as its kind and counts say: equal words, equal terms.
class OutlineWriter {
 public:
  OutlineWriter(const Terms& t, Words& words, std::vector<std::uint32_t>& anchors) : t_(t), words_(words), anchors_(anchors) {}

  void value(Value v) {
    if (words_.size() > kMaxOutline || ++depth_ > kMaxOutlineDepth) throw TooLarge{};
    const ValueNode& n = t_[v];
    const std::uint32_t ref = n.kind == ValueKind::Read ? number(n.ref) : n.kind == ValueKind::Int ? 0
                                                                                                   : n.ref;
    add(static_cast<std::uint32_t>(n.kind), static_cast<std::uint32_t>(n.fn), static_cast<std::uint32_t>(n.type), ref, n.leaf);
    if (n.kind == ValueKind::Int) atom(Atom{n.ref});
    if (n.kind == ValueKind::Case) test(n.test);
    list(t_[n.path].literals, [&](const Literal& l) {
      add(l.holds ? 1U : 0U);
      test(l.test);
    });
    list(n.kids, [&](Value kid) { value(kid); });
    list(n.index, [&](Index a) { index(a); });
    list(n.vars, [&](Var var) { add(var.id); });
    list(n.summands, [&](const PolyPart& p) {
      append(words_, p.coef);
      list(t_[p.monomial].factors, [&](const Factor& f) {
        append(words_, f.exponent);
        value(f.base);
      });
    });
    --depth_;
  }

 private:
  template <class... Numbers>
  void add(Numbers... numbers) {
    (words_.push_back(numbers), ...);
  }
  template <class List, class Each>
  void list(const List& all, const Each& each) {
    add(static_cast<std::uint32_t>(all.size()));
    for (const auto& one : all) each(one);
  }
  std::uint32_t number(std::uint32_t anchor) {
    const auto place = static_cast<std::size_t>(std::find(anchors_.begin(), anchors_.end(), anchor) - anchors_.begin());
    if (place == anchors_.size()) anchors_.push_back(anchor);
    return static_cast<std::uint32_t>(place);
  }
  void index(Index a) {
    append_size(words_, t_[a].c0);
    list(t_[a].parts, [&](const Part& p) {
      append_size(words_, p.coef);
      atom(p.atom);
    });
  }
  void atom(Atom a) {
    const AtomNode& n = t_[a];
    add(static_cast<std::uint32_t>(n.kind));
    switch (n.kind) {
      case AtomKind::Variable: add(n.var.id); return;
      case AtomKind::Data:
        value(n.value);
        if (t_[n.value].kind == ValueKind::Read) return;  // its range is the anchor's
        append_size(words_, n.lo);                        // others may rest on definitions (section 5)
        append_size(words_, n.hi);
        return;
      case AtomKind::Div: append_size(words_, n.m); break;
      case AtomKind::Clamp:
        append_size(words_, n.lo);
        append_size(words_, n.hi);
        break;
      case AtomKind::Table: list(n.table, [&](const Size& entry) { append_size(words_, entry); }); break;
    }
    index(n.arg);
  }
  void test(Test c) {
    const TestNode& n = t_[c];
    add(static_cast<std::uint32_t>(n.kind));
    if (n.kind == TestKind::Truth) value(n.value);
    else index(n.index);
  }

  const Terms& t_;
  Words& words_;
  std::vector<std::uint32_t>& anchors_;
  int depth_ = 0;
};

}  // namespace

std::uint32_t Outlines::number(const Words& words) {
  return numbers_.emplace(words, static_cast<std::uint32_t>(numbers_.size() + 1)).first->second;
}

std::uint32_t Outlines::number(const std::string& text) {
  return texts_.emplace(text, static_cast<std::uint32_t>(texts_.size() + 1)).first->second;
}

std::optional<Outline> Outlines::of(Value v) {
  Words words{0};
  Outline outline;
  try {
    OutlineWriter(t_, words, outline.anchors).value(v);
  } catch (const TooLarge&) {
    return std::nullopt;
  }
  outline.shape = number(words);
  return outline;
}

void Outlines::same_facts(std::uint32_t known, std::uint32_t anchor) {
  facts_.resize(std::max<std::size_t>(facts_.size(), anchor + 1));
  facts_[anchor] = facts(known);
}

std::uint32_t Outlines::facts(std::uint32_t anchor) {
  facts_.resize(std::max<std::size_t>(facts_.size(), anchor + 1));
  if (facts_[anchor] != 0) return facts_[anchor];
  const Anchor& a = t_.anchors[anchor];
  Words words{1, static_cast<std::uint32_t>(a.type), a.classes.set(), a.named ? 1U : 0U, t_.defined(anchor) ? 1U : 0U, t_.by_cases(anchor) ? 1U : 0U};
  for (const Size& end : {a.lo, a.hi}) words.push_back(number(text(end)));
  words.push_back(a.gap ? 1 : 0);
  if (a.gap) words.insert(words.end(), {number(text(a.gap->first)), number(text(a.gap->second))});
  for (const auto& end : {a.bounds.lo, a.bounds.hi}) {
    words.push_back(end ? 1 : 0);
    if (end) words.push_back(number(end->print()));
  }
  words.push_back(static_cast<std::uint32_t>(a.vars.size()));
  for (const Var v : a.vars) words.push_back(v.id);
  for (const Index i : a.used) words.push_back(i.id);
  return facts_[anchor] = number(words);
}

}  // namespace gg::checker
