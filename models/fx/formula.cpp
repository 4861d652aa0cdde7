#include "models/fx/formula.h"

namespace gg::fx {

std::vector<std::int64_t> inverse(const std::vector<std::int64_t>& permutation) {
  std::vector<std::int64_t> result(permutation.size());
  for (std::size_t k = 0; k < permutation.size(); ++k) result[at(permutation[k])] = static_cast<std::int64_t>(k);
  return result;
}

std::vector<std::int64_t> each_dimension(Operation& call, std::size_t k, std::size_t count, const std::vector<std::int64_t>& absent) {
  std::vector<std::int64_t> list = call.raw(k).kind == Argument::Kind::Integer ? std::vector{call.integer(k)} : call.integers(k);
  if (list.empty()) list = absent;
  if (list.size() == 1) list.resize(count, list[0]);
  if (list.size() != count) call.refuse("not one entry for each spatial dimension");
  for (const std::int64_t value : list) {
    if (value < 0 || value > kMostStep) call.refuse("a size, stride, padding or dilation of " + std::to_string(value));
  }
  return list;
}

}  // namespace gg::fx
