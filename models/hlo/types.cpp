// Types as HLO prints them: `f32[4,16]{1,0}`, `(f32[], /*index=1*/s32[2])`, tiled layouts (tiles are not kept).
#include <algorithm>

#include "models/hlo/parser.h"
#include "models/hlo/values.h"

namespace gg {
namespace hlo {
namespace {

std::vector<std::int64_t> parse_dims(Cursor& cursor) {
  std::vector<std::int64_t> dims;
  cursor.list('[', ']', [&] {
    if (cursor.accept_text("<=") || cursor.peek() == '?') {
      cursor.fail(DiagCode::UnsupportedForm, "dynamic dimensions are not supported");
    }
    if (dims.size() == kMaxRank) cursor.fail(DiagCode::SizeOverflow, "more than " + std::to_string(kMaxRank) + " dimensions");
    dims.push_back(cursor.integer_in("an extent", 0, kMaxElements));
  });
  std::int64_t product = 1;
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return dims;
  for (const std::int64_t dim : dims) {
    if (__builtin_mul_overflow(product, dim, &product) || product > kMaxElements) {
      cursor.fail(DiagCode::SizeOverflow, "the type has more than 2^48 elements");
    }
  }
  return dims;
}

/// `{1,0}` or `{1,0:T(8,128)S(5)}` directly behind the dimensions.
std::vector<std::int64_t> parse_layout(Cursor& cursor, std::size_t rank) {
  const Location where = cursor.place();
  const Cursor::Mark start = cursor.mark();
  cursor.balanced("a layout");
  const Cursor::Mark end = cursor.mark();
  cursor.reset(start);
  cursor.expect('{');
  std::vector<std::int64_t> order;
  if (cursor.accept('}')) return order;
  if (cursor.peek() != ':') {
    do {
      order.push_back(cursor.integer_in("a layout's dimension", 0, static_cast<std::int64_t>(kMaxRank)));
    } while (cursor.accept(','));
  }
  cursor.skip_space();
  if (cursor.peek() != ':' && cursor.peek() != '}') cursor.unexpected("':' or '}' in a layout");
  cursor.reset(end);  // tiles, memory space and the like: not part of the value
  std::vector<bool> seen(rank, false);
  for (const std::int64_t d : order) {
    if (order.size() != rank || d >= static_cast<std::int64_t>(rank) || seen[static_cast<std::size_t>(d)]) {
      throw InputError(DiagCode::BadAttribute, where, "the layout is no permutation of the dimensions");
    }
    seen[static_cast<std::size_t>(d)] = true;
  }
  return order;
}

Type parse_nested(Cursor& cursor, int depth, std::int64_t& leaves) {
  if (depth > most(Limit::TupleDepth)) cursor.fail(DiagCode::TooDeep, exceeds(Limit::TupleDepth, depth));
  cursor.skip_space();
  if (cursor.peek() == '(') {
    std::vector<Type> elements;
    cursor.list('(', ')', [&] { elements.push_back(parse_nested(cursor, depth + 1, leaves)); });
    return Type::tuple(std::move(elements));
  }
  const Location where = cursor.place();
  check_limit(Limit::Leaves, ++leaves, where);
  const std::string_view word = cursor.identifier();
  if (word.empty()) cursor.unexpected("a type");
  const auto element = element_type(word);
  if (!element) throw InputError(DiagCode::Syntax, where, "unknown element type '" + std::string(word) + "'");
  Type type = Type::array(*element, parse_dims(cursor));
  if (!type.is_array() && !type.dims.empty()) {
    throw InputError(DiagCode::Syntax, where, std::string(word) + " has no dimensions");
  }
  if (cursor.peek() == '{') type.layout = parse_layout(cursor, type.dims.size());
  if (type.default_layout()) type.layout.clear();
  return type;
}

}  // namespace

Type parse_type(Cursor& cursor) {
  std::int64_t leaves = 0;
  return parse_nested(cursor, 0, leaves);
}

std::string_view scan_type(Cursor& cursor) {
  cursor.skip_space();
  const std::size_t start = cursor.position();
  if (cursor.peek() == '(') return cursor.balanced("a tuple type");
  cursor.identifier();
  if (cursor.peek() == '[') cursor.balanced("a type's dimensions");
  if (cursor.peek() == '{') cursor.balanced("a layout");
  if (cursor.position() == start) cursor.unexpected("a type");
  return cursor.slice(start);
}

}  // namespace hlo

Type parse_type(std::string_view text) {
  return hlo::parse_whole(text, "the type", [](hlo::Cursor& cursor) { return hlo::parse_type(cursor); });
}

}  // namespace gg
