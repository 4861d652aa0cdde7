// Types: leaves, counts, equality, hashing and XLA's spelling.
#include "models/type/type.h"

#include <algorithm>

#include "models/base/check.h"
#include "models/base/hash.h"

namespace gg {
namespace {

void collect_leaves(const Type& type, std::vector<const Type*>& out) {
  if (!type.is_tuple()) {
    out.push_back(&type);
    return;
  }
  for (const auto& element : type.elements) collect_leaves(element, out);
}

void print(const Type& type, bool with_layout, std::string& out) {
  if (type.is_tuple()) {
    out += '(';
    for (std::size_t i = 0; i < type.elements.size(); ++i) {
      if (i != 0) out += ", ";
      if (i != 0 && i % 5 == 0) out += "/*index=" + std::to_string(i) + "*/";
      print(type.elements[i], with_layout, out);
    }
    out += ')';
    return;
  }
  out += info(type.element).name;
  out += '[';
  for (std::size_t i = 0; i < type.dims.size(); ++i) {
    if (i != 0) out += ',';
    out += std::to_string(type.dims[i]);
  }
  out += ']';
  if (!with_layout || type.dims.empty()) return;
  out += '{';
  for (std::size_t i = 0; i < type.dims.size(); ++i) {
    if (i != 0) out += ',';
    out += std::to_string(type.layout.empty() ? static_cast<std::int64_t>(type.dims.size() - 1 - i) : type.layout[i]);
  }
  out += '}';
}

}  // namespace

bool Type::is_array() const {
  return element != ElementType::Tuple && element != ElementType::Token && element != ElementType::Opaque;
}

std::int64_t Type::count() const {
  GG_CHECK(is_array(), "count of " + to_string(*this));
  std::int64_t product = 1;
  for (const std::int64_t dim : dims) {
    if (dim == 0) return 0;
  }
  for (const std::int64_t dim : dims) {
    GG_CHECK(dim > 0 && !__builtin_mul_overflow(product, dim, &product), "element count of " + to_string(*this));
  }
  return product;
}

LeafTypes::LeafTypes(const Type& type) : side_by_side_(&type, 1) {
  if (type.is_tuple()) side_by_side_ = type.elements;
  if (std::none_of(side_by_side_.begin(), side_by_side_.end(), [](const Type& leaf) { return leaf.is_tuple(); })) return;
  side_by_side_ = {};
  collect_leaves(type, apart_);
}

LeafTypes Type::leaves() const { return LeafTypes(*this); }

bool Type::default_layout() const {
  if (is_tuple()) {
    for (const auto& item : elements) {
      if (!item.default_layout()) return false;
    }
    return true;
  }
  for (std::size_t i = 0; i < layout.size(); ++i) {
    if (layout[i] != static_cast<std::int64_t>(layout.size() - 1 - i)) return false;
  }
  return true;
}

bool operator==(const Type& a, const Type& b) {
  return a.element == b.element && a.dims == b.dims && a.elements == b.elements;
}

std::uint64_t hash(const Type& type) {
  std::uint64_t h = mix(0x67672d74797065ULL, static_cast<std::uint64_t>(type.element));
  h = mix(h, type.dims.size());
  for (const std::int64_t dim : type.dims) h = mix(h, static_cast<std::uint64_t>(dim));
  h = mix(h, type.elements.size());
  for (const auto& element : type.elements) h = mix(h, hash(element));
  return h;
}

std::string to_string(const Type& type, bool with_layout) {
  std::string out;
  print(type, with_layout, out);
  return out;
}

std::int64_t element_count(std::span<const std::int64_t> extents) {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) count *= extent;
  return count;
}

std::vector<const Type*> array_leaf_types(const Type& type) {
  std::vector<const Type*> arrays;
  for (const Type* leaf : type.leaves())
    if (leaf->is_array()) arrays.push_back(leaf);
  return arrays;
}

std::size_t array_leaves(const Type& type) {
  if (type.is_array()) return 1;
  std::size_t count = 0;
  for (const Type& element : type.elements) count += array_leaves(element);
  return count;
}

std::size_t first_leaf(const Type& tuple, std::int64_t index) {
  std::size_t first = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(index); ++k) first += array_leaves(tuple.elements.at(k));
  return first;
}

}  // namespace gg
