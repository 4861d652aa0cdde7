#include "models/body/elements.h"

namespace gg {
namespace {

/// What one step along each dimension adds to the row-major place.
std::vector<std::size_t> pitches(const std::vector<std::int64_t>& dims) {
  std::vector<std::size_t> result(dims.size(), 1);
  for (std::size_t d = dims.size(); d > 1; --d) result[d - 2] = result[d - 1] * static_cast<std::size_t>(dims[d - 1]);
  return result;
}

}  // namespace

std::vector<std::size_t> varying_dims(const ConstantArray& array) {
  const std::vector<std::size_t> pitch = pitches(array.type.dims);
  std::vector<std::size_t> result;
  for (std::size_t d = 0; d < pitch.size(); ++d) {
    const auto extent = static_cast<std::size_t>(array.type.dims[d]);
    bool varies = false;
    for (std::size_t k = 0; k < array.values.size() && !varies; ++k)
      varies = k / pitch[d] % extent != 0 && !(array.values[k] == array.values[k - pitch[d]]);
    if (varies) result.push_back(d);
  }
  return result;
}

std::vector<Scalar> elements_in_order(const ConstantArray& array, std::span<const std::size_t> order) {
  const std::vector<std::size_t> pitch = pitches(array.type.dims);
  std::vector<std::size_t> places(array.values.empty() ? 0 : 1, 0);
  for (const std::size_t d : order) {
    std::vector<std::size_t> next;
    next.reserve(places.size() * static_cast<std::size_t>(array.type.dims[d]));
    for (const std::size_t place : places)
      for (std::size_t i = 0; i < static_cast<std::size_t>(array.type.dims[d]); ++i) next.push_back(place + i * pitch[d]);
    places = std::move(next);
  }
  std::vector<Scalar> values;
  values.reserve(places.size());
  for (const std::size_t place : places) values.push_back(array.values[place]);
  return values;
}

}  // namespace gg
