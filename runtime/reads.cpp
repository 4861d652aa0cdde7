// One walk over an expression (runtime/reads.h).
#include "runtime/reads.h"

#include <functional>
#include <unordered_set>

namespace gg {
namespace {

/// Visits every expression node below `root` once, those inside data-dependent indices included.
class Visitor {
 public:
  Visitor(const Arena& arena, std::function<void(const Expr&)> visit,
          std::function<void(ExprId)> index_data = nullptr)
      : arena_(arena), visit_(std::move(visit)), index_data_(std::move(index_data)) {}

  void walk(ExprId root) {
    todo_.push_back(root);
    while (!todo_.empty()) {
      const ExprId id = todo_.back();
      todo_.pop_back();
      if (seen_.insert(id.value).second) node(id);
    }
  }

 private:
  void node(ExprId id) {
    const Expr& expr = arena_[id];
    visit_(expr);
    if (expr.kind == ExprKind::Read || expr.kind == ExprKind::Constant) {
      for (const LinId lin : arena_.indices(id)) index(lin);
    }
    if (expr.kind == ExprKind::Index) index(LinId{expr.arg});
    if (expr.kind == ExprKind::Case || expr.kind == ExprKind::Fold) condition(arena_.guard(id));
    if (expr.kind == ExprKind::Fn || expr.kind == ExprKind::Case || expr.kind == ExprKind::Fold) {
      for (const ExprId kid : arena_.kids(id)) todo_.push_back(kid);
    }
  }
  void index(LinId lin) {
    for (const Term& term : arena_.terms(lin)) {
      const Atom& atom = arena_.atom(term.atom);
      if (atom.kind == AtomKind::Data) {
        todo_.push_back(ExprId{atom.arg});
        if (index_data_) index_data_(ExprId{atom.arg});
      }
      if (atom.kind == AtomKind::Div) index(LinId{atom.arg});
      if (atom.kind == AtomKind::Table) index(LinId{atom.index});
    }
  }
  void condition(GuardId id) {
    const Guard& guard = arena_[id];
    if (guard.kind == GuardKind::Le0 || guard.kind == GuardKind::Eq0) index(arena_.lin(id));
    if (guard.kind == GuardKind::And || guard.kind == GuardKind::Or || guard.kind == GuardKind::Not) {
      for (const GuardId kid : arena_.kids(id)) condition(kid);
    }
  }

  const Arena& arena_;
  std::function<void(const Expr&)> visit_;
  std::function<void(ExprId)> index_data_;
  std::vector<ExprId> todo_;
  std::unordered_set<std::uint32_t> seen_;
};

}  // namespace

std::vector<bool> operands_read(const Arena& arena, ExprId root, std::size_t count) {
  std::vector<bool> reads(count);
  Visitor(arena, [&](const Expr& expr) {
    if (expr.kind == ExprKind::Read) reads.at(expr.arg) = true;
  }).walk(root);
  return reads;
}

std::vector<bool> operands_in_indices(const Arena& arena, ExprId root, std::size_t count) {
  std::vector<bool> reads(count);
  Visitor(arena, [](const Expr&) {}, [&](ExprId data) {
    const auto inner = operands_read(arena, data, count);
    for (std::size_t k = 0; k < count; ++k) reads[k] = reads[k] || inner[k];
  }).walk(root);
  return reads;
}

bool has_unknown(const Arena& arena, ExprId root) {
  bool found = false;
  Visitor(arena, [&](const Expr& expr) { found = found || expr.kind == ExprKind::Unknown; }).walk(root);
  return found;
}

}  // namespace gg
