#include "models/size/kinds.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace gg {

KindId Kinds::add() {
  parents_.push_back(static_cast<KindId>(parents_.size()));
  return parents_.back();
}

KindId Kinds::root(KindId kind) const {
  while (parents_[kind] != kind) kind = parents_[kind];
  return kind;
}

void Kinds::tie(KindId a, KindId b) {
  const auto find = [this](KindId k) {
    while (parents_[k] != k) k = parents_[k] = parents_[parents_[k]];
    return k;
  };
  a = find(a);
  b = find(b);
  parents_[std::max(a, b)] = std::min(a, b);
}

void Kinds::attach(KindId kind, SizeVar dimension, SizeVar window) { given_.push_back({kind, {dimension, window}}); }

void Kinds::close() {
  by_root_.clear();
  for (const auto& [kind, attachment] : given_) by_root_[root(kind)].push_back(attachment);
}

const std::vector<Kinds::Attachment>& Kinds::attachments(KindId kind) const {
  static const std::vector<Attachment> kNothing;
  const auto found = by_root_.find(root(kind));
  return found == by_root_.end() ? kNothing : found->second;
}

bool Kinds::keep_mixed(SizeSystem& sizes) const {
  bool more = false;
  for (const auto& [kind, attachments] : by_root_) {
    std::set<SizeVar> stay, open;
    for (const Attachment& a : attachments) {
      if (sizes.size(a.dimension) <= sizes.small()) continue;
      (sizes.kept(a.dimension) ? stay : open).insert(sizes.root(a.dimension));
    }
    if (stay.empty() || open.empty()) continue;
    for (const SizeVar v : open) {
      const std::vector<SizeVar> relatives = sizes.relatives(v);
      const bool related = std::any_of(stay.begin(), stay.end(), [&](SizeVar s) {
        return std::find(relatives.begin(), relatives.end(), s) != relatives.end();
      });
      if (related) continue;
      sizes.keep(v, "counted together with a size that stays", {});
      more = true;
    }
  }
  return more;
}

void Kinds::unite_sizes(SizeSystem& sizes) const {
  for (const auto& [kind, attachments] : by_root_) {
    std::map<std::int64_t, SizeVar> first;
    for (const Attachment& a : attachments) {
      for (const SizeVar v : {a.dimension, a.window}) {
        if (v == kNoSize) continue;
        const auto [found, fresh] = first.emplace(sizes.size(v), v);
        if (!fresh) sizes.equal(found->second, v, {});
      }
    }
  }
}

namespace {

constexpr std::int64_t kMaxBlocks = 4096;

// All readings of one value, in tiers: the first tier with a reading counts.
class Reader {
 public:
  Reader(SizeSystem& sizes, std::int64_t value) : sizes_(sizes), value_(value) {}

  void of(SizeVar v, std::int64_t shift) { add({{{1, v}}, shift}); }
  void blocks(SizeVar v) {
    const std::int64_t unit = sizes_.size(v);
    if (unit <= sizes_.small()) return;
    for (const std::int64_t shift : {0, -1}) {
      if ((value_ - shift) % unit != 0) continue;
      const std::int64_t q = (value_ - shift) / unit;
      if (q >= 1 && q <= kMaxBlocks) add({{{q, v}}, shift});
    }
  }
  void border(SizeVar v) {
    for (const std::int64_t b : sizes_.borders(v)) {
      if (b != value_ && b - 1 != value_) continue;
      if (auto expr = sizes_.border_expr(v, b)) {
        expr->constant = value_ - b;
        add(*expr);
      }
    }
  }
  void remainder(SizeVar whole, SizeVar window) { add({{{1, whole}, {-1, window}}, 0}); }

  bool empty() const { return readings_.empty(); }
  const std::vector<SizeExpr>& readings() const { return readings_; }

 private:
  // Keeps an expression that gives the value and is not equal to a known one.
  void add(SizeExpr expr) {
    std::int64_t given = expr.constant;
    for (auto& [coefficient, v] : expr.terms) {
      v = sizes_.root(v);
      given += coefficient * sizes_.size(v);
    }
    if (given != value_) return;
    for (const SizeExpr& known : readings_) {
      if (sizes_.same(known, expr)) return;
    }
    readings_.push_back(std::move(expr));
  }

  SizeSystem& sizes_;
  std::int64_t value_;
  std::vector<SizeExpr> readings_;
};

struct Family {
  std::vector<SizeVar> own, wider;  ///< roots: attached ones, their relatives
  std::vector<Kinds::Attachment> attachments;
};

Family family_of(const SizeSystem& sizes, const Kinds& kinds, KindId kind) {
  std::set<SizeVar> own, wider;
  Family family;
  family.attachments = kinds.attachments(kind);
  for (const auto& a : family.attachments) {
    own.insert(sizes.root(a.dimension));
    if (a.window != kNoSize && sizes.size(a.window) > sizes.small()) wider.insert(sizes.root(a.window));
  }
  for (const SizeVar v : own) {
    for (const SizeVar r : sizes.relatives(v)) wider.insert(r);
  }
  const std::set<SizeVar> first = wider;
  for (const SizeVar v : first) {
    for (const SizeVar r : sizes.relatives(v)) wider.insert(r);
  }
  family.own.assign(own.begin(), own.end());
  for (const SizeVar v : wider) {
    if (own.count(v) == 0) family.wider.push_back(v);
  }
  return family;
}

std::vector<SizeExpr> readings_of(SizeSystem& sizes, const Family& family, std::int64_t value) {
  using Tier = void (*)(Reader&, const Family&);
  static constexpr Tier kTiers[] = {
      [](Reader& r, const Family& f) {
        for (const SizeVar v : f.own) {
          for (const std::int64_t shift : {0, -1}) r.of(v, shift);
        }
      },
      [](Reader& r, const Family& f) {
        for (const auto& a : f.attachments) {
          if (a.window != kNoSize) r.remainder(a.dimension, a.window);
        }
        for (const SizeVar v : f.own) r.border(v);
      },
      [](Reader& r, const Family& f) {
        for (const SizeVar v : f.wider) {
          for (const std::int64_t shift : {0, -1}) r.of(v, shift);
        }
        for (const SizeVar v : f.wider) r.border(v);
      },
      [](Reader& r, const Family& f) {
        for (const auto* list : {&f.own, &f.wider}) {
          for (const SizeVar v : *list) {
            for (const std::int64_t shift : {1, -2, 2}) r.of(v, shift);
          }
        }
      },
      [](Reader& r, const Family& f) {
        for (const auto* list : {&f.own, &f.wider}) {
          for (const SizeVar v : *list) r.blocks(v);
        }
      },
  };
  for (const Tier tier : kTiers) {
    Reader reader(sizes, value);
    tier(reader, family);
    if (!reader.empty()) return reader.readings();
  }
  return {};
}

// The difference of two sizes of the kind (the ticks of a pipeline and its microbatches) stays what it is, and so does the
// literal. False if it is none.
bool keep_difference(SizeSystem& sizes, const Family& family, std::int64_t value, SizeOrigin origin) {
  bool found = false;
  for (const SizeVar a : family.own) {
    for (const SizeVar b : family.own) {
      if (sizes.size(a) - sizes.size(b) != value || sizes.size(b) <= value) continue;
      sizes.linear({{{1, a}, {-1, b}}, -value}, origin);
      found = true;
    }
  }
  return found;
}

}  // namespace

Reading read_literal(SizeSystem& sizes, const Kinds& kinds, KindId kind, std::int64_t value, SizeOrigin origin) {
  if (std::abs(value) <= sizes.small()) return {};
  const Family family = family_of(sizes, kinds, kind);
  const auto open = [&](SizeVar v) { return !sizes.kept(v); };
  if (std::none_of(family.own.begin(), family.own.end(), open) &&
      std::none_of(family.wider.begin(), family.wider.end(), open)) {
    return {Reading::Status::Free, {}};
  }
  std::vector<SizeExpr> readings = readings_of(sizes, family, std::abs(value));
  if (value < 0) {
    for (SizeExpr& expr : readings) {
      expr.constant = -expr.constant;
      for (auto& term : expr.terms) term.first = -term.first;
    }
  }
  if (readings.size() == 1) return {Reading::Status::Explained, readings[0]};
  for (const SizeExpr& expr : readings) {
    for (const auto& term : expr.terms) sizes.keep(term.second, "a literal with two readings", origin);
  }
  if (!readings.empty()) return {Reading::Status::Ambiguous, {}};
  if (keep_difference(sizes, family, std::abs(value), origin)) {
    SizeExpr as_is;
    as_is.constant = value;
    return {Reading::Status::Explained, as_is};
  }
  for (const SizeVar v : family.own) sizes.keep(v, "a literal that no size explains", origin);
  return {Reading::Status::Unexplained, {}};
}

}  // namespace gg
