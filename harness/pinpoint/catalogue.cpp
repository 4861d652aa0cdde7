// The catalogue of repairs: its rows in one table.
#include <fmt/format.h>

#include <array>

#include "harness/pinpoint/repair.h"

namespace gg::pinpoint {
namespace {

constexpr std::array<Row, 15> kCatalogue = {
    collective_repairs,   // groups, order, removal, exchange with a function
    reduction_repairs,    // insertion of all-reduces
    permute_repairs,      // direction, neighbour
    literal_repairs,      // constants and tables
    scale_repairs,        // factors N and 1/N
    slip_repairs,         // what mutations change: order of operands, slices, directions, dimensions
    index_repairs,        // offsets of the own block
    layout_repairs,       // transposes, reshapes, gathers
    operand_repairs,      // other operands, operators too many
    mask_repairs,         // rows that a rank does not own
    running_repairs,      // running sums under a running maximum
    ring_repairs,         // masks of blocks that travel around a ring
    step_repairs,         // numbers of rounds, a last step that is left out, reads one step beside
    halo_repairs,         // edges of the neighbours' blocks
    counterpart_repairs,  // the sequential operation of the same operator
};

constexpr std::size_t kMostNamed = 3;  ///< places of one edit

/// `b` behind `a`, as one patch.
void append(Patch& a, const Patch& b) {
  const auto offset = static_cast<std::uint32_t>(a.added.size());
  const auto moved = [&](Ref ref) { return ref.added ? Ref{ref.id + offset, true} : ref; };
  for (Added added : b.added) {
    for (Ref& operand : added.operands) operand = moved(operand);
    a.added.push_back(std::move(added));
  }
  for (Changed changed : b.changed) {
    for (Ref& operand : changed.operands) operand = moved(operand);
    a.changed.push_back(std::move(changed));
  }
  for (const Reroute& reroute : b.reroutes) a.reroutes.push_back({reroute.from, moved(reroute.to), reroute.only});
}

}  // namespace

Repair joined(const Context& context, const std::vector<Repair>& which, int cost) {
  Repair all = which.front();
  std::string names;
  for (std::size_t k = 1; k < which.size(); ++k) {
    append(all.patch, which[k].patch);
    if (k <= kMostNamed) names += (k == 1 ? "" : ", ") + context.name(which[k].at);
  }
  if (which.size() > kMostNamed + 1) names += fmt::format(" and {} more", which.size() - kMostNamed - 1);
  all.text += "; likewise " + names;
  all.edit += ", likewise at " + names;
  all.cost = cost;
  all.parts = which;
  return all;
}

std::vector<Repair> repairs_at(const Context& context, InstructionId place) {
  std::vector<Repair> repairs;
  for (const Row row : kCatalogue) row(context, place, repairs);
  for (Repair& repair : repairs) repair.place = repair.place == kNone ? place : repair.place;
  return repairs;
}

}  // namespace gg::pinpoint
