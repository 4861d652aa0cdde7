// The theorem in words: names of sizes, shapes, ties.
#include <algorithm>

#include "prover/sizes/family.h"

namespace gg::sizes {

const std::string& Family::symbol(DigitId digit) {
  const DigitId d = digits_.root(digit);
  if (names_.size() <= d) names_.resize(d + 1);
  std::string& name = names_[d];
  if (!name.empty()) return name;
  order_.push_back(d);
  if (digits_.fixed(d) != nullptr) return name = std::to_string(digits_.extent(d));
  if (!digits_.name(d).empty()) return name = digits_.name(d);
  const std::size_t n = next_name_++;
  name = std::string(1, static_cast<char>('a' + n % 26));
  if (n >= 26) name += std::to_string(n / 26);
  return name;
}

std::string Family::shape(const std::vector<DigitList>& dimensions, ElementType type) {
  std::string text = std::string(info(type).name) + "[";
  for (std::size_t k = 0; k < dimensions.size(); ++k) {
    if (k > 0) text += ", ";
    std::string product;
    for (const DigitId d : digits_.resolve(dimensions[k])) product += (product.empty() ? "" : "*") + symbol(d);
    text += product.empty() ? "1" : product;
  }
  return text + "]";
}

bool Family::is_rank(DigitId digit) const {
  return std::any_of(ranks_.begin(), ranks_.end(), [&](const DigitList& rank) {
    const DigitList digits = digits_.resolve(rank);
    return std::find(digits.begin(), digits.end(), digits_.root(digit)) != digits.end();
  });
}

// Nothing follows for other sizes where none is free, or where a border that the text gives as a number is that of a shard.
void Family::judge(SizesTheorem& theorem) const {
  if (!theorem.proved) return;
  const bool free = std::any_of(theorem.sizes.begin(), theorem.sizes.end(), [](const SizeSymbol& s) { return s.tied.empty(); });
  if (!free && !theorem.sizes.empty()) theorem.reason = "no size is free: " + theorem.sizes[0].tied;
  for (const DigitId d : t_.borders()) {
    if (is_rank(d)) theorem.reason = "a border in the text is that of a shard at these sizes";
  }
  theorem.proved = theorem.reason.empty();
}

void Family::describe(SizesTheorem& theorem) {
  const std::vector<gg::Leaf> inputs = input_leaves(*case_.sequential), outs = output_leaves(*case_.sequential);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    theorem.inputs.push_back(inputs[k].shown() + ": " + shape(leaf(sequential_, sequential_.flat.inputs[k]).dimensions, inputs[k].type.element));
  }
  for (std::size_t k = 0; k < outs.size(); ++k) {
    theorem.outputs.push_back(outs[k].shown() + ": " + shape(leaf(sequential_, sequential_.flat.outputs[k]).dimensions, outs[k].type.element));
  }
  for (const DigitList& rank : ranks_) {
    for (const DigitId d : digits_.resolve(rank)) symbol(d);
  }
  for (const auto& [value, stride] : t_.literals()) {
    const DigitList digits = digits_.resolve(stride);
    const std::int64_t times = value / digits_.extent(digits);
    std::string product = times == 1 ? "" : std::to_string(times);
    bool fixed = true;
    for (const DigitId d : digits) {
      product += (product.empty() ? "" : "*") + symbol(d);
      fixed &= digits_.fixed(d) != nullptr;
    }
    const std::string line = std::to_string(value) + " = " + product + (fixed ? " (fixed)" : "");
    if (std::find(theorem.literals.begin(), theorem.literals.end(), line) == theorem.literals.end()) theorem.literals.push_back(line);
  }
  for (const DigitId d : order_) {
    const std::string* tied = digits_.fixed(d);
    const std::string& shown = tied != nullptr && !digits_.name(d).empty() ? digits_.name(d) : names_[d];
    theorem.sizes.push_back({shown, digits_.extent(d), is_rank(d), tied == nullptr ? "" : *tied});
  }
}

}  // namespace gg::sizes
