// Parsers of the pieces that instructions are made of: types, attribute values, literals, replica groups. Each takes a
// cursor at the piece and leaves it behind the piece; bad text is an InputError at its place.
#pragma once

#include <functional>
#include <string>

#include "models/hlo/lexer.h"
#include "models/op/attributes.h"
#include "models/type/type.h"

namespace gg::hlo {

/// Most dimensions of an array.
inline constexpr std::size_t kMaxRank = most(Limit::Dimensions);
/// Most ranks in the groups of one instruction.
inline constexpr std::int64_t kMaxGroupRanks = most(Limit::Ranks);

/// A type; a printed row-major layout is dropped, so that equal types have one form.
Type parse_type(Cursor& cursor);
/// The text of a type, without looking inside.
std::string_view scan_type(Cursor& cursor);

/// Resolves the name of a computation, possibly defined later.
using ResolveComputation = std::function<ComputationId(std::string_view name)>;

/// A value of this kind. Literals are not attributes in the text: see parse_literal.
AttrValue parse_attribute(Cursor& cursor, const AttrInfo& attr, const ResolveComputation& resolve);
/// The text of the value of attribute `name`, without looking inside.
std::string_view scan_attribute(Cursor& cursor, std::string_view name);

/// Constant data of this array type: `1.5`, `{1, 2}`, `{ { 1, 2 }, { 3, 4 } }`. Floats are rounded to the type.
ConstantArray parse_literal(Cursor& cursor, const Type& type);

ReplicaGroups parse_groups(Cursor& cursor);

/// `[2,4]` -> extents; at least one, each >= 1, product at most kMaxGroupRanks.
std::vector<std::int64_t> parse_extents(Cursor& cursor, std::string_view what);
/// The devices of `<=[...]` or `<=[...]T(...)` as a list, when the cursor is behind `<=`.
std::vector<std::int64_t> parse_iota(Cursor& cursor);
/// A named mesh, `mesh['a'=2,'b'=4]` with optional `, device_ids=(...)`: when the cursor is at `mesh`.
struct NamedMesh {
  std::vector<std::string> names;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> devices;  ///< row-major over the axes
};
NamedMesh parse_mesh(Cursor& cursor);
/// `'a'` or the part `'a':(1)2` of an axis: digit `position` of the axis, split [before, size, after].
struct AxisPart {
  std::size_t axis;
  std::int64_t before = 1, size = 1;
};
AxisPart parse_axis(Cursor& cursor, const NamedMesh& mesh);
/// The mesh's devices with the listed axis parts moved behind everything else, in the order listed: consecutive runs of
/// the product of their sizes differ in those parts only. Throws InputError(BadAttribute) where parts overlap.
std::vector<std::int64_t> devices_by_axes(const Cursor& cursor, const NamedMesh& mesh,
                                          const std::vector<AxisPart>& parts);

}  // namespace gg::hlo
