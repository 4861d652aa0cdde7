// One overload a kind of attribute value; floats by std::to_chars, which is exact.
#include "models/hlo/print_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "models/base/check.h"
#include "models/base/text.h"

namespace gg::hlo {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

Type widened(const Type& type) {
  Type out = type;
  if (is_float(out.element)) out.element = ElementType::F64;
  for (auto& element : out.elements) element = widened(element);
  return out;
}

template <class Float>
void append_float(Float value, std::string& out) {
  if (std::isnan(value)) {
    out += "nan";
    return;
  }
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  GG_CHECK(error == std::errc(), "digits of a float");
  out.append(buffer.data(), end);
}

void append_scalar(const Scalar& value, const Type& type, bool widen, std::string& out) {
  const ElementType element = type.element;
  if (element == ElementType::Pred) {
    out += type.dims.empty() ? (value.integer != 0 ? "true" : "false") : (value.integer != 0 ? "1" : "0");
  } else if (element == ElementType::U64) {
    out += std::to_string(static_cast<std::uint64_t>(value.integer));
  } else if (is_integral(element)) {
    out += number(value.integer);
  } else if (element == ElementType::F64 || widen) {
    append_float(value.real, out);
  } else {
    append_float(static_cast<float>(value.real), out);
  }
}

/// Fields that no dimension uses are left out, but for the size.
std::string print_window(const std::vector<WindowDim>& dims) {
  using Print = std::string (*)(const WindowDim&);
  static constexpr std::pair<std::string_view, Print> kFields[] = {
      {"size", [](const WindowDim& d) { return number(d.size); }},
      {"stride", [](const WindowDim& d) { return number(d.stride); }},
      {"pad", [](const WindowDim& d) { return number(d.pad_low) + "_" + number(d.pad_high); }},
      {"lhs_dilate", [](const WindowDim& d) { return number(d.base_dilation); }},
      {"rhs_dilate", [](const WindowDim& d) { return number(d.window_dilation); }},
      {"rhs_reversal", [](const WindowDim& d) { return number(d.reversal ? 1 : 0); }}};
  std::string text;
  for (const auto& [name, print] : kFields) {
    const auto unused = [print = print](const WindowDim& d) { return print(d) == print({}); };
    if (dims.empty() || (name != "size" && std::all_of(dims.begin(), dims.end(), unused))) continue;
    text += (text.empty() ? "" : " ") + std::string(name) + "=" + joined_text(dims, "x", print);
  }
  return "{" + text + "}";
}

std::string print_labels(int first, char first_label, int second, char second_label, const std::vector<int>& spatial) {
  std::string text(spatial.size() + 2, '?');
  text[static_cast<std::size_t>(first)] = first_label;
  text[static_cast<std::size_t>(second)] = second_label;
  for (std::size_t k = 0; k < spatial.size(); ++k) {
    text[static_cast<std::size_t>(spatial[k])] = static_cast<char>('0' + k);
  }
  return text;
}

std::string print_padding(const PadDim& dim) {
  return number(dim.low) + "_" + number(dim.high) + (dim.interior != 0 ? "_" + number(dim.interior) : "");
}

std::string print_slice(const SliceDim& dim) {
  return "[" + number(dim.start) + ":" + number(dim.limit) + (dim.stride != 1 ? ":" + number(dim.stride) : "") + "]";
}

/// One overload a kind of value.
struct Printer {
  Attr attr;
  const std::function<std::string(ComputationId)>& computation;

  std::string operator()(const IntList& list) const { return "{" + joined_text(list, ",", number) + "}"; }
  std::string operator()(std::int64_t value) const { return number(value); }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& text) const {
    const bool quoted = info(attr).kind == AttrKind::Text && attr != Attr::ResultAccuracy;
    return quoted ? quote(text) : text;
  }
  std::string operator()(const std::vector<SliceDim>& dims) const { return "{" + joined_text(dims, ", ", print_slice) + "}"; }
  std::string operator()(const std::vector<PadDim>& dims) const { return joined_text(dims, "x", print_padding); }
  std::string operator()(const std::vector<WindowDim>& dims) const { return print_window(dims); }
  std::string operator()(const DimLabels& d) const {
    return print_labels(d.lhs_batch, 'b', d.lhs_feature, 'f', d.lhs_spatial) + "_" +
           print_labels(d.rhs_input, 'i', d.rhs_output, 'o', d.rhs_spatial) + "->" +
           print_labels(d.out_batch, 'b', d.out_feature, 'f', d.out_spatial);
  }
  std::string operator()(const ReplicaGroups& groups) const { return print_groups(groups.groups); }
  std::string operator()(const PairList& pairs) const {
    return "{" + joined_text(pairs, ",", [](const auto& p) { return "{" + number(p.first) + "," + number(p.second) + "}"; }) +
           "}";
  }
  std::string operator()(const ComputationList& list) const {
    auto print = [this](ComputationId id) { return "%" + computation(id); };
    if (attr != Attr::Branches && list.size() == 1) return print(list[0]);
    return "{" + joined_text(list, ", ", print) + "}";
  }
  std::string operator()(const ConstantArray& array) const { return print_literal(array, false); }
};

}  // namespace

std::string print_type(const Type& type, bool widen) { return to_string(widen ? widened(type) : type, true); }

std::string print_literal(const ConstantArray& array, bool widen) {
  std::string out;
  const auto& dims = array.type.dims;
  std::size_t next = 0;
  const std::function<void(std::size_t)> print = [&](std::size_t d) {
    if (d == dims.size()) {
      append_scalar(array.values[next++], array.type, widen, out);
      return;
    }
    out += d + 1 == dims.size() ? "{" : "{ ";
    for (std::int64_t k = 0; k < dims[d]; ++k) {
      if (k != 0) out += ", ";
      print(d + 1);
    }
    out += d + 1 == dims.size() ? "}" : " }";
  };
  print(0);
  return out;
}

std::string print_groups(const std::vector<std::vector<std::int64_t>>& groups) {
  return "{" + joined_text(groups, ",", [](const auto& group) { return "{" + joined_text(group, ",", number) + "}"; }) + "}";
}

std::string print_attribute(Attr attr, const AttrValue& value,
                            const std::function<std::string(ComputationId)>& computation) {
  return std::visit(Printer{attr, computation}, value);
}

}  // namespace gg::hlo
