// Attribute values, one parser a kind (attributes.def names the kind of each attribute).
#include <algorithm>
#include <array>

#include "models/base/check.h"
#include "models/hlo/values.h"

namespace gg::hlo {
namespace {

using Parser = AttrValue (*)(Cursor& cursor, std::string_view name, const ResolveComputation& resolve);

constexpr std::int64_t kMaxInt = std::int64_t{1} << 48;  // extents, strides, paddings: sums of a few never overflow

AttrValue parse_ints(Cursor& cursor, std::string_view name, const ResolveComputation&) {
  IntList list;
  cursor.list('{', '}', [&] { list.push_back(cursor.integer_in(name, -kMaxInt, kMaxInt)); });
  return list;
}

AttrValue parse_int(Cursor& cursor, std::string_view name, const ResolveComputation&) {
  return cursor.integer_in(name, -kMaxInt, kMaxInt);
}

AttrValue parse_bool(Cursor& cursor, std::string_view name, const ResolveComputation&) {
  if (cursor.accept("true")) return true;
  if (cursor.accept("false")) return false;
  cursor.unexpected("true or false for " + std::string(name));
}

AttrValue parse_word(Cursor& cursor, std::string_view name, const ResolveComputation&) {
  const std::string_view word = cursor.identifier();
  if (word.empty()) cursor.unexpected("a word for " + std::string(name));
  return std::string(word);
}

AttrValue parse_text(Cursor& cursor, std::string_view name, const ResolveComputation&) {
  cursor.skip_space();
  if (cursor.peek() == '"') return cursor.quoted(name);
  return std::string(cursor.balanced(name));
}

AttrValue parse_slice(Cursor& cursor, std::string_view name, const ResolveComputation&) {
  std::vector<SliceDim> dims;
  cursor.list('{', '}', [&] {
    SliceDim& dim = dims.emplace_back();
    cursor.expect('[');
    dim.start = cursor.integer_in(name, 0, kMaxInt);
    cursor.expect(':');
    dim.limit = cursor.integer_in(name, 0, kMaxInt);
    if (cursor.accept(':')) dim.stride = cursor.integer_in(name, 1, kMaxInt);
    cursor.expect(']');
  });
  return dims;
}

/// A piece of `2_1x0_3`: integers joined by '_', the next dimension after 'x'.
bool accept_joint(Cursor& cursor, char c) { return cursor.peek() == c && cursor.accept(c); }

AttrValue parse_padding(Cursor& cursor, std::string_view name, const ResolveComputation&) {
  std::vector<PadDim> dims;
  cursor.skip_space();
  do {
    PadDim& dim = dims.emplace_back();
    dim.low = cursor.integer_in(name, -kMaxInt, kMaxInt);
    cursor.expect('_');
    dim.high = cursor.integer_in(name, -kMaxInt, kMaxInt);
    if (accept_joint(cursor, '_')) dim.interior = cursor.integer_in(name, 0, kMaxInt);
  } while (accept_joint(cursor, 'x'));
  return dims;
}

struct WindowField {
  std::string_view name;
  std::int64_t lo;
  std::int64_t WindowDim::*value;
};

constexpr std::array kWindowFields = {
    WindowField{"size", 1, &WindowDim::size},
    WindowField{"stride", 1, &WindowDim::stride},
    WindowField{"lhs_dilate", 1, &WindowDim::base_dilation},
    WindowField{"rhs_dilate", 1, &WindowDim::window_dilation},
};

/// One `key=AxBxC` of a window, for every dimension.
void parse_window_field(Cursor& cursor, std::string_view key, std::vector<WindowDim>& dims, bool first) {
  const auto* field =
      std::find_if(kWindowFields.begin(), kWindowFields.end(), [key](const auto& row) { return row.name == key; });
  std::size_t d = 0;
  do {
    if (first) dims.emplace_back();
    if (d == dims.size() || d == kMaxRank) cursor.fail(DiagCode::BadAttribute, "window has fields of unequal length");
    WindowDim& dim = dims[d++];
    if (field != kWindowFields.end()) {
      dim.*(field->value) = cursor.integer_in(key, field->lo, kMaxInt);
    } else if (key == "pad") {
      dim.pad_low = cursor.integer_in(key, -kMaxInt, kMaxInt);
      cursor.expect('_');
      dim.pad_high = cursor.integer_in(key, -kMaxInt, kMaxInt);
    } else if (key == "rhs_reversal") {
      dim.reversal = cursor.integer_in(key, 0, 1) == 1;
    } else {
      cursor.fail(DiagCode::UnknownAttribute, "window has an unknown field '" + std::string(key) + "'");
    }
  } while (accept_joint(cursor, 'x'));
  if (d != dims.size()) cursor.fail(DiagCode::BadAttribute, "window has fields of unequal length");
}

AttrValue parse_window(Cursor& cursor, std::string_view, const ResolveComputation&) {
  std::vector<WindowDim> dims;
  std::vector<std::string_view> seen;
  cursor.expect('{');
  while (!cursor.accept('}')) {
    const std::string_view key = cursor.identifier();
    if (key.empty()) cursor.unexpected("a window field");
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
      cursor.fail(DiagCode::DuplicateAttribute, "window field '" + std::string(key) + "' is given twice");
    }
    cursor.expect('=');
    parse_window_field(cursor, key, dims, seen.empty());
    seen.push_back(key);
  }
  return dims;
}

/// One side of dim_labels: the position of each letter of `letters`, and of the digits in their order.
void parse_labels(Cursor& cursor, std::string_view text, std::string_view letters, std::array<int*, 2> named,
                  std::vector<int>& spatial) {
  std::vector<int> digits(text.size(), -1);
  std::array<bool, 2> seen{};
  for (std::size_t k = 0; k < text.size(); ++k) {
    const std::size_t letter = letters.find(text[k]);
    if (letter != std::string_view::npos && !seen[letter]) {
      *named[letter] = static_cast<int>(k);
      seen[letter] = true;
      continue;
    }
    const auto digit = static_cast<std::size_t>(text[k] - '0');
    if (text[k] < '0' || text[k] > '9' || digit + 2 >= text.size() || digits[digit] >= 0) {
      cursor.fail(DiagCode::BadAttribute, "dim_labels has a wrong or repeated label in '" + std::string(text) + "'");
    }
    digits[digit] = static_cast<int>(k);
  }
  if (!seen[0] || !seen[1]) {
    cursor.fail(DiagCode::BadAttribute, "dim_labels lacks a label in '" + std::string(text) + "'");
  }
  spatial.assign(digits.begin(), digits.end() - 2);
}

AttrValue parse_dim_labels(Cursor& cursor, std::string_view name, const ResolveComputation&) {
  DimLabels labels;
  const std::string_view text = cursor.value(name);
  const std::size_t bar = text.find('_');
  const std::size_t arrow = text.find("->");
  if (bar == std::string_view::npos || arrow == std::string_view::npos || arrow < bar) {
    cursor.fail(DiagCode::BadAttribute, "dim_labels is '" + std::string(text) + "', not like b01f_01io->b01f");
  }
  parse_labels(cursor, text.substr(0, bar), "bf", {&labels.lhs_batch, &labels.lhs_feature}, labels.lhs_spatial);
  parse_labels(cursor, text.substr(bar + 1, arrow - bar - 1), "io", {&labels.rhs_input, &labels.rhs_output},
               labels.rhs_spatial);
  parse_labels(cursor, text.substr(arrow + 2), "bf", {&labels.out_batch, &labels.out_feature}, labels.out_spatial);
  if (labels.lhs_spatial.size() != labels.rhs_spatial.size() ||
      labels.lhs_spatial.size() != labels.out_spatial.size()) {
    cursor.fail(DiagCode::BadAttribute, "dim_labels has unequal numbers of spatial dimensions");
  }
  return labels;
}

AttrValue parse_groups_value(Cursor& cursor, std::string_view, const ResolveComputation&) {
  return parse_groups(cursor);
}

AttrValue parse_pairs(Cursor& cursor, std::string_view name, const ResolveComputation&) {
  PairList pairs;
  cursor.list('{', '}', [&] {
    cursor.expect('{');
    const std::int64_t source = cursor.integer_in(name, 0, kMaxGroupRanks - 1);
    cursor.expect(',');
    pairs.emplace_back(source, cursor.integer_in(name, 0, kMaxGroupRanks - 1));
    cursor.expect('}');
  });
  return pairs;
}

AttrValue parse_computations(Cursor& cursor, std::string_view, const ResolveComputation& resolve) {
  ComputationList list;
  const auto one = [&] { list.push_back(resolve(cursor.name("the name of a computation"))); };
  cursor.skip_space();
  if (cursor.peek() == '{') cursor.list('{', '}', one);
  else one();
  return list;
}

AttrValue parse_no_attribute(Cursor&, std::string_view name, const ResolveComputation&) {
  GG_CHECK(false, "attribute without spelling: " + std::string(name));
  return false;
}

// In the order of AttrKind.
constexpr std::array<Parser, 13> kParsers = {parse_ints, parse_int, parse_bool, parse_word,
                                             parse_text, parse_slice, parse_padding, parse_window,
                                             parse_dim_labels, parse_groups_value, parse_pairs, parse_computations,
                                             parse_no_attribute};
static_assert(static_cast<std::size_t>(AttrKind::Literal) + 1 == kParsers.size());

}  // namespace

AttrValue parse_attribute(Cursor& cursor, const AttrInfo& attr, const ResolveComputation& resolve) {
  return kParsers[static_cast<std::size_t>(attr.kind)](cursor, attr.name, resolve);
}

std::string_view scan_attribute(Cursor& cursor, std::string_view name) {
  cursor.skip_space();
  const std::size_t start = cursor.position();
  const std::string_view word = cursor.value(name);
  if (name != "replica_groups" || word.substr(0, 5) != "mesh[") return word;
  // mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'a'}
  const Cursor::Mark before = cursor.mark();
  if (!cursor.accept(',') || !cursor.accept("device_ids")) {
    cursor.reset(before);
  } else {
    cursor.expect('=');
    cursor.balanced("device_ids");
  }
  cursor.balanced("the axes of replica groups");
  return cursor.slice(start);
}

}  // namespace gg::hlo
