// The catalogue of repairs: its rows in one table.
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

}  // namespace

std::vector<Repair> repairs_at(const Context& context, InstructionId place) {
  std::vector<Repair> repairs;
  for (const Row row : kCatalogue) row(context, place, repairs);
  for (Repair& repair : repairs) repair.place = repair.place == kNone ? place : repair.place;
  return repairs;
}

}  // namespace gg::pinpoint
