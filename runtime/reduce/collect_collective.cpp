// What collectives say about sizes: gathered and scattered dimensions are blocks of the members of a group.
#include "runtime/reduce/collect.h"

namespace gg {
namespace {

// Dimension `along` of the larger value is a row of blocks of the smaller one.
void blocks(Rules& r, std::size_t along, bool result_is_larger) {
  for (std::size_t k = 0; k < r.program.leaves(r.id); ++k) {
    for (std::size_t d = 0; d < r.type(k).dims.size(); ++d) {
      const SizeVar in = r.in(k, d), out = r.out(d, k);
      const SizeVar large = result_is_larger ? out : in, small = result_is_larger ? in : out;
      if (d != along || r.sizes.size(large) == r.sizes.size(small)) r.equal(in, out);
      else r.sizes.factor(large, {{kNoSize, r.sizes.size(large) / r.sizes.size(small)}, {small, 1}}, r.origin());
    }
    r.tie_result(k, k);
  }
}

std::size_t dimension(const Rules& r) { return static_cast<std::size_t>(r.attributes().ints(Attr::BroadcastDims).at(0)); }

}  // namespace

void all_gather_rule(Rules& r) { blocks(r, dimension(r), true); }
void reduce_scatter_rule(Rules& r) { blocks(r, dimension(r), false); }

void all_to_all_rule(Rules& r) {
  for (std::size_t k = 0; k < r.program.leaves(r.id); ++k) {
    r.as_result(k, k);
    r.as_first(k);
    r.tie_result(k, k);
  }
  if (!r.attributes().has(Attr::BroadcastDims)) return;
  // Array form: the exchanged dimension is a row of blocks, one a member.
  const SizeVar exchanged = r.in(0, dimension(r));
  const ReplicaGroups& groups = r.attributes().groups();
  std::int64_t members = r.sizes.size(exchanged);
  if (!groups.groups.empty()) {
    members = static_cast<std::int64_t>(groups.groups[0].size());
  } else {
    r.keep(exchanged, "an exchange between all ranks");
  }
  if (members == 0 || r.sizes.size(exchanged) % members != 0) return r.keep(exchanged, "an exchanged dimension");
  r.sizes.factor(exchanged, {{kNoSize, members}, {r.sizes.add(r.sizes.size(exchanged) / members), 1}}, r.origin());
}

}  // namespace gg
