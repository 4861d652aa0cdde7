// Attribute values of instructions: dimension lists, windows, padding, replica groups, source-target pairs, literals.
// An Attributes is an immutable sorted list of (Attr, value), interned per module; instructions that mean the same
// operator share one id.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "models/body/arena.h"
#include "models/type/type.h"

namespace gg {

enum class Attr : std::uint8_t {
#define ATTR(Enum, name, kind) Enum,
#include "models/op/attributes.def"
#undef ATTR
};

enum class AttrKind : std::uint8_t {
  Ints,
  Int,
  Bool,
  Word,
  Text,
  Slice,
  Padding,
  Window,
  DimLabels,
  Groups,
  Pairs,
  Computations,
  Literal
};

struct AttrInfo {
  Attr attr;
  std::string_view name;  ///< spelling in HLO text; "" = no `name=` form (constant data, parameter number)
  AttrKind kind;
};
const AttrInfo& info(Attr attr);

/// Index of a computation in its module.
using ComputationId = std::uint32_t;

/// One dimension of a `window={...}` (size=2 stride=1 pad=0_1 lhs_dilate=1 rhs_dilate=1 rhs_reversal=0).
struct WindowDim {
  std::int64_t size = 1, stride = 1, pad_low = 0, pad_high = 0, base_dilation = 1, window_dilation = 1;
  bool reversal = false;
  friend bool operator==(const WindowDim&, const WindowDim&) = default;
};

/// One dimension of `padding=low_high_interior`.
struct PadDim {
  std::int64_t low = 0, high = 0, interior = 0;
  friend bool operator==(const PadDim&, const PadDim&) = default;
};

/// One dimension of `slice={[start:limit:stride]}`.
struct SliceDim {
  std::int64_t start = 0, limit = 0, stride = 1;
  friend bool operator==(const SliceDim&, const SliceDim&) = default;
};

/// Convolution `dim_labels=b01f_01io->b01f`: positions of batch, feature and spatial dimensions.
struct DimLabels {
  int lhs_batch = 0, lhs_feature = 0, rhs_input = 0, rhs_output = 0, out_batch = 0, out_feature = 0;
  std::vector<int> lhs_spatial, rhs_spatial, out_spatial;
  friend bool operator==(const DimLabels&, const DimLabels&) = default;
};

/// Replica groups, all four spellings resolved: `{{0,1},{2,3}}`, `[2,2]<=[4]`, `[2,2]<=[2,2]T(1,0)`,
/// `mesh['a'=2,'b'=2], device_ids=(...) {'a'}`. Order inside a group matters. `everyone` = empty list in the text.
/// Ids are replicas, partitions or global ids, as channel_id and use_global_device_ids say (models/op/groups.h).
struct ReplicaGroups {
  std::vector<std::vector<std::int64_t>> groups;
  bool everyone = false;
  std::string text;  ///< as printed in the source; our printer writes the list form
  friend bool operator==(const ReplicaGroups& a, const ReplicaGroups& b) {
    return a.groups == b.groups && a.everyone == b.everyone;
  }
};

using IntList = std::vector<std::int64_t>;
using PairList = std::vector<std::pair<std::int64_t, std::int64_t>>;
using ComputationList = std::vector<ComputationId>;

using AttrValue =
    std::variant<IntList, std::int64_t, bool, std::string, std::vector<SliceDim>, std::vector<PadDim>,
                 std::vector<WindowDim>, DimLabels, ReplicaGroups, PairList, ComputationList, ConstantArray>;

/// Same type and bitwise equal values (NaNs equal, zeros told apart).
bool operator==(const ConstantArray& a, const ConstantArray& b);

/// The semantic attributes of an operator. Getters return an empty value (0, false, {}) where the attribute is absent.
class Attributes {
 public:
  // Made, copied and destroyed in one place: what a compiler makes of the variants of AttrValue is long, and every source would have it.
  Attributes();
  Attributes(const Attributes&);
  Attributes(Attributes&&) noexcept;
  Attributes& operator=(const Attributes&);
  Attributes& operator=(Attributes&&) noexcept;
  ~Attributes();
  Attributes(Attr attr, AttrValue value);
  void set(Attr attr, AttrValue value);
  bool has(Attr attr) const { return find(attr) != nullptr; }
  const AttrValue* find(Attr attr) const;

  const IntList& ints(Attr attr) const;
  std::int64_t integer(Attr attr, std::int64_t fallback = 0) const;
  bool flag(Attr attr) const;
  const std::string& text(Attr attr) const;
  const std::vector<SliceDim>& slice() const;
  const std::vector<PadDim>& padding() const;
  const std::vector<WindowDim>& window() const;
  const DimLabels& dim_labels() const;
  const ReplicaGroups& groups() const;
  const PairList& pairs() const;
  const ComputationList& computations(Attr attr) const;
  const ConstantArray& literal() const;

  const std::vector<std::pair<Attr, AttrValue>>& entries() const { return entries_; }
  friend bool operator==(const Attributes& a, const Attributes& b);

 private:
  std::vector<std::pair<Attr, AttrValue>> entries_;  // sorted by Attr
};

std::uint64_t hash(const Attributes& attributes);

}  // namespace gg
