// From bodies to steps (kernels/device/code.h). Registers are given in scopes: what a branch or a fold computes is forgotten
// behind it, what stands before it is used again.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <unordered_map>

#include "kernels/device/device.h"
#include "kernels/device/interpret.h"
#include "kernels/plan/semantics.h"
#include "models/body/reads.h"
#include "models/type/type.h"

namespace gg::device {
namespace {

#define SCALAR(Enum, name, arity, Class, Result, Fact) \
  static_assert(static_cast<int>(Fn::Enum) == static_cast<int>(ScalarFn::Enum), "one numbering of scalar functions");
#include "models/body/scalar.def"
#undef SCALAR

struct ElementRow {
  ElementType type;
  Element element;
};
constexpr std::array kElements = {
    ElementRow{ElementType::Pred, Element::Pred},
    ElementRow{ElementType::S8, Element::S8},
    ElementRow{ElementType::S16, Element::S16},
    ElementRow{ElementType::S32, Element::S32},
    ElementRow{ElementType::S64, Element::S64},
    ElementRow{ElementType::U8, Element::U8},
    ElementRow{ElementType::U16, Element::U16},
    ElementRow{ElementType::U32, Element::U32},
    ElementRow{ElementType::U64, Element::U64},
    ElementRow{ElementType::BF16, Element::BF16},
    ElementRow{ElementType::F16, Element::F16},
    ElementRow{ElementType::F32, Element::F32},
    ElementRow{ElementType::F64, Element::F64},
};

/// This body does not fit the machine.
struct DoesNotFit {};

class Lowering {
 public:
  Lowering(const Arena& arena, const Body& body, std::span<const ElementType> types,
           std::span<const std::vector<std::int64_t>> extents, NumberMode mode)
      : arena_(arena), types_(types), extents_(extents), mode_(mode), next_(static_cast<int>(body.extents.size())) {
    if (body.extents.size() > kMaxDims || types.size() > kMaxOperands) throw DoesNotFit{};
    each_expression(arena, body.root, [&](ExprId id) {
      const Expr& e = arena[id];
      if (e.kind == ExprKind::Fold) next_ = std::max<int>(next_, e.fold_level + e.fold_vars);
    });
    code_.levels = next_;
    if (next_ > kRegisters) throw DoesNotFit{};
    code_.extents = body.extents;
    code_.elements = element_count(body.extents);
    code_.type = element(body.type);
    code_.result = value(body.root);
  }
  Code take() { return std::move(code_); }

 private:
  using Memo = std::unordered_map<std::uint32_t, int>;

  Element element(ElementType type) const {
    const auto found = element_of(type, mode_);
    if (!found) throw DoesNotFit{};
    return *found;
  }

  int fresh() {
    if (next_ >= kRegisters) throw DoesNotFit{};
    return next_++;
  }
  Step& add(StepKind kind, int dst, int a = 0, int b = 0, std::int64_t imm = 0) {
    Step& s = code_.steps.emplace_back();
    s.kind = kind;
    s.dst = dst;
    s.a = a;
    s.b = b;
    s.imm = imm;
    return s;
  }
  std::int64_t here() const { return static_cast<std::int64_t>(code_.steps.size()); }
  int constant(std::int64_t value) {
    const int dst = fresh();
    add(StepKind::Constant, dst, 0, 0, value);
    return dst;
  }

  /// Forgets at its end what was computed since: registers and memos.
  class Scope {
   public:
    explicit Scope(Lowering& l) : l_(l), next_(l.next_), values_(l.values_), forms_(l.forms_) {}
    ~Scope() {
      l_.next_ = next_;
      l_.values_ = std::move(values_);
      l_.forms_ = std::move(forms_);
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Lowering& l_;
    int next_;
    Memo values_, forms_;
  };

  int form(LinId id) {
    if (const auto hit = forms_.find(id.value); hit != forms_.end()) return hit->second;
    const Lin lin = arena_[id];
    int sum = -1;
    const std::vector<Multiple> terms(arena_.terms(id).begin(), arena_.terms(id).end());
    for (const Multiple& t : terms) {
      const int part = atom(arena_.atom(t.atom));
      if (sum < 0 && lin.c0 == 0 && t.coef == 1 && terms.size() == 1) {
        sum = part;
        break;
      }
      if (sum < 0) sum = constant(lin.c0);
      const int dst = fresh();
      add(StepKind::MultiplyAdd, dst, sum, part, t.coef);
      sum = dst;
    }
    if (sum < 0) sum = constant(lin.c0);
    forms_[id.value] = sum;
    return sum;
  }

  int atom(const Atom& a) {
    switch (a.kind) {
      case AtomKind::Var: return a.level;
      case AtomKind::Div: {
        const int of = form(LinId{a.arg}), dst = fresh();
        add(StepKind::Quotient, dst, of, 0, a.m);
        return dst;
      }
      case AtomKind::Data: {
        const ElementType type = arena_[ExprId{a.arg}].type;
        const int of = value(ExprId{a.arg}), dst = fresh();
        const auto bounds = static_cast<std::int64_t>(code_.tables.size());
        code_.tables.insert(code_.tables.end(), {a.lo, a.hi});
        add(StepKind::Clamp, dst, of, 0, bounds).from = element(type);
        return dst;
      }
      case AtomKind::Table: {
        const auto& values = arena_.table_values(TableId{a.arg});
        const int of = form(LinId{a.index}), dst = fresh();
        const auto first = static_cast<std::int64_t>(code_.tables.size());
        code_.tables.insert(code_.tables.end(), values.begin(), values.end());
        add(StepKind::Table, dst, of, 0, first);
        return dst;
      }
    }
    return 0;
  }

  int guard(GuardId id) {
    const Guard g = arena_[id];
    switch (g.kind) {
      case GuardKind::True: return constant(1);
      case GuardKind::False: return constant(0);
      case GuardKind::Le0:
      case GuardKind::Eq0: {
        const int of = form(arena_.lin(id)), dst = fresh();
        add(g.kind == GuardKind::Le0 ? StepKind::NotAbove : StepKind::IsZero, dst, of);
        return dst;
      }
      case GuardKind::Not: {
        const int of = guard(arena_.kids(id)[0]), dst = fresh();
        add(StepKind::Not, dst, of);
        return dst;
      }
      case GuardKind::And:
      case GuardKind::Or: break;
    }
    // A later kid may read where an earlier one does not hold: each is computed only when it decides.
    const int dst = fresh();
    const bool all = g.kind == GuardKind::And;
    std::vector<std::int64_t> exits;
    const std::vector<GuardId> kids(arena_.kids(id).begin(), arena_.kids(id).end());
    for (std::size_t k = 0; k < kids.size(); ++k) {
      {
        const Scope scope(*this);
        add(StepKind::Copy, dst, guard(kids[k]));
        if (k + 1 == kids.size()) break;
        int decides = dst;
        if (!all) {
          decides = fresh();
          add(StepKind::Not, decides, dst);
        }
        exits.push_back(here());
        add(StepKind::JumpUnless, 0, decides);
      }
    }
    for (const std::int64_t exit : exits) code_.steps[static_cast<std::size_t>(exit)].imm = here();
    return dst;
  }

  int value(ExprId id) {
    if (const auto hit = values_.find(id.value); hit != values_.end()) return hit->second;
    const int at = make(id, arena_[id]);
    values_[id.value] = at;
    return at;
  }

  std::int64_t literal(ElementType type, double real, std::int64_t integer) const {
    const Element e = element(type);
    if (!device::is_float(e)) return wrap_to(type, integer);
    if (e == Element::F64) return std::bit_cast<std::int64_t>(real);
    return static_cast<std::int64_t>(bits_of_single(rounded_from_f64(e, real)));
  }

  int make(ExprId id, const Expr e) {
    switch (e.kind) {
      case ExprKind::Read: {
        const auto& dims = extents_[e.arg];
        const auto index = arena_.indices(id);
        int address = -1;
        std::int64_t stride = 1;
        for (std::size_t d = index.size(); d-- > 0;) {
          const int part = form(index[d]);
          if (address < 0) {
            address = part;
          } else {
            const int dst = fresh();
            add(StepKind::MultiplyAdd, dst, address, part, stride);
            address = dst;
          }
          stride *= dims[d];
        }
        if (address < 0) address = constant(0);
        const int dst = fresh();
        add(StepKind::Read, dst, address, static_cast<int>(e.arg)).from = element(types_[e.arg]);
        return dst;
      }
      case ExprKind::Index: {
        const int of = form(LinId{e.arg}), dst = fresh();
        add(StepKind::Index, dst, of).type = element(e.type);
        return dst;
      }
      case ExprKind::Lit: return constant(literal(e.type, arena_.scalar(id).real, arena_.scalar(id).integer));
      case ExprKind::Unknown: {
        const bool least = is_signed(e.type) && is_integral(e.type);
        const std::int64_t low = least ? std::numeric_limits<std::int64_t>::min() >> (64 - info(e.type).bits) : 0;
        return constant(literal(e.type, std::numeric_limits<double>::quiet_NaN(), low));
      }
      case ExprKind::Constant: throw DoesNotFit{};
      case ExprKind::Fn: return function(id, e, e.type);
      case ExprKind::Case: return branch(id);
      case ExprKind::Fold: return fold(id, e);
    }
    return 0;
  }

  /// The function with its result in `type` (wider than its own in a sum of products).
  int function(ExprId id, const Expr& e, ElementType type) {
    const std::vector<ExprId> kids(arena_.kids(id).begin(), arena_.kids(id).end());
    int at[3] = {0, 0, 0};
    for (std::size_t k = 0; k < kids.size(); ++k) at[k] = value(kids[k]);
    const ElementType argument = arena_[kids[e.fn == ScalarFn::Select ? 1 : 0]].type;
    const int dst = fresh();
    Step& s = add(e.fn == ScalarFn::Convert ? StepKind::Convert : StepKind::Apply, dst, at[0], at[1]);
    s.c = at[2];
    s.fn = static_cast<std::uint8_t>(e.fn);
    s.type = element(type);
    s.from = element(argument);
    return dst;
  }

  int branch(ExprId id) {
    const int dst = fresh();
    const Scope outer(*this);
    const int decides = guard(arena_.guard(id));
    const std::int64_t jump = here();
    add(StepKind::JumpUnless, 0, decides);
    {
      const Scope scope(*this);
      add(StepKind::Copy, dst, value(arena_.kids(id)[0]));
    }
    const std::int64_t over = here();
    add(StepKind::Jump, 0);
    code_.steps[static_cast<std::size_t>(jump)].imm = here();
    {
      const Scope scope(*this);
      add(StepKind::Copy, dst, value(arena_.kids(id)[1]));
    }
    code_.steps[static_cast<std::size_t>(over)].imm = here();
    return dst;
  }

  int fold(ExprId id, const Expr& e) {
    const ElementType type = accumulation_type(e.type, mode_);
    const ExprId body = arena_.kids(id)[1];
    const std::vector<std::int64_t> extents(arena_.extents(id).begin(), arena_.extents(id).end());
    const int start = value(arena_.kids(id)[0]), acc = fresh();
    const Scope outer(*this);
    add(StepKind::Copy, acc, start);
    std::vector<int> ends;
    for (const std::int64_t extent : extents) ends.push_back(constant(extent));
    const std::int64_t top = here();
    {
      const Scope scope(*this);
      const int holds = guard(arena_.guard(id));
      const std::int64_t skip = here();
      add(StepKind::JumpUnless, 0, holds);
      const int one = accumulates_product(arena_, id) ? function(body, arena_[body], type) : value(body);
      Step& s = add(StepKind::Apply, acc, acc, one);
      s.fn = static_cast<std::uint8_t>(e.fn);
      s.type = s.from = element(type);
      code_.steps[static_cast<std::size_t>(skip)].imm = here();
    }
    for (std::size_t v = extents.size(); v-- > 0;) {
      add(StepKind::Next, e.fold_level + static_cast<int>(v), ends[v], 0, top);
    }
    if (type != e.type) {
      Step& s = add(StepKind::Convert, acc, acc);
      s.from = element(type);
      s.type = element(e.type);
    }
    return acc;
  }

  const Arena& arena_;
  std::span<const ElementType> types_;
  std::span<const std::vector<std::int64_t>> extents_;
  NumberMode mode_;
  int next_;
  Code code_;
  Memo values_, forms_;
};

}  // namespace

std::optional<Element> element_of(ElementType type, NumberMode mode) {
  if (is_real(mode)) return std::nullopt;
  if (is_float(type) && mode == NumberMode::F64) return Element::F64;
  if (is_float(type) && mode == NumberMode::F32) return Element::F32;
  for (const ElementRow& row : kElements) {
    if (row.type == type) return row.element;
  }
  return std::nullopt;
}

std::optional<Code> lower(const Arena& arena, const Body& body, std::span<const ElementType> types,
                          std::span<const std::vector<std::int64_t>> extents, NumberMode mode) {
  try {
    return Lowering(arena, body, types, extents, mode).take();
  } catch (const DoesNotFit&) {
    return std::nullopt;
  }
}

}  // namespace gg::device
