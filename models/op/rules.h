// The type rules and bodies that ops.def names, for the files that define them and for op.cpp: each row declares its own. Rules that
// several rows name are declared as often.
#pragma once

#include "models/op/op.h"

namespace gg {

#define OP(Enum, name, least, most, type, body, traits) \
  Type type(const Call& call);                          \
  Body body(Arena& arena, const Call& call, int leaf);
#include "models/op/ops.def"
#undef OP

}  // namespace gg
