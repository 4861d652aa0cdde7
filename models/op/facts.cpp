#include "models/op/facts.h"

#include <algorithm>

namespace gg {
namespace {

bool takes(Op op, Attr attr) {
  const auto rows = attributes_of(op);
  return std::any_of(rows.begin(), rows.end(), [&](const OpAttribute& row) { return row.attr == attr; });
}

}  // namespace

bool moves_elements(Op op) { return info(op).traits == OpTraits::Layout && op != Op::BitcastConvert; }  // that one cuts elements up

bool rearranges(Op op) { return moves_elements(op) && info(op).most_operands == 1; }

bool takes_part(Op op) { return takes(op, Attr::Slice) || takes(op, Attr::SliceSizes) || takes(op, Attr::DynamicSliceSizes); }

bool pads(Op op) { return takes(op, Attr::Padding); }

bool places_block(Op op) { return info(op).traits == OpTraits::Indexing && !takes(op, Attr::IndexVectorDim); }

bool converts(Op op) { return op == Op::Convert; }

bool rounds_to_integers(Op op) {
  const auto fn = scalar_function(info(op).name);
  return fn == ScalarFn::Floor || fn == ScalarFn::Ceil || fn == ScalarFn::RoundEven || fn == ScalarFn::RoundAfz;
}

bool chooses(Op op) {
  const auto fn = scalar_function(info(op).name);
  return fn && (info(*fn).cls == ScalarClass::Order || info(*fn).cls == ScalarClass::Select);
}

bool combines_ranks(Op op) { return info(op).traits == OpTraits::Collective && takes(op, Attr::ToApply); }

int term_sign(Op op) {
  const auto fn = scalar_function(info(op).name);
  return fn == ScalarFn::Add ? 1 : fn == ScalarFn::Subtract ? -1
                                                            : 0;
}

int factor_exponent(Op op) {
  const auto fn = scalar_function(info(op).name);
  return fn == ScalarFn::Multiply ? 1 : fn == ScalarFn::Divide ? -1
                                                               : 0;
}

bool hands_literal(Op op) { return converts(op) || (rearranges(op) && !takes_part(op)); }

bool folds(Op op) {
  const OpTraits traits = info(op).traits;
  if (traits == OpTraits::Contraction || traits == OpTraits::Reduction) return true;
  return takes(op, Attr::ToApply) && (traits == OpTraits::Collective || traits == OpTraits::Indexing);
}

std::optional<std::int64_t> rank_number(Op op, std::int64_t rank, RankLayout layout) {
  if (op == Op::PartitionId) return rank % layout.partitions;
  if (op == Op::ReplicaId) return rank / layout.partitions;
  return std::nullopt;
}

}  // namespace gg
