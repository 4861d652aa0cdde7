// The sequential value that a multiple of another one is at places where a condition is decided: x times a sign that hangs on the place.
#include <algorithm>
#include <array>

#include "prover/engine/engine.h"

namespace gg::prover {
namespace {

constexpr std::size_t kMaxDecided = 8;        ///< values made of one
constexpr std::uint32_t kMaxDefinition = 40;  ///< nodes of the definition of such a value

}  // namespace

/// The steps to such a value; the first one puts the factor that is decided in its place.
std::vector<Step> Matcher::decided(TermId term, const std::function<bool(AnchorId)>& wanted) {
  const auto [coef, read] = t_.content(term);
  if (t_[read].kind != Kind::Read || t_[read].sort != Sort::Real || t_.anchor_of(read) >= users_.size()) return {};
  const std::vector<AnchorId>& users = users_[t_.anchor_of(read)];
  const std::vector<LinId> index = t_.index_of(read);
  for (std::size_t u = 0; u < std::min(users.size(), kMaxDecided); ++u) {
    const AnchorId user = users[u];
    const TermId form = t_.anchor(user).form;
    if (t_.anchor(user).sort != Sort::Real || t_[form].size > kMaxDefinition || !wanted(user)) continue;
    const std::vector<std::int64_t>& extents = t_.anchor(user).extents;
    std::vector<LinId> at(extents.size(), LinId::Zero), plain = t_.variables(extents);
    std::optional<TermId> factor;  // the other value that the definition reads
    bool fits = true;
    for (const TermId inside : t_.reads_in(form)) {
      const std::vector<LinId> from = t_.index_of(inside);
      if (t_.anchor_of(inside) != t_.anchor_of(read)) fits = fits && !factor, factor = inside;
      else if (std::is_permutation(from.begin(), from.end(), plain.begin(), plain.end()))
        for (std::size_t k = 0; k < from.size(); ++k) at[static_cast<std::size_t>(std::find(plain.begin(), plain.end(), from[k]) - plain.begin())] = index[k];
      else fits = false;
    }
    if (!fits || !factor) continue;
    const Terms::Map map(0, at);
    const TermId whole = t_.substitute(form, map), other = t_.substitute(*factor, map);
    const auto [times, rest] = t_.content(t_.expand_marked(whole, std::array{std::pair{other, 1}}));
    if (rest != read || times == RatId::Zero) continue;
    const RatId scale = t_.q.mul(coef, t_.q.inv(times));
    const TermId name = t_.read(user, at);
    return {{t_.scale(scale, whole), {{other, 1}}, 0}, {t_.scale(scale, name), {{name, 1}}, 0}};
  }
  return {};
}

/// The distributed value by the sequential one of the same operator, if that says what it is at these places.
std::vector<Step> Engine::decided(const Side& side, std::uint32_t node, std::uint32_t, TermId t) {
  const auto op = [](const Side& s, std::uint32_t n) { return (*s.module)[s.flat.nodes[n].instruction].op; };
  const Op own = op(side, node);
  if (factor_exponent(own) <= 0 && !chooses(own)) return {};
  return matcher_.decided(t, [&](AnchorId a) {
    const auto it = places_.find(a);
    return it != places_.end() && !it->second.carry && op(side_of(it->second.place), it->second.place.node) == own;
  });
}

}  // namespace gg::prover
