// Roots among the factors of a product.
#include <algorithm>

#include "prover/term/store.h"

namespace gg::prover {

/// Powers of one base, of one sign, one of which is a root: all NaN where the base is negative. They are the power by their sum if that is
/// a root, else the one half and the rest.
void Terms::join_roots(std::vector<Factor>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Factor f = list[i];
    if (q.is_integer(f.exp)) continue;
    const auto same = [&](const Factor& g) { return g.term == f.term && q.sign(g.exp) == q.sign(f.exp); };
    const RatId half = q.of(q.sign(f.exp), 2);
    RatId total = RatId::Zero;
    for (const Factor& g : list) total = same(g) ? q.add(total, g.exp) : total;
    const auto count_same = std::ranges::count_if(list, same);
    const bool halves = q.is_integer(total) && std::ranges::find(list, Factor{f.term, half}) != list.end();
    if (count_same == 1 || (count_same == 2 && halves)) continue;
    count(LemmaId::RootsTogether);
    std::erase_if(list, same);
    if (q.is_integer(total)) list.push_back({f.term, half});
    list.push_back({f.term, q.is_integer(total) ? q.sub(total, half) : total});
    i = static_cast<std::size_t>(-1);
  }
}

}  // namespace gg::prover
