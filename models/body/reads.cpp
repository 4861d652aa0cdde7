// Walks over an expression (models/body/reads.h).
#include "models/body/reads.h"

#include <set>
#include <unordered_set>

#include "models/body/parts.h"

namespace gg {
namespace {

class Visitor {
 public:
  Visitor(const Arena& arena, const std::function<void(ExprId)>& visit) : arena_(arena), visit_(visit) {}

  void operator()(ExprId root) {
    todo_.push_back(root);
    while (!todo_.empty()) {
      const ExprId id = todo_.back();
      todo_.pop_back();
      if (!seen_.insert(id.value).second) continue;
      visit_(id);
      below(id);
    }
  }

 private:
  template <class Id>
  void below(Id id) {
    each_part(arena_, id, [this](auto part) {
      if constexpr (std::is_same_v<decltype(part), ExprId>) todo_.push_back(part);
      else below(part);
    });
  }

  const Arena& arena_;
  const std::function<void(ExprId)>& visit_;
  std::vector<ExprId> todo_;
  std::unordered_set<std::uint32_t> seen_;
};

/// The expressions whose values are indices.
template <class Id>
void index_data(const Arena& arena, Id id, std::set<std::uint32_t>& found) {
  each_part(arena, id, [&](auto part) {
    if constexpr (!std::is_same_v<decltype(part), ExprId>) index_data(arena, part, found);
    else if constexpr (!std::is_same_v<Id, ExprId>) found.insert(part.value);
  });
}

}  // namespace

void each_expression(const Arena& arena, ExprId root, const std::function<void(ExprId)>& visit) { Visitor(arena, visit)(root); }

std::vector<bool> operands_read(const Arena& arena, ExprId root, std::size_t count) {
  std::vector<bool> reads(count);
  each_expression(arena, root, [&](ExprId id) {
    if (arena[id].kind == ExprKind::Read) reads.at(arena[id].arg) = true;
  });
  return reads;
}

std::vector<bool> operands_in_indices(const Arena& arena, ExprId root, std::size_t count) {
  std::set<std::uint32_t> data;
  each_expression(arena, root, [&](ExprId id) { index_data(arena, id, data); });
  std::vector<bool> reads(count);
  for (const std::uint32_t one : data) {
    const auto inner = operands_read(arena, ExprId{one}, count);
    for (std::size_t k = 0; k < count; ++k) reads[k] = reads[k] || inner[k];
  }
  return reads;
}

bool has_unknown(const Arena& arena, ExprId root) {
  bool found = false;
  each_expression(arena, root, [&](ExprId id) { found = found || arena[id].kind == ExprKind::Unknown; });
  return found;
}

}  // namespace gg
