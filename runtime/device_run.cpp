#include "runtime/device_run.h"

#include <algorithm>
#include <numeric>

#include "kernels/device/elements.h"
#include "kernels/kernels.h"
#include "runtime/instruction.h"

namespace gg {
namespace {

using device::Block;
using device::Device;
using device::Element;

/// The value in device memory, uploaded where it is on the host only.
std::shared_ptr<Block> on_device(const Value& value, Element element, Device& to) {
  if (value.device && value.device->block && value.device->element == element) return value.device->block;
  const std::vector<std::byte> bytes = device::to_elements(*on_host(value), element);
  const auto block = to.allocate(bytes.size());
  to.upload(*block, bytes.data(), bytes.size());
  if (value.device && !value.device->block) {
    value.device->block = block;
    value.device->element = element;
  }
  return block;
}

/// A body that moves the dimensions into this order.
Body permuted(Arena& arena, ElementType type, const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& order) {
  Body body{type, {}, {}};
  std::vector<LinId> index(extents.size());
  for (std::size_t d = 0; d < order.size(); ++d) {
    const auto from = static_cast<std::size_t>(order[d]);
    body.extents.push_back(extents[from]);
    index[from] = arena.var(static_cast<int>(d), extents[from]);
  }
  body.root = arena.read(0, type, index);
  return body;
}

}  // namespace

const std::shared_ptr<const Buffer>& on_host(const Value& value) {
  if (value.data || !value.device) return value.data;
  const DeviceArray& array = *value.device;
  if (!array.host) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(array.count) * static_cast<std::size_t>(device::bytes_of(array.element)));
    array.owner->download(*array.block, bytes.data(), bytes.size());
    Buffer values(array.storage, array.count);
    device::from_elements(bytes, array.element, values);
    array.host = share(std::move(values));
  }
  value.data = array.host;
  return value.data;
}

void expect_on_device(Value& value, device::Device& device) {
  if (value.device) return;
  auto array = std::make_shared<DeviceArray>();
  array->owner = &device;
  array->storage = value.data->storage();
  array->count = value.data->count();
  array->host = value.data;
  value.device = std::move(array);
}

const std::optional<device::Code>& DeviceRunner::code(const Body& body, const Prepared& prepared, NumberMode mode) {
  const auto [entry, fresh] = codes_.try_emplace({&body, mode});
  if (fresh) entry->second = device::lower(arena_, body, prepared.operand_types, prepared.operand_extents, mode);
  return entry->second;
}

const std::optional<DeviceRunner::DotPlan>& DeviceRunner::dot_plan(const Prepared& prepared, NumberMode mode) {
  const auto [entry, fresh] = dots_.try_emplace({&prepared, mode});
  if (!fresh || prepared.call.op != Op::Dot) return entry->second;
  const auto left = device::element_of(prepared.operand_types[0], mode), right = device::element_of(prepared.operand_types[1], mode);
  const auto result = device::element_of(prepared.results[0]->element, mode);
  if (!left || left != right || !result || !device::is_float(*left) || !device::is_float(*result)) return entry->second;
  const bool wider = device::is_short(*left) && *result == Element::F32;
  if (*result != *left && !wider) return entry->second;
  const DotSide sides[] = {dot_side(prepared.call, 0), dot_side(prepared.call, 1)};
  const std::size_t lifted = prepared.operand_extents[0].size() - sides[0].order.size();
  const std::int64_t batch = element_count(std::span(prepared.operand_extents[0]).first(lifted)) * sides[0].batch;
  DotPlan plan;
  plan.product.in = *left;
  plan.product.out = *result;
  plan.product.k = sides[0].inner;
  plan.product.batch = batch;
  plan.product.m = sides[0].free;
  plan.product.n = sides[1].free;
  const device::Product& p = plan.product;
  if (p.batch == 0 || p.k == 0 || p.m == 0 || p.n == 0) return entry->second;
  // Lifted dimensions are batch.
  for (std::size_t operand = 0; operand < 2; ++operand) {
    if (std::is_sorted(sides[operand].order.begin(), sides[operand].order.end())) continue;
    std::vector<std::int64_t> order(lifted);
    std::iota(order.begin(), order.end(), 0);
    for (const std::int64_t d : sides[operand].order) order.push_back(d + static_cast<std::int64_t>(lifted));
    const std::vector<ElementType> types = {prepared.operand_types[operand]};
    const std::vector<std::vector<std::int64_t>> extents = {prepared.operand_extents[operand]};
    auto& code = operand == 0 ? plan.left : plan.right;
    code = device::lower(arena_, permuted(arena_, types[0], extents[0], order), types, extents, mode);
    if (!code) return entry->second;
  }
  entry->second = std::move(plan);
  return entry->second;
}

std::shared_ptr<Block> DeviceRunner::multiply(const DotPlan& plan, std::span<const Block* const> operands, Device& device) {
  const auto packed = [&](const std::optional<device::Code>& code, const Block* operand) -> std::shared_ptr<Block> {
    if (!code) return nullptr;
    const auto block = device.allocate(operand->bytes());
    device.run(*code, {&operand, 1}, *block);
    return block;
  };
  const auto a = packed(plan.left, operands[0]), w = packed(plan.right, operands[1]);
  const std::int64_t count = plan.product.batch * plan.product.m * plan.product.n;
  const auto out = device.allocate(static_cast<std::size_t>(count * device::bytes_of(plan.product.out)));
  if (!device.multiply(plan.product, a ? *a : *operands[0], w ? *w : *operands[1], *out)) return nullptr;
  return out;
}

std::optional<Values> DeviceRunner::run(const Prepared& prepared, std::span<const Value> operands, NumberMode mode, Device& device) {
  std::vector<Element> elements;
  for (const ElementType type : prepared.operand_types) {
    const auto element = device::element_of(type, mode);
    if (!element) return std::nullopt;
    elements.push_back(*element);
  }
  std::vector<const device::Code*> codes;
  for (const Body* body : prepared.bodies) {
    if (body == nullptr) return std::nullopt;
    const auto& lowered = code(*body, prepared, mode);
    if (!lowered) return std::nullopt;
    codes.push_back(&*lowered);
  }
  std::vector<std::shared_ptr<Block>> blocks;
  std::vector<const Block*> given;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    blocks.push_back(on_device(operands[k], elements[k], device));
    given.push_back(blocks.back().get());
  }
  Values values;
  for (const device::Code* lowered : codes) {
    auto array = std::make_shared<DeviceArray>();
    array->owner = &device;
    array->element = lowered->type;
    array->count = lowered->elements;
    array->storage = device::is_float(lowered->type) ? Storage::Double : Storage::Int64;
    if (const auto& plan = dot_plan(prepared, mode)) array->block = multiply(*plan, given, device);
    if (!array->block) {
      array->block = device.allocate(static_cast<std::size_t>(lowered->elements * device::bytes_of(lowered->type)));
      if (lowered->elements != 0) device.run(*lowered, given, *array->block);
    }
    Value value;
    value.device = std::move(array);
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace gg
