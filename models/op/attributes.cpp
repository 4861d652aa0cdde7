// The sorted attribute list: insertion, typed getters with shared empty values, equality and hash.
#include "models/op/attributes.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "models/base/check.h"

namespace gg {

namespace {

constexpr AttrInfo kAttributes[] = {
#define ATTR(Enum, name, kind) {Attr::Enum, name, AttrKind::kind},
#include "models/op/attributes.def"
#undef ATTR
};

constexpr bool in_enum_order() {
  for (std::size_t k = 0; k < std::size(kAttributes); ++k) {
    if (static_cast<std::size_t>(kAttributes[k].attr) != k) return false;
  }
  return true;
}
static_assert(in_enum_order(), "attributes.def is indexed by Attr");
static_assert(std::variant_size_v<AttrValue> == 12, "a new kind of value needs its getter, hash and spelling");

/// The value of `attr` as T, or a shared empty T where it is absent; another kind of value is a bug of the parser.
template <class T>
const T& value_or_empty(const Attributes& attributes, Attr attr) {
  static const T empty{};
  const AttrValue* value = attributes.find(attr);
  if (value == nullptr) return empty;
  const T* typed = std::get_if<T>(value);
  GG_CHECK(typed != nullptr, "attribute " + std::string(info(attr).name) + " has a value of another kind");
  return *typed;
}

/// Order-dependent mixing of 64-bit words (splitmix finaliser).
class Mixer {
 public:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9e3779b97f4a7c15ULL;
    state_ ^= state_ >> 32;
  }
  void add(std::int64_t word) { add(static_cast<std::uint64_t>(word)); }
  void add(int word) { add(static_cast<std::int64_t>(word)); }
  void add(bool word) { add(static_cast<std::uint64_t>(word)); }
  void add(std::uint32_t word) { add(static_cast<std::uint64_t>(word)); }
  void add(const std::string& text) { add(static_cast<std::uint64_t>(std::hash<std::string>{}(text))); }
  void add(const SliceDim& d) { add_all(d.start, d.limit, d.stride); }
  void add(const PadDim& d) { add_all(d.low, d.high, d.interior); }
  void add(const WindowDim& d) {
    add_all(d.size, d.stride, d.pad_low, d.pad_high, d.base_dilation, d.window_dilation, d.reversal);
  }
  void add(const DimLabels& d) {
    add_all(d.lhs_batch, d.lhs_feature, d.rhs_input, d.rhs_output, d.out_batch, d.out_feature, d.lhs_spatial,
            d.rhs_spatial, d.out_spatial);
  }
  void add(const ReplicaGroups& g) { add_all(g.groups, g.everyone); }
  void add(const Scalar& s) {
    add_all(static_cast<int>(s.type), std::bit_cast<std::uint64_t>(s.real == s.real ? s.real : 0.0), s.integer);
  }
  void add(const ConstantArray& a) {
    add(hash(a.type));
    add(a.values);
  }
  template <class A, class B>
  void add(const std::pair<A, B>& pair) {
    add_all(pair.first, pair.second);
  }
  template <class T>
  void add(const std::vector<T>& list) {
    add(static_cast<std::uint64_t>(list.size()));
    for (const T& item : list) add(item);
  }
  std::uint64_t result() const { return state_; }

 private:
  template <class... T>
  void add_all(const T&... parts) {
    (add(parts), ...);
  }
  std::uint64_t state_ = 0x243f6a8885a308d3ULL;
};

}  // namespace

const AttrInfo& info(Attr attr) { return kAttributes[static_cast<std::size_t>(attr)]; }

Attributes::Attributes() = default;
Attributes::Attributes(const Attributes&) = default;
Attributes::Attributes(Attributes&&) noexcept = default;
Attributes& Attributes::operator=(const Attributes&) = default;
Attributes& Attributes::operator=(Attributes&&) noexcept = default;
Attributes::~Attributes() = default;
Attributes::Attributes(Attr attr, AttrValue value) { set(attr, std::move(value)); }
bool operator==(const Attributes& a, const Attributes& b) { return a.entries_ == b.entries_; }

void Attributes::set(Attr attr, AttrValue value) {
  auto place = std::lower_bound(entries_.begin(), entries_.end(), attr,
                                [](const auto& entry, Attr key) { return entry.first < key; });
  if (place != entries_.end() && place->first == attr) {
    place->second = std::move(value);
  } else {
    entries_.emplace(place, attr, std::move(value));
  }
}

const AttrValue* Attributes::find(Attr attr) const {
  for (const auto& [key, value] : entries_) {
    if (key == attr) return &value;
  }
  return nullptr;
}

const IntList& Attributes::ints(Attr attr) const { return value_or_empty<IntList>(*this, attr); }
std::int64_t Attributes::integer(Attr attr, std::int64_t fallback) const {
  return has(attr) ? value_or_empty<std::int64_t>(*this, attr) : fallback;
}
bool Attributes::flag(Attr attr) const { return value_or_empty<bool>(*this, attr); }
const std::string& Attributes::text(Attr attr) const { return value_or_empty<std::string>(*this, attr); }
const std::vector<SliceDim>& Attributes::slice() const {
  return value_or_empty<std::vector<SliceDim>>(*this, Attr::Slice);
}
const std::vector<PadDim>& Attributes::padding() const {
  return value_or_empty<std::vector<PadDim>>(*this, Attr::Padding);
}
const std::vector<WindowDim>& Attributes::window() const {
  return value_or_empty<std::vector<WindowDim>>(*this, Attr::Window);
}
const DimLabels& Attributes::dim_labels() const { return value_or_empty<DimLabels>(*this, Attr::DimLabels); }
const ReplicaGroups& Attributes::groups() const { return value_or_empty<ReplicaGroups>(*this, Attr::ReplicaGroups); }
const PairList& Attributes::pairs() const { return value_or_empty<PairList>(*this, Attr::SourceTargetPairs); }
const ComputationList& Attributes::computations(Attr attr) const {
  return value_or_empty<ComputationList>(*this, attr);
}
const ConstantArray& Attributes::literal() const { return value_or_empty<ConstantArray>(*this, Attr::Literal); }

bool operator==(const ConstantArray& a, const ConstantArray& b) { return a.type == b.type && a.values == b.values; }

std::uint64_t hash(const Attributes& attributes) {
  Mixer mixer;
  for (const auto& [attr, value] : attributes.entries()) {
    mixer.add(static_cast<int>(attr));
    std::visit([&mixer](const auto& typed) { mixer.add(typed); }, value);
  }
  return mixer.result();
}

}  // namespace gg
