// A custom call without a meaning, as some pure function of its whole operands: each result element is
// sin(c S + d), S a weighted sum of all operand elements, the weights drawn from target and position. It exists so that
// the rest of a program can be run: equal operands give equal results, other operands give others. What such a
// function returns proves nothing about the program, so every result counts as tied.
#include "kernels/kernel_list.h"
#include "models/op/custom_calls.h"
#include "models/type/type.h"

namespace gg::kernels {
namespace {

/// Weights in [1/2, 3/2), by name and counter.
class Weights {
 public:
  explicit Weights(const std::string& name) {
    for (const char c : name) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  double at(std::uint64_t stream, std::uint64_t index) const {
    std::uint64_t z = state_ + stream * 0xd1342543de82ef95ULL + index * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return 0.5 + static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

/// Position of element `index` of an array among the batches, by its batch dimensions.
std::int64_t batch_of(std::int64_t index, std::span<const std::int64_t> dims, const IntList& batch) {
  std::int64_t number = 0;
  const auto strides = strides_of(dims);
  for (const std::int64_t d : batch) {
    const auto at = static_cast<std::size_t>(d);
    number = number * dims[at] + index / strides[at] % dims[at];
  }
  return number;
}

}  // namespace

bool opaque_call_applies(const Call& call, NumberMode) {
  return find_custom_call(call.attributes->text(Attr::CustomCallTarget)) == nullptr;
}

void opaque_call(const Arena&, const Call& call, std::int64_t ranks, NumberMode mode, std::span<const Operand> operands,
                 std::span<Buffer> results, TieCounter& ties) {
  const IntList& batch = call.attributes->ints(Attr::OpaqueBatchDims);
  const Storage storage = storage_of(ElementType::F64, mode);
  const Weights weights(call.attributes->text(Attr::CustomCallTarget) + call.attributes->text(Attr::BackendConfig));
  std::vector<const Type*> types;
  const std::vector<const Type*> leaves = array_leaf_types(*call.result);
  for (const Type* operand : call.operands) {
    for (const Type* leaf : array_leaf_types(*operand)) types.push_back(leaf);
  }
  std::int64_t batches = 1;
  if (!leaves.empty()) {
    for (const std::int64_t d : batch) batches *= leaves[0]->dims.at(static_cast<std::size_t>(d));
  }
  // Arrays without these dimensions (a weight vector) belong to every batch.
  const auto batched = [&](const Type& type) {
    for (const std::int64_t d : batch) {
      const auto at = static_cast<std::size_t>(d);
      if (at >= type.dims.size() || type.dims[at] != leaves[0]->dims[at]) return false;
    }
    return true;
  };
  ++ties.ties;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    Scalars number(storage, ElementType::F64, mode, batches + 2);
    void *const value = number.cell(batches), *const weight = number.cell(batches + 1);
    for (std::int64_t b = 0; b < batches; ++b) number.set(number.cell(b), 0.25);
    for (std::size_t k = 0; k < types.size(); ++k) {
      const std::int64_t count = types[k]->count();
      const bool own = !leaves.empty() && batched(*types[k]);
      std::vector<std::uint64_t> seen(static_cast<std::size_t>(batches), 0);
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t first = own ? batch_of(i, types[k]->dims, batch) : 0;
        number.convert(value, element(*operands[k].buffer, rank * count + i), operands[k].buffer->storage(), types[k]->element);
        number.set(weight, weights.at(k, seen[static_cast<std::size_t>(first)]++));
        number.apply(ScalarFn::Multiply, value, value, weight);
        for (std::int64_t b = first; b < (own ? first + 1 : batches); ++b) number.apply(ScalarFn::Add, number.cell(b), number.cell(b), value);
      }
    }
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      const std::int64_t count = leaves[leaf]->count();
      const bool integral = is_integral(leaves[leaf]->element);
      std::vector<std::uint64_t> seen(static_cast<std::size_t>(batches), 0);
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t b = batched(*leaves[leaf]) ? batch_of(i, leaves[leaf]->dims, batch) : 0;
        number.set(weight, weights.at(1000 + leaf, seen[static_cast<std::size_t>(b)]));
        number.apply(ScalarFn::Multiply, value, number.cell(b), weight);
        number.set(weight, weights.at(2000 + leaf, seen[static_cast<std::size_t>(b)]++));
        number.apply(ScalarFn::Add, value, value, weight);
        number.apply(ScalarFn::Sin, value, value, value);
        unsigned char* out = element(results[leaf], rank * count + i);
        if (integral) {  // four values, so that indices stay small
          number.set(weight, 2);
          number.apply(ScalarFn::Multiply, value, value, weight);
          number.apply(ScalarFn::Abs, value, value, value);
        }
        const Row row{value, 0};
        const ElementType from = ElementType::F64;
        TieCounter ignored;
        row_apply(ScalarFn::Convert, {leaves[leaf]->element, mode}, results[leaf].storage(), out, &row, &storage, &from, 1, ignored);
      }
    }
  }
}

bool random_bits_applies(const Call&, NumberMode) { return true; }

/// rng-bit-generator as some function of its state and the shape: integers are exact, so their bits are mixed. Which
/// generator a backend takes is not modelled: results count as tied.
void random_bits(const Arena&, const Call& call, std::int64_t ranks, NumberMode, std::span<const Operand> operands,
                 std::span<Buffer> results, TieCounter& ties) {
  const Buffer& state = *operands[0].buffer;
  const std::int64_t words = state.count() / ranks;
  const std::vector<const Type*> leaves = array_leaf_types(*call.result);
  ++ties.ties;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    std::string seed = call.attributes->text(Attr::Algorithm);
    for (std::int64_t k = 0; k < words; ++k) seed += " " + std::to_string(state.as<std::int64_t>()[static_cast<std::size_t>(rank * words + k)]);
    const Weights weights(seed);
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      const std::int64_t count = leaves[leaf]->count();
      for (std::int64_t i = 0; i < count; ++i) {
        const double unit = weights.at(leaf, static_cast<std::uint64_t>(i)) - 0.5;
        const auto bits = static_cast<std::uint64_t>(unit * 0x1p53) * 0x9e3779b97f4a7c15ULL;
        results[leaf].as<std::int64_t>()[static_cast<std::size_t>(rank * count + i)] =
            wrap_to(leaves[leaf]->element, static_cast<std::int64_t>(bits));
      }
    }
  }
}

}  // namespace gg::kernels
