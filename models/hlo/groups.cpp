// Replica groups in their four spellings, and the pieces they share with shardings: iota device lists and named meshes.
#include <algorithm>
#include <numeric>

#include "models/hlo/parser.h"
#include "models/hlo/values.h"
#include "models/type/type.h"

namespace gg {
namespace hlo {
namespace {

/// Row-major iota over `dims`, transposed by `permutation`, as a flat list.
std::vector<std::int64_t> transposed_iota(const std::vector<std::int64_t>& dims,
                                          const std::vector<std::size_t>& permutation,
                                          const std::vector<std::int64_t>& values) {
  std::vector<std::int64_t> strides(dims.size(), 1);
  for (std::size_t d = dims.size(); d-- > 1;) strides[d - 1] = strides[d] * dims[d];
  std::vector<std::int64_t> out;
  out.reserve(values.size());
  std::vector<std::int64_t> index(dims.size(), 0);
  std::int64_t at = 0;
  for (std::size_t n = 0; n < values.size(); ++n) {
    out.push_back(values[static_cast<std::size_t>(at)]);
    for (std::size_t k = dims.size(); k-- > 0;) {
      const std::size_t d = permutation[k];
      at += strides[d];
      if (++index[d] < dims[d]) break;
      at -= strides[d] * dims[d];
      index[d] = 0;
    }
  }
  return out;
}

std::vector<std::int64_t> iota_list(std::int64_t count) {
  std::vector<std::int64_t> list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

/// Optional `T(1,0)` behind `[...]`, then the transposed iota.
std::vector<std::int64_t> finish_iota(Cursor& cursor, const std::vector<std::int64_t>& dims) {
  const auto values = iota_list(element_count(dims));
  if (cursor.peek() != 'T' || cursor.peek(1) != '(') return values;
  cursor.accept_text("T(");
  std::vector<std::size_t> permutation;
  do {
    const auto d = cursor.integer_in("a transposed dimension", 0, static_cast<std::int64_t>(dims.size()) - 1);
    permutation.push_back(static_cast<std::size_t>(d));
    if (permutation.size() > dims.size()) break;
  } while (cursor.accept(','));
  cursor.expect(')');
  auto sorted = permutation;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (sorted.size() != dims.size() || sorted[d] != d) {
      cursor.fail(DiagCode::BadAttribute, "T(...) is no permutation of the dimensions");
    }
  }
  return transposed_iota(dims, permutation, values);
}

/// `{0,1,2}`.
std::vector<std::int64_t> parse_rank_list(Cursor& cursor) {
  std::vector<std::int64_t> list;
  cursor.list('{', '}', [&] { list.push_back(cursor.integer_in("a rank", 0, kMaxGroupRanks - 1)); });
  return list;
}

std::vector<std::vector<std::int64_t>> split(const std::vector<std::int64_t>& list, std::int64_t size) {
  std::vector<std::vector<std::int64_t>> groups;
  for (auto it = list.begin(); it != list.end(); it += size) groups.emplace_back(it, it + size);
  return groups;
}

void parse_mesh_groups(Cursor& cursor, ReplicaGroups& out) {
  const NamedMesh mesh = parse_mesh(cursor);
  std::vector<AxisPart> parts;
  cursor.list('{', '}', [&] { parts.push_back(parse_axis(cursor, mesh)); });
  const auto devices = devices_by_axes(cursor, mesh, parts);
  std::int64_t size = 1;
  for (const AxisPart& part : parts) size *= part.size;
  out.groups = split(devices, size);
}

}  // namespace

std::vector<std::int64_t> parse_extents(Cursor& cursor, std::string_view what) {
  std::vector<std::int64_t> dims;
  std::int64_t total = 1;
  cursor.expect('[');
  cursor.items(']', [&] {
    if (dims.size() == kMaxRank) cursor.fail(DiagCode::TooLarge, std::string(what) + " has more than " + std::to_string(kMaxRank) + " dimensions");
    dims.push_back(cursor.integer_in(what, 1, kMaxGroupRanks));
    total *= dims.back();
    if (total > kMaxGroupRanks) cursor.fail(DiagCode::TooLarge, std::string(what) + " counts more than 2^20 ranks");
  });
  return dims;
}

std::vector<std::int64_t> parse_iota(Cursor& cursor) {
  return finish_iota(cursor, parse_extents(cursor, "an iota device list"));
}

NamedMesh parse_mesh(Cursor& cursor) {
  NamedMesh mesh;
  std::int64_t total = 1;
  cursor.expect("mesh");
  cursor.list('[', ']', [&] {
    const bool quote = cursor.accept('\'');
    const std::string_view name = cursor.name("an axis name");
    if (quote) cursor.expect('\'');
    if (std::find(mesh.names.begin(), mesh.names.end(), name) != mesh.names.end()) {
      cursor.fail(DiagCode::DuplicateName, "mesh axis '" + std::string(name) + "' is given twice");
    }
    mesh.names.emplace_back(name);
    cursor.expect('=');
    mesh.sizes.push_back(cursor.integer_in("an axis size", 1, kMaxGroupRanks));
    total *= mesh.sizes.back();
    if (total > kMaxGroupRanks || mesh.sizes.size() > static_cast<std::size_t>(most(Limit::MeshAxes))) {
      cursor.fail(DiagCode::TooLarge, "the mesh has more than 2^20 ranks or more than 64 axes");
    }
  });
  const Cursor::Mark before = cursor.mark();
  if (!cursor.accept(',') || !cursor.accept("device_ids")) {
    cursor.reset(before);
    mesh.devices = iota_list(total);
    return mesh;
  }
  cursor.expect('=');
  cursor.expect('(');
  cursor.skip_space();
  if (cursor.peek() == '[') {
    mesh.devices = parse_iota(cursor);
    cursor.expect(')');
  } else {
    cursor.items(')', [&] { mesh.devices.push_back(cursor.integer_in("a device", 0, total - 1)); });
  }
  auto sorted = mesh.devices;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != iota_list(total)) {
    cursor.fail(DiagCode::BadAttribute,
                "device_ids does not list each of the mesh's " + std::to_string(total) + " devices once");
  }
  return mesh;
}

AxisPart parse_axis(Cursor& cursor, const NamedMesh& mesh) {
  const bool quote = cursor.accept('\'');
  const std::string_view name = cursor.name("an axis name");
  if (quote) cursor.expect('\'');
  const auto it = std::find(mesh.names.begin(), mesh.names.end(), name);
  if (it == mesh.names.end()) {
    cursor.fail(DiagCode::UnknownName, "the mesh has no axis '" + std::string(name) + "'");
  }
  AxisPart part{static_cast<std::size_t>(it - mesh.names.begin()), 1, 1};
  const std::int64_t extent = mesh.sizes[part.axis];
  part.size = extent;
  if (!cursor.accept(':')) return part;
  cursor.expect('(');
  part.before = cursor.integer_in("the leading part of an axis", 1, kMaxGroupRanks);
  cursor.expect(')');
  part.size = cursor.integer_in("the size of a part of an axis", 1, kMaxGroupRanks);
  if (extent % (part.before * part.size) != 0) {
    cursor.fail(DiagCode::BadAttribute, "axis '" + std::string(name) + "' of size " + std::to_string(extent) +
                                            " has no part (" + std::to_string(part.before) + ")" +
                                            std::to_string(part.size));
  }
  return part;
}

std::vector<std::int64_t> devices_by_axes(const Cursor& cursor, const NamedMesh& mesh,
                                          const std::vector<AxisPart>& parts) {
  // Each axis is cut into digits at its parts; `where` finds the digit of a part.
  std::vector<std::int64_t> dims;
  std::vector<std::size_t> where(parts.size());
  for (std::size_t axis = 0; axis < mesh.sizes.size(); ++axis) {
    std::vector<std::size_t> here;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (parts[k].axis == axis) here.push_back(k);
    }
    std::sort(here.begin(), here.end(),
              [&](std::size_t a, std::size_t b) { return parts[a].before < parts[b].before; });
    std::int64_t done = 1;
    for (const std::size_t k : here) {
      if (parts[k].before % done != 0 || mesh.sizes[axis] % (parts[k].before * parts[k].size) != 0) {
        cursor.fail(DiagCode::BadAttribute, "parts of axis '" + mesh.names[axis] + "' overlap");
      }
      if (parts[k].before != done) dims.push_back(parts[k].before / done);
      where[k] = dims.size();
      dims.push_back(parts[k].size);
      done = parts[k].before * parts[k].size;
    }
    if (done != mesh.sizes[axis]) dims.push_back(mesh.sizes[axis] / done);
  }
  std::vector<std::size_t> permutation;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (std::find(where.begin(), where.end(), d) == where.end()) permutation.push_back(d);
  }
  permutation.insert(permutation.end(), where.begin(), where.end());
  return transposed_iota(dims, permutation, mesh.devices);
}

ReplicaGroups parse_groups(Cursor& cursor) {
  cursor.skip_space();
  const std::size_t start = cursor.position();
  ReplicaGroups out;
  if (cursor.peek() == '[') {
    const Location where = cursor.place();
    const auto shape = parse_extents(cursor, "replica groups");
    if (!cursor.accept_text("<=")) cursor.unexpected("'<='");
    const auto devices = parse_iota(cursor);
    if (shape.size() != 2 || shape[0] * shape[1] != static_cast<std::int64_t>(devices.size())) {
      throw InputError(DiagCode::BadGroups, where, "replica groups [groups,size] do not match their device list");
    }
    out.groups = split(devices, shape[1]);
  } else if (cursor.peek() == '{') {
    std::int64_t total = 0;
    cursor.list('{', '}', [&] {
      out.groups.push_back(parse_rank_list(cursor));
      total += static_cast<std::int64_t>(out.groups.back().size()) + 1;
      if (total > 2 * kMaxGroupRanks) cursor.fail(DiagCode::TooLarge, "replica groups list more than 2^20 ranks");
    });
    if (out.groups.size() == 1 && out.groups[0].empty()) out.groups.clear();  // `{{}}` is everybody, as `{}` is
    out.everyone = out.groups.empty();
  } else {
    parse_mesh_groups(cursor, out);
  }
  out.text = std::string(cursor.slice(start));
  return out;
}

}  // namespace hlo

ReplicaGroups parse_replica_groups(std::string_view text) {
  return hlo::parse_whole(text, "the replica groups", [](hlo::Cursor& cursor) { return hlo::parse_groups(cursor); });
}

}  // namespace gg
