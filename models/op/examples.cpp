// Example calls, a row an operator; elementwise operators share one.
#include "models/op/examples.h"

namespace gg {

namespace {

Type f32(std::vector<std::int64_t> dims) { return Type::array(ElementType::F32, std::move(dims)); }
Type s32(std::vector<std::int64_t> dims) { return Type::array(ElementType::S32, std::move(dims)); }

void add_region(Arena& arena, OpExample& e) {
  const ElementType type = ElementType::F32;
  const ExprId both[] = {arena.read(0, type, {}), arena.read(1, type, {})};
  e.regions.push_back({{type, type}, {arena.fn(ScalarFn::Add, type, both)}, ScalarFn::Add});
  e.attributes.set(Attr::ToApply, ComputationList{0});
}

void over_tp(OpExample& e) {
  e.digits = RankDigits({{2, 2, "dp"}, {2, 1, "tp"}});
  e.layout = {1, 4};
  e.attributes.set(Attr::ReplicaGroups, ReplicaGroups{{{0, 1}, {2, 3}}, false, ""});
  e.attributes.set(Attr::HasChannel, true);
  if (e.op != Op::AllToAll && e.op != Op::CollectiveBroadcast) e.attributes.set(Attr::UseGlobalDeviceIds, true);
}

void dims(OpExample& e, IntList values) { e.attributes.set(Attr::BroadcastDims, std::move(values)); }

struct Row {
  Op op;
  void (*fill)(Arena&, OpExample&);
};

constexpr Row kRows[] = {
    {Op::Clamp,
     [](Arena&, OpExample& e) {
       e.operands = {f32({}), f32({4}), f32({})};
     }},
    {Op::Compare,
     [](Arena&, OpExample& e) {
       e.operands = {f32({4}), f32({4})};
       e.attributes.set(Attr::Direction, std::string("LT"));
     }},
    {Op::Convert,
     [](Arena&, OpExample& e) {
       e.operands = {f32({4})};
       e.result = Type::array(ElementType::BF16, {4});
     }},
    {Op::ReducePrecision,
     [](Arena&, OpExample& e) {
       e.operands = {f32({4})};
       e.attributes.set(Attr::ExponentBits, std::int64_t{8});
       e.attributes.set(Attr::MantissaBits, std::int64_t{7});
     }},
    {Op::StochasticConvert,
     [](Arena&, OpExample& e) {
       e.operands = {f32({4}), Type::array(ElementType::U32, {4})};
       e.result = Type::array(ElementType::BF16, {4});
     }},
    {Op::Select,
     [](Arena&, OpExample& e) {
       e.operands = {Type::array(ElementType::Pred, {4}), f32({4}), f32({4})};
     }},
    {Op::Conditional,
     [](Arena&, OpExample& e) {
       e.operands = {Type::array(ElementType::Pred, {}), f32({4}), f32({4})};
       e.result = f32({4});
       e.attributes.set(Attr::TrueComputation, ComputationList{0});
       e.attributes.set(Attr::FalseComputation, ComputationList{1});
     }},
    {Op::Map,
     [](Arena& arena, OpExample& e) {
       e.operands = {f32({4}), f32({4})};
       e.result = f32({4});
       dims(e, {0});
       add_region(arena, e);
     }},
    {Op::Constant,
     [](Arena&, OpExample& e) {
       const auto value = [](double v) { return Scalar::of(ElementType::F32, v); };
       e.attributes.set(Attr::Literal, ConstantArray{f32({3}), {value(1), value(0.5), value(4)}});
     }},
    {Op::Iota,
     [](Arena&, OpExample& e) {
       e.result = s32({2, 3});
       e.attributes.set(Attr::IotaDimension, std::int64_t{1});
     }},
    {Op::PartitionId,
     [](Arena&, OpExample& e) {
       e.digits = RankDigits({{2, 4, "replica"}, {4, 1, "partition"}});
       e.layout = {2, 4};
     }},
    {Op::ReplicaId,
     [](Arena&, OpExample& e) {
       e.digits = RankDigits({{2, 4, "replica"}, {4, 1, "partition"}});
       e.layout = {2, 4};
     }},
    {Op::Bitcast,
     [](Arena&, OpExample& e) {
       e.operands = {f32({6})};
       e.result = f32({2, 3});
     }},
    {Op::BitcastConvert,
     [](Arena&, OpExample& e) {
       e.operands = {s32({4})};
       e.result = Type::array(ElementType::U8, {4, 4});
     }},
    {Op::Broadcast,
     [](Arena&, OpExample& e) {
       e.operands = {f32({3})};
       e.result = f32({2, 3});
       dims(e, {1});
     }},
    {Op::Concatenate,
     [](Arena&, OpExample& e) {
       e.operands = {f32({2, 3}), f32({2, 5})};
       dims(e, {1});
     }},
    {Op::Pad,
     [](Arena&, OpExample& e) {
       e.operands = {f32({5}), f32({})};
       e.attributes.set(Attr::Padding, std::vector<PadDim>{{1, 2, 1}});
     }},
    {Op::Reshape,
     [](Arena&, OpExample& e) {
       e.operands = {f32({6, 4})};
       e.result = f32({2, 3, 4});
     }},
    {Op::Reverse,
     [](Arena&, OpExample& e) {
       e.operands = {f32({2, 3})};
       dims(e, {1});
     }},
    {Op::Slice,
     [](Arena&, OpExample& e) {
       e.operands = {f32({8})};
       e.attributes.set(Attr::Slice, std::vector<SliceDim>{{1, 8, 2}});
     }},
    {Op::Transpose,
     [](Arena&, OpExample& e) {
       e.operands = {f32({2, 3})};
       dims(e, {1, 0});
     }},
    {Op::Convolution,
     [](Arena&, OpExample& e) {
       e.operands = {f32({1, 8, 3}), f32({3, 3, 4})};
       e.result = f32({1, 8, 4});
       e.attributes.set(Attr::Window, std::vector<WindowDim>{{3, 1, 1, 1, 1, 1, false}});
       e.attributes.set(Attr::DimLabels, DimLabels{0, 2, 1, 2, 0, 2, {1}, {0}, {1}});
     }},
    {Op::Dot,
     [](Arena&, OpExample& e) {
       e.operands = {f32({2, 3, 4}), f32({2, 4, 5})};
       e.result = f32({2, 3, 5});
       e.attributes.set(Attr::LhsBatchDims, IntList{0});
       e.attributes.set(Attr::RhsBatchDims, IntList{0});
       e.attributes.set(Attr::LhsContractingDims, IntList{2});
       e.attributes.set(Attr::RhsContractingDims, IntList{1});
     }},
    {Op::Reduce,
     [](Arena& arena, OpExample& e) {
       e.operands = {f32({2, 3}), f32({})};
       dims(e, {1});
       add_region(arena, e);
     }},
    {Op::ReduceWindow,
     [](Arena& arena, OpExample& e) {
       e.operands = {f32({4}), f32({})};
       e.attributes.set(Attr::Window, std::vector<WindowDim>{{4, 1, 3, 0, 1, 1, false}});
       add_region(arena, e);
     }},
    {Op::DynamicSlice,
     [](Arena&, OpExample& e) {
       e.operands = {f32({8}), s32({})};
       e.attributes.set(Attr::DynamicSliceSizes, IntList{2});
     }},
    {Op::DynamicUpdateSlice,
     [](Arena&, OpExample& e) {
       e.operands = {f32({8}), f32({2}), s32({})};
     }},
    {Op::Gather,
     [](Arena&, OpExample& e) {
       e.operands = {f32({100, 4}), s32({3})};
       e.attributes.set(Attr::OffsetDims, IntList{1});
       e.attributes.set(Attr::CollapsedSliceDims, IntList{0});
       e.attributes.set(Attr::StartIndexMap, IntList{0});
       e.attributes.set(Attr::IndexVectorDim, std::int64_t{1});
       e.attributes.set(Attr::SliceSizes, IntList{1, 4});
     }},
    {Op::Scatter,
     [](Arena& arena, OpExample& e) {
       e.operands = {f32({100, 4}), s32({3}), f32({3, 4})};
       e.attributes.set(Attr::UpdateWindowDims, IntList{1});
       e.attributes.set(Attr::InsertedWindowDims, IntList{0});
       e.attributes.set(Attr::ScatterDims, IntList{0});
       e.attributes.set(Attr::IndexVectorDim, std::int64_t{1});
       add_region(arena, e);
     }},
    {Op::AllGather,
     [](Arena&, OpExample& e) {
       e.operands = {f32({3, 4})};
       dims(e, {1});
       over_tp(e);
     }},
    {Op::AllReduce,
     [](Arena& arena, OpExample& e) {
       e.operands = {f32({3, 4})};
       add_region(arena, e);
       over_tp(e);
     }},
    {Op::AllToAll,
     [](Arena&, OpExample& e) {
       e.operands = {f32({3, 4})};
       dims(e, {1});
       over_tp(e);
     }},
    {Op::CollectiveBroadcast,
     [](Arena&, OpExample& e) {
       e.operands = {f32({3, 4})};
       over_tp(e);
     }},
    {Op::CollectivePermute,
     [](Arena&, OpExample& e) {
       e.operands = {f32({3})};
       e.digits = RankDigits({{4, 1, "tp"}});
       e.layout = {1, 4};
       e.attributes.set(Attr::HasChannel, true);
       e.attributes.set(Attr::SourceTargetPairs, PairList{{0, 1}, {1, 2}, {2, 3}});
     }},
    {Op::ReduceScatter,
     [](Arena& arena, OpExample& e) {
       e.operands = {f32({3, 4})};
       dims(e, {1});
       add_region(arena, e);
       over_tp(e);
     }},
};

/// Operands of the type that the operator takes: f32, else s32.
void fill_elementwise(OpExample& e) {
  for (const Type& type : {f32({4}), s32({4})}) {
    e.operands.assign(static_cast<std::size_t>(info(e.op).least_operands), type);
    try {
      e.result = infer_type(e.call());
      return;
    } catch (const TypeError&) {
      continue;
    }
  }
}

void fill_custom_call(OpExample& e, std::string_view target) {
  e.attributes.set(Attr::CustomCallTarget, std::string(target));
  if (target == "AwsNeuronRmsNorm") {
    e.operands = {f32({8, 4}), f32({8}), f32({})};
    e.result = Type::array(ElementType::F16, {8, 4});
    e.attributes.set(Attr::BackendConfig, std::string("0"));
  } else if (target.substr(0, 4) == "SPMD") {
    const bool enters = target == "SPMDFullToShardShape";
    e.operands = {enters ? f32({8, 3}) : f32({4, 3})};
    e.result = enters ? f32({4, 3}) : f32({8, 3});
    e.digits = RankDigits({{2, 2, "dp"}, {2, 1, "tp"}});
    e.layout = {1, 4};
    e.attributes.set(Attr::ManualTiles, IntList{2, 1});
    e.attributes.set(Attr::ManualDevices, IntList{0, 1, 2, 3});
  } else {
    e.operands = {f32({4})};
    e.result = f32({4});
  }
}

}  // namespace

Call OpExample::call() const {
  Call call{op, &attributes, {}, &result, {}, &digits, layout};
  for (const Type& operand : operands) call.operands.push_back(&operand);
  for (const Region& region : regions) call.regions.push_back(&region);
  return call;
}

std::unique_ptr<OpExample> example_of(Arena& arena, Op op, std::string_view target) {
  auto example = std::make_unique<OpExample>();
  example->op = op;
  if (op == Op::CustomCall) {
    if (target.empty()) return nullptr;
    fill_custom_call(*example, target);
    return example;
  }
  if (!has_body(op)) return nullptr;
  for (const Row& row : kRows) {
    if (row.op != op) continue;
    row.fill(arena, *example);
    if (example->result.element == ElementType::Token) example->result = infer_type(example->call());
    return example;
  }
  fill_elementwise(*example);
  return example;
}

}  // namespace gg
