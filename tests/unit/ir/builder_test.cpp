// Building modules by hand: interning, structure, misuse.
#include <gtest/gtest.h>

#include "models/base/check.h"
#include "models/ir/module.h"
#include "models/ir/verify.h"

namespace gg {
namespace {

Type f32(std::vector<std::int64_t> dims) { return Type::array(ElementType::F32, std::move(dims)); }

Instruction make(Builder& builder, Op op, const std::string& name, const Type& type, Attributes attributes = {}) {
  Instruction instruction{};
  instruction.op = op;
  instruction.name = builder.intern(name);
  instruction.type = builder.intern(type);
  instruction.attributes = builder.intern(std::move(attributes));
  return instruction;
}

Attributes number(std::int64_t n) {
  Attributes attributes;
  attributes.set(Attr::Parameter, n);
  return attributes;
}

TEST(Builder, MakesAModule) {
  Builder builder("here.fx");
  builder.module().name = "m";
  const ComputationId main = builder.reserve("main");
  builder.begin(main, 1);
  const InstructionId y = builder.add(make(builder, Op::Parameter, "y", f32({2}), number(1)), {});
  const InstructionId x = builder.add(make(builder, Op::Parameter, "x", f32({2}), number(0)), {});
  const InstructionId operands[] = {x, y};
  const InstructionId s = builder.add(make(builder, Op::Add, "s", f32({2})), operands);
  builder.end(s);
  builder.set_entry(main);
  const Module module = builder.finish();
  verify(module);
  EXPECT_EQ((std::vector<InstructionId>{x, y}), module.computation(main).parameters);
  EXPECT_EQ("s", module.name_of(s));
  EXPECT_EQ(2U, module.operands(s).size());
  EXPECT_EQ("main/%s#2", to_string(module, Instance{{}, s, 2}));
  EXPECT_GT(module.memory_bytes(), 0U);
  const Call call = call_of(module, s);
  EXPECT_EQ(Op::Add, call.op);
  EXPECT_EQ(2U, call.operands.size());
  EXPECT_EQ(f32({2}), *call.result);
}

TEST(Builder, InternsEqualThingsOnce) {
  Builder builder("");
  EXPECT_EQ(builder.intern("a"), builder.intern("a"));
  EXPECT_NE(builder.intern("a"), builder.intern("b"));
  EXPECT_EQ(builder.intern(""), builder.intern(""));
  EXPECT_EQ(builder.intern(f32({2})), builder.intern(f32({2})));
  Type laid_out = f32({2, 3});
  laid_out.layout = {0, 1};
  EXPECT_NE(builder.intern(f32({2, 3})), builder.intern(laid_out));
  EXPECT_EQ(builder.intern(number(1)), builder.intern(number(1)));
  EXPECT_NE(builder.intern(number(1)), builder.intern(number(2)));
  for (int k = 0; k < 10000; ++k) builder.intern("name" + std::to_string(k));
  const StringId middle = builder.intern("name5000");
  EXPECT_EQ("name5000", builder.module().string(middle));
}

TEST(Builder, StructureIsChecked) {
  Builder builder("f");
  const ComputationId main = builder.reserve("main");
  const ComputationId other = builder.reserve("other");
  EXPECT_EQ(main, builder.reserve("main"));
  builder.begin(main, 3);
  const InstructionId x = builder.add(make(builder, Op::Parameter, "x", f32({}), number(0)), {});
  builder.end(x);
  EXPECT_THROW(builder.begin(main, 9), InputError);  // defined twice
  try {
    builder.finish();
    FAIL();
  } catch (const InputError& error) {
    ASSERT_EQ(2U, error.diags().size());  // 'other' is undefined, and there is no entry
    EXPECT_EQ(DiagCode::UnknownName, error.diags()[0].code);
    EXPECT_EQ(DiagCode::BadComputation, error.diags()[1].code);
  }
  builder.begin(other, 4);
  const InstructionId y = builder.add(make(builder, Op::Parameter, "y", f32({}), number(1)), {});
  EXPECT_THROW(builder.end(y), InputError);  // no parameter 0
}

TEST(Builder, MisuseIsAnInternalError) {
  Builder builder("f");
  EXPECT_THROW(builder.add(make(builder, Op::Iota, "x", f32({2})), {}), InternalError);
  const ComputationId a = builder.reserve("a");
  builder.begin(a, 1);
  EXPECT_THROW(builder.begin(a, 1), InternalError);
  const InstructionId x = builder.add(make(builder, Op::Parameter, "x", f32({}), number(0)), {});
  const InstructionId beyond[] = {x + 1};
  EXPECT_THROW(builder.add(make(builder, Op::Negate, "y", f32({})), beyond), InternalError);
  builder.end(x);
  builder.begin(builder.reserve("b"), 2);
  const InstructionId foreign[] = {x};
  EXPECT_THROW(builder.add(make(builder, Op::Negate, "y", f32({})), foreign), InternalError);
}

}  // namespace
}  // namespace gg
