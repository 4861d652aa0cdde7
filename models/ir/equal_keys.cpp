#include "models/ir/equal_keys.h"

namespace gg {

bool orders_freely(const Module& module) {
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (module[id].op == Op::Sort && module.operands(id).size() > 1 && !module.attributes(id).flag(Attr::IsStable)) return true;
  }
  return false;
}

}  // namespace gg
