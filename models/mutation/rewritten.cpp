#include "models/mutation/rewritten.h"

#include <algorithm>

#include "models/base/check.h"

namespace gg {
namespace {

using Naming = std::function<std::string(ComputationId)>;

Module copy(const Module& module, const Naming& name_of, const std::function<void(InstructionId, Draft&)>& change) {
  Builder builder(module.file);
  for (ComputationId id = 0; id < module.computations().size(); ++id) builder.reserve(name_of(id));
  const auto text = [&](StringId id) { return id == kNone ? std::string() : std::string(module.string(id)); };
  for (const ComputationId cid : module.in_order()) {
    const Computation& c = module.computation(cid);
    builder.begin(cid, c.line);
    for (InstructionId id = c.first; id < c.first + c.count; ++id) {
      Instruction now = module[id];
      Draft draft{mutation::form_of(module, id), text(now.name), text(now.metadata)};
      change(id, draft);
      now.op = draft.op;
      // The number of a channel means nothing here (it need not be unique); whether there is one is an attribute.
      now.channel = draft.attributes.has(Attr::HasChannel) ? std::max(now.channel, std::int32_t{0}) : -1;
      now.type = builder.intern(module.type(id));
      now.attributes = builder.intern(std::move(draft.attributes));
      now.name = builder.intern(draft.name);
      now.metadata = draft.metadata.empty() ? kNone : builder.intern(draft.metadata);
      if (now.sharding != kNone) now.sharding = builder.intern(module.string(now.sharding));
      GG_CHECK(builder.add(now, draft.operands) == id, "a copied module keeps its instruction ids");
    }
    builder.end(c.root);
  }
  builder.set_entry(module.entry());
  builder.copy_header(module);
  return builder.finish();
}

}  // namespace

mutation::Form mutation::form_of(const Module& module, InstructionId id) {
  const auto operands = module.operands(id);
  return {module[id].op, module.attributes(id), {operands.begin(), operands.end()}};
}

Module rewritten(const Module& module, const std::function<void(InstructionId, Draft&)>& change) {
  return copy(
      module, [&](ComputationId id) { return std::string(module.string(module.computation(id).name)); }, change);
}

Module anonymous(const Module& module) {
  return copy(
      module, [](ComputationId id) { return "c" + std::to_string(id); }, [](InstructionId id, Draft& draft) {
    draft.name = "i" + std::to_string(id);
    draft.metadata.clear(); });
}

}  // namespace gg
