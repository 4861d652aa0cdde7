// How a write through a view becomes a write into what it is a view of.
#include "models/fx/put_back.h"

#include <algorithm>
#include <cstdlib>

#include "models/fx/aliases.h"
#include "models/fx/lowering.h"

namespace gg::fx {

void refuse(const Statement& statement, const std::string& problem) {
  throw InputError(DiagCode::UnsupportedForm, statement.where, statement.target + " '" + statement.name + "': " + problem);
}

bool share_some(const Statement& one, const Statement& other, const Type& whole) {
  struct Span {
    std::int64_t dim, from, to;
  };
  const auto span = [&](const Statement& s) -> std::optional<Span> {
    const auto number = [&](std::size_t k, std::int64_t otherwise) {
      const bool given = k < s.arguments.size() && s.arguments[k].kind != Argument::Kind::None;
      return !given ? std::optional(otherwise) : s.arguments[k].kind == Argument::Kind::Integer ? std::optional(s.arguments[k].integer)
                                                                                                : std::nullopt;
    };
    const auto dim = number(1, 0), from = number(2, 0), to = number(3, kMaxElements), step = number(4, 1);
    if (s.target != "aten.slice.Tensor" || !dim || !from || !to || !step || *step != 1 || *dim < -whole.rank() || *dim >= whole.rank()) return std::nullopt;
    const std::int64_t d = *dim < 0 ? *dim + whole.rank() : *dim, extent = whole.dims[at(d)];
    const auto place = [&](std::int64_t k) { return std::clamp<std::int64_t>(k < 0 ? k + extent : k, 0, extent); };
    return Span{d, place(*from), place(*to)};
  };
  const auto a = span(one), b = span(other);
  if (!a || !b || a->dim != b->dim || (a->from == b->from && a->to == b->to)) return false;
  return std::max(a->from, b->from) < std::min(a->to, b->to);
}

std::optional<Statement> put_back(const Statement& given, const Statement& step, const Argument& own, const Type& whole, const Argument& part, std::int64_t item) {
  Statement made = step;
  made.type = whole;
  const auto call = [&](const char* target, std::vector<Argument> arguments) {
    made.target = target;
    made.arguments = std::move(arguments);
    made.keywords.clear();
    return made;
  };
  const auto rest = [&](std::vector<Argument> front) {
    front.insert(front.end(), step.arguments.begin() + 1, step.arguments.end());
    return front;
  };
  const auto dim = [&](std::size_t k) { return k < step.arguments.size() ? step.arguments[k].integer : 0; };
  const auto sizes = [&] { return step.arguments.size() > 1 ? step.arguments[1].items : std::vector<Argument>{}; };
  if (std::abs(dim(1)) > kMaxElements || item > kMaxElements) refuse(given, "pieces beyond the supported size");
  switch (view_of(step.target)->inverse) {
    case Inverse::Same: return std::nullopt;
    case Inverse::Shape: return call("aten.view.default", {part, Operation::whole(whole.dims)});
    case Inverse::Itself: return call(step.target.c_str(), rest({part}));
    case Inverse::Slice: return call("aten.slice_scatter.default", rest({own, part}));
    case Inverse::Select: return call("aten.select_scatter.default", rest({own, part}));
    case Inverse::Diagonal: return call("aten.diagonal_scatter.default", rest({own, part}));
    case Inverse::Permute: {
      const auto order = sizes();
      std::vector<std::int64_t> back(whole.dims.size(), -1);
      for (std::size_t k = 0; k < order.size(); ++k) {
        const std::int64_t d = order[k].integer < 0 ? order[k].integer + whole.rank() : order[k].integer;
        if (d < 0 || d >= whole.rank() || order.size() != back.size()) refuse(given, "through a permutation of other dimensions");
        back[static_cast<std::size_t>(d)] = static_cast<std::int64_t>(k);
      }
      return call("aten.permute.default", {part, Operation::whole(back)});
    }
    case Inverse::Split:
      if (item >= 0) return call("aten.slice_scatter.default", {own, part, Operation::whole(dim(2)), Operation::whole(item * dim(1)), Operation::whole((item + 1) * dim(1))});
      break;
    case Inverse::SplitSizes: {
      std::int64_t start = 0;
      const auto pieces = sizes();
      if (item >= static_cast<std::int64_t>(pieces.size())) break;
      for (const Argument& piece : pieces) {
        if (piece.integer < 0 || piece.integer > kMaxElements) refuse(given, "pieces beyond the supported size");
      }
      for (std::int64_t k = 0; k < item; ++k) start += pieces[static_cast<std::size_t>(k)].integer;
      if (item >= 0) {
        const std::int64_t end = start + pieces[static_cast<std::size_t>(item)].integer;
        return call("aten.slice_scatter.default", {own, part, Operation::whole(dim(2)), Operation::whole(start), Operation::whole(end)});
      }
      break;
    }
    case Inverse::Unbind:
      if (item >= 0) return call("aten.select_scatter.default", {own, part, Operation::whole(dim(1)), Operation::whole(item)});
      break;
    case Inverse::None: break;
  }
  refuse(given, "through '" + step.name + "' (" + step.target + "), whose elements may share memory");
}

}  // namespace gg::fx
