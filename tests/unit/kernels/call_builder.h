// Calls and buffers for the tests of kernels: types own their storage, values are given as doubles or integers.
#pragma once

#include <deque>
#include <vector>

#include "kernels/kernels.h"
#include "models/base/check.h"

namespace gg::test {

/// One call with everything that it points to.
class CallBuilder {
 public:
  CallBuilder(Op op, NumberMode number_mode) : mode(number_mode) {
    call.op = op;
    call.attributes = &attributes;
  }

  Arena arena;
  Attributes attributes;
  Call call{};
  NumberMode mode;
  std::int64_t ranks = 1;

  /// An operand of all ranks, rank-major.
  CallBuilder& operand(ElementType type, std::vector<std::int64_t> dims, const std::vector<double>& values) {
    types_.push_back(Type::array(type, std::move(dims)));
    call.operands.push_back(&types_.back());
    Buffer buffer(storage_of(type, mode), static_cast<std::int64_t>(values.size()));
    for (std::size_t k = 0; k < values.size(); ++k) set(buffer, type, k, values[k]);
    buffers_.push_back(std::move(buffer));
    return *this;
  }
  CallBuilder& result(Type type) {
    types_.push_back(std::move(type));
    call.result = &types_.back();
    return *this;
  }
  /// The region (p0, p1, ...) -> results; `make` gets the parameters.
  template <class Make>
  CallBuilder& region(std::vector<ElementType> parameters, const Make& make) {
    std::vector<ExprId> reads;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      reads.push_back(arena.read(static_cast<int>(k), parameters[k], {}));
    }
    region_.parameters = std::move(parameters);
    region_.results = make(reads);
    call.regions = {&region_};
    attributes.set(Attr::ToApply, ComputationList{0});
    return *this;
  }
  CallBuilder& monoid(ScalarFn fn) {
    region_.monoid = fn;
    return *this;
  }
  ExprId fn(ScalarFn f, ElementType type, std::vector<ExprId> kids) { return arena.fn(f, type, kids); }
  ExprId less(ExprId a, ExprId b) { return fn(ScalarFn::CompareLt, ElementType::Pred, {a, b}); }
  ExprId greater(ExprId a, ExprId b) { return fn(ScalarFn::CompareGt, ElementType::Pred, {a, b}); }

  std::vector<Operand> operands() const {
    std::vector<Operand> out;
    for (std::size_t k = 0; k < buffers_.size(); ++k) {
      out.push_back({&buffers_[k], call.operands[k]->element, call.operands[k]->dims});
    }
    return out;
  }

  TieCounter ties;
  /// Runs the kernel, which must exist; values of all result leaves as doubles.
  std::vector<std::vector<double>> run() {
    call.attributes = &attributes;  // the builder may have moved
    if (!call.regions.empty()) call.regions = {&region_};
    const Kernel kernel = find_kernel(call, mode);
    GG_CHECK(kernel != nullptr, "no kernel for the call of a test");
    std::vector<Buffer> results;
    for (const Type* leaf : call.result->leaves()) {
      results.emplace_back(storage_of(leaf->element, mode), ranks * leaf->count());
    }
    kernel(arena, call, ranks, mode, operands(), results, ties);
    std::vector<std::vector<double>> out;
    for (const Buffer& buffer : results) out.push_back(values_of(buffer));
    return out;
  }

  static std::vector<double> values_of(const Buffer& buffer) {
    std::vector<double> out;
    for (std::size_t k = 0; k < static_cast<std::size_t>(buffer.count()); ++k) {
      out.push_back(number_at(buffer, k));
    }
    return out;
  }

 private:
  static void set(Buffer& buffer, ElementType type, std::size_t k, double value) {
    auto* bytes = static_cast<unsigned char*>(buffer.data()) + k * bytes_of(buffer.storage());
    store_scalar(buffer.storage(), bytes, type, value, is_integral(type) ? static_cast<std::int64_t>(value) : 0);
  }
  std::deque<Type> types_;
  std::vector<Buffer> buffers_;
  Region region_;
};

}  // namespace gg::test
