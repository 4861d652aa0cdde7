// Placements in the user's notation: JAX P(...), XLA {devices=...}, DTensor [Shard(0), ...], Shardy [{'dp'}, {}].
#include <algorithm>

#include "models/relation/placement.h"
#include "models/relation/text_cursor.h"

namespace gg {
namespace {

void make_partial(Placement& placement, std::vector<std::string> axes, std::string op) {
  if (axes.empty()) return;
  placement.kind = Placement::Kind::Partial;
  placement.partial_axes = std::move(axes);
  placement.partial_op = std::move(op);
}

// P('dp', None, ('fsdp', 'tp'), unreduced={'x'}); fewer items than dimensions mean None.
Placement parse_partition_spec(TextCursor& cursor, int rank) {
  Placement placement;
  cursor.expect("(");
  bool first = true;
  while (!cursor.accept(")")) {
    if (!first) {
      cursor.expect(",");
      if (cursor.accept(")")) break;
    }
    first = false;
    if (cursor.peek("'") || cursor.peek("\"")) {
      placement.dims.push_back({.axes = {cursor.quoted()}, .segments = {}});
    } else if (cursor.peek("(")) {
      placement.dims.push_back({.axes = cursor.names("(", ")"), .segments = {}});
    } else {
      const std::string word = cursor.word();
      if (word == "None") {
        placement.dims.emplace_back();
      } else if (word == "unreduced") {
        cursor.expect("=");
        const bool frozen = cursor.accept("frozenset(");
        make_partial(placement, cursor.names("{", "}"), "sum");
        if (frozen) cursor.expect(")");
      } else if (word == "P.UNCONSTRAINED" || word == "PartitionSpec.UNCONSTRAINED" || word == "UNCONSTRAINED") {
        cursor.fail("UNCONSTRAINED does not say how the tensor is split", DiagCode::UnsupportedForm);
      } else {
        cursor.fail("'" + word + "' is neither None, an axis name nor a tuple of names");
      }
    }
  }
  if (static_cast<int>(placement.dims.size()) > rank) {
    cursor.fail("it has " + std::to_string(placement.dims.size()) + " dimensions, the tensor " + std::to_string(rank));
  }
  placement.dims.resize(static_cast<std::size_t>(rank));
  return placement;
}

// [{'dp'}, {}] with the optional frame #sdy.sharding<@mesh, ...> and explicit replicated={...}, unreduced={...}.
Placement parse_shardy(TextCursor& cursor, bool framed) {
  Placement placement;
  if (framed) {
    cursor.expect("<");
    if (cursor.word().rfind('@', 0) != 0) cursor.fail("expected the mesh's name, '@mesh'");
    cursor.expect(",");
  }
  cursor.expect("[");
  while (!cursor.accept("]")) {
    if (!placement.dims.empty()) cursor.expect(",");
    placement.dims.push_back({.axes = cursor.names("{", "}"), .segments = {}});
    if (cursor.peek("p")) cursor.fail("priorities are not supported", DiagCode::UnsupportedForm);
  }
  while (cursor.accept(",")) {
    const std::string word = cursor.word();
    cursor.expect("=");
    auto axes = cursor.names("{", "}");
    if (word == "unreduced") {
      make_partial(placement, std::move(axes), "sum");
    } else if (word != "replicated") {
      cursor.fail("'" + word + "' is neither replicated nor unreduced");
    }
  }
  if (framed) cursor.expect(">");
  return placement;
}

// One DTensor placement of one mesh axis.
struct AxisPlacement {
  enum class Kind : std::uint8_t { Replicate,
                                   Shard,
                                   Partial } kind = Kind::Replicate;
  std::int64_t dim = 0;
  std::int64_t split_factor = 1;
  std::string op = "sum";
};

std::string parse_partial_op(TextCursor& cursor) {
  std::string op = cursor.peek("'") || cursor.peek("\"") ? cursor.quoted() : cursor.word();
  if (op == "reduce_op") {
    cursor.expect("=");
    op = cursor.peek("'") || cursor.peek("\"") ? cursor.quoted() : cursor.word();
  }
  if (op == "product" || op == "prod") op = "mul";
  return op.empty() ? "sum" : op;
}

AxisPlacement parse_axis_placement(TextCursor& cursor) {
  AxisPlacement result;
  const std::string word = cursor.word();
  const bool called = cursor.accept("(");
  if (word == "Replicate" || word == "R") {
    if (called) cursor.expect(")");
    return result;
  }
  if (word == "Partial" || word == "P") {
    result.kind = AxisPlacement::Kind::Partial;
    if (called && !cursor.peek(")")) result.op = parse_partial_op(cursor);
    if (called) cursor.expect(")");
    return result;
  }
  const bool strided = word == "_StridedShard" || word == "_S";
  if ((word != "Shard" && word != "S" && !strided) || !called) {
    cursor.fail("'" + word + "' is no placement; known: Shard(d), Replicate(), Partial(op), _StridedShard(d, sf)");
  }
  result.kind = AxisPlacement::Kind::Shard;
  if (cursor.accept("dim")) cursor.expect("=");
  result.dim = cursor.integer();
  if (strided) {
    cursor.expect(",");
    if (cursor.accept("sf") || cursor.accept("split_factor")) cursor.expect("=");
    result.split_factor = cursor.integer();
  }
  cursor.expect(")");
  return result;
}

// Where an axis goes among the axes right of it that split the same dimension: before all of them, or (strided) after
// those whose sizes multiply to the split factor, because they were applied first.
void insert_axis(TextCursor& cursor, std::vector<std::string>& axes, const Mesh& mesh, const std::string& axis,
                 std::int64_t split_factor) {
  std::int64_t before = 1;
  std::size_t position = 0;
  while (before < split_factor && position < axes.size()) {
    before *= mesh.axes[mesh.find(axes[position]).value()].size;
    ++position;
  }
  if (before != split_factor) {
    cursor.fail("the split factor " + std::to_string(split_factor) + " of axis '" + axis +
                "' is no product of the sizes of later axes on the same dimension");
  }
  axes.insert(axes.begin() + static_cast<std::ptrdiff_t>(position), axis);
}

// [Shard(0), Replicate()]: one placement a mesh axis, in mesh order.
Placement parse_dtensor(TextCursor& cursor, const Mesh& mesh, int rank, std::string_view open, std::string_view close) {
  std::vector<AxisPlacement> items;
  cursor.expect(open);
  while (!cursor.accept(close)) {
    if (!items.empty()) {
      cursor.expect(",");
      if (cursor.accept(close)) break;
    }
    items.push_back(parse_axis_placement(cursor));
  }
  if (items.size() != mesh.axes.size()) {
    cursor.fail("it has " + std::to_string(items.size()) + " placements, the mesh has " +
                std::to_string(mesh.axes.size()) + " axes");
  }
  Placement placement;
  placement.dims.resize(static_cast<std::size_t>(rank));
  for (std::size_t a = items.size(); a-- > 0;) {
    const AxisPlacement& item = items[a];
    if (item.kind == AxisPlacement::Kind::Shard) {
      const std::int64_t dim = item.dim < 0 ? item.dim + rank : item.dim;
      if (dim < 0 || dim >= rank) {
        cursor.fail("dimension " + std::to_string(item.dim) + " does not exist, the tensor has " +
                    std::to_string(rank));
      }
      insert_axis(cursor, placement.dims[static_cast<std::size_t>(dim)].axes, mesh, mesh.axes[a].name,
                  item.split_factor);
    } else if (item.kind == AxisPlacement::Kind::Partial) {
      if (placement.kind == Placement::Kind::Partial && placement.partial_op != item.op) {
        cursor.fail("two kinds of Partial in one placement", DiagCode::UnsupportedForm);
      }
      auto axes = placement.partial_axes;
      axes.insert(axes.begin(), mesh.axes[a].name);
      make_partial(placement, std::move(axes), item.op);
    }
  }
  return placement;
}

Placement parse_hlo_sharding(std::string_view text, const Mesh& mesh, int rank, const Location& where) {
  Sharding sharding;
  try {
    sharding = parse_sharding(text);
  } catch (const InputError& error) {
    throw InputError(DiagCode::BadPlacement, where,
                     "in the sharding \"" + std::string(text) + "\": " + error.diags().front().message);
  }
  auto placement = placement_of(sharding, mesh);
  if (!placement) {
    throw InputError(DiagCode::UnsupportedForm, where,
                     "the sharding \"" + std::string(text) + "\" is no split over whole axes of the mesh");
  }
  if (placement->dims.empty()) placement->dims.resize(static_cast<std::size_t>(rank));
  return *std::move(placement);
}

Placement parse_other(std::string_view text, const Mesh& mesh, int rank, const Location& where) {
  TextCursor cursor(text, where);
  Placement placement;
  for (const char* name : {"jax.sharding.PartitionSpec", "PartitionSpec", "P"}) {
    if (!cursor.accept(name)) continue;
    placement = parse_partition_spec(cursor, rank);
    if (!cursor.at_end()) cursor.fail("text after the closing ')'");
    return placement;
  }
  if (cursor.accept("#sdy.sharding")) {
    placement = parse_shardy(cursor, true);
  } else if (cursor.peek("(")) {
    placement = parse_dtensor(cursor, mesh, rank, "(", ")");
  } else {
    TextCursor ahead = cursor;
    ahead.expect("[");
    const bool shardy = ahead.peek("{") || (ahead.peek("]") && rank == 0);
    placement = shardy ? parse_shardy(cursor, false) : parse_dtensor(cursor, mesh, rank, "[", "]");
  }
  if (!cursor.at_end()) cursor.fail("text after the closing bracket");
  return placement;
}

}  // namespace

Placement parse_placement(std::string_view text, const Mesh& mesh, int rank, const Location& where) {
  Placement placement;
  if (text == "ignored") {
    placement.kind = Placement::Kind::Ignored;
    return placement;
  }
  const std::size_t start = text.find_first_not_of(" \t\n");
  if (text == "replicated") {
    placement.dims.resize(static_cast<std::size_t>(rank));
  } else if (start == std::string_view::npos) {
    throw InputError(DiagCode::BadPlacement, where, "a placement is empty");
  } else if (text[start] == '{') {
    placement = parse_hlo_sharding(text, mesh, rank, where);
  } else if (text[start] == 'P' || text[start] == 'j' || text[start] == '[' || text[start] == '(' ||
             text[start] == '#') {
    placement = parse_other(text, mesh, rank, where);
  } else {
    throw InputError(
        DiagCode::BadPlacement, where, "the placement \"" + std::string(text) + "\" is in no known notation",
        {"known: \"replicated\", \"ignored\", P('dp', None), {devices=[2,1]<=[2]}, [Shard(0), Replicate()], "
         "[{'dp'}, {}]"});
  }
  check_placement(placement, mesh, rank, where);
  return placement;
}

}  // namespace gg
