// Lengths of messages (runtime/transport/lengths.h).
#include "runtime/transport/lengths.h"

#include <algorithm>
#include <cstring>

#include "models/ir/kinds.h"
#include "runtime/transport/messages.h"

namespace gg::job {
namespace {

/// Of one element: the largest number type and an error bound.
constexpr std::size_t kMostOfElement = sizeof(Ball512) + sizeof(double);

std::size_t most_bytes(std::int64_t elements) {
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(elements, 0));
  return count > SIZE_MAX / 4 / kMostOfElement ? SIZE_MAX / 4 : count * kMostOfElement;
}

std::size_t most_bytes(const Type& type) {
  std::size_t sum = sizeof(TieCounter);
  for (const Type* leaf : type.leaves()) sum = std::min(SIZE_MAX / 4, sum + sizeof(TieCounter) + (leaf->is_array() ? most_bytes(leaf->count()) : 0));
  return sum;
}

}  // namespace

std::size_t longest_message(const Case& c) {
  const Module& module = *c.distributed;
  std::size_t most = most_bytes(module.type(module.computation(module.entry()).root));
  for (InstructionId id = 0; id < module.size(); ++id) {
    const bool collective = info(module[id].op).traits == OpTraits::Collective;
    if (!collective && !is_parameter(module, id)) continue;
    std::size_t sum = sizeof(Header) + most_bytes(module.type(id));
    for (const InstructionId operand : module.operands(id)) sum = std::min(SIZE_MAX / 4, sum + most_bytes(module.type(operand)));
    most = std::max(most, sum);
  }
  return most;
}

std::size_t bytes_of_outputs(const RunResult& result) {
  std::size_t sum = result.ties.size() * sizeof(TieCounter::ties);
  for (const auto* list : {&result.outputs, &result.errors}) {
    for (const Buffer& buffer : *list) sum += buffer.bytes();
  }
  return sum;
}

std::span<const std::byte> take_part(std::vector<Buffer>& lifted, int rank, int size, std::span<const std::byte> message) {
  for (Buffer& all : lifted) {
    const std::size_t part = all.bytes() / static_cast<std::size_t>(size);
    if (part > message.size()) throw PeerFailure{"rank " + std::to_string(rank) + " sent outputs that are cut short"};
    if (part != 0) std::memcpy(static_cast<std::byte*>(all.data()) + static_cast<std::size_t>(rank) * part, message.data(), part);
    message = message.subspan(part);
  }
  return message;
}

}  // namespace gg::job
