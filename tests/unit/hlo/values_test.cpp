// Types, literals and attribute values: spellings, edges, printing back.
#include "models/hlo/values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "models/hlo/parser.h"
#include "models/hlo/print_values.h"
#include "tests/unit/refusal.h"

namespace gg {
namespace {

const std::string kFile;

DiagCode type_refusal(const std::string& text) {
  return code_of([&] { parse_type(text); });
}

TEST(ParseType, Spellings) {
  EXPECT_EQ("f32[4,16]", to_string(parse_type("f32[4,16]{1,0}")));
  EXPECT_TRUE(parse_type("f32[4,16]{1,0}").layout.empty());
  EXPECT_EQ((std::vector<std::int64_t>{0, 1}), parse_type("f32[4,16]{0,1:T(8,128)S(5)}").layout);
  EXPECT_EQ("f32[]", to_string(parse_type("f32[]{:T(128)}")));
  EXPECT_EQ("(f32[], (s32[2], token[]))", to_string(parse_type("( f32[], /*index=1*/(s32[2]{0}, token[]) )")));
  EXPECT_EQ("()", to_string(parse_type("()")));
  EXPECT_EQ(ElementType::F8E4M3B11FNUZ, parse_type("f8e4m3b11fnuz[1]").element);
  EXPECT_EQ(0, parse_type("s4[0,281474976710656]").count());
}

TEST(ParseType, Refused) {
  EXPECT_EQ(DiagCode::Syntax, type_refusal("f33[4]"));
  EXPECT_EQ(DiagCode::Syntax, type_refusal("f32"));
  EXPECT_EQ(DiagCode::Syntax, type_refusal("f32[4"));
  EXPECT_EQ(DiagCode::Syntax, type_refusal("f32[4] x"));
  EXPECT_EQ(DiagCode::Syntax, type_refusal("(tuple)[2]"));
  EXPECT_EQ(DiagCode::Syntax, type_refusal("token[2]"));
  EXPECT_EQ(DiagCode::BadNumber, type_refusal("f32[-1]"));
  EXPECT_EQ(DiagCode::BadNumber, type_refusal("f32[99999999999999999999]"));
  EXPECT_EQ(DiagCode::SizeOverflow, type_refusal("f32[281474976710656,2]"));
  EXPECT_EQ(DiagCode::BadAttribute, type_refusal("f32[4,4]{0,0}"));
  EXPECT_EQ(DiagCode::BadAttribute, type_refusal("f32[4,4]{0}"));
  EXPECT_EQ(DiagCode::UnsupportedForm, type_refusal("f32[<=4]"));
  EXPECT_EQ(DiagCode::UnsupportedForm, type_refusal("f32[?]"));
  EXPECT_EQ(DiagCode::TooDeep, type_refusal(std::string(100, '(') + "f32[]" + std::string(100, ')')));
  EXPECT_EQ(DiagCode::TooDeep, type_refusal(std::string(100000, '(')));
}

ConstantArray literal(const std::string& type, const std::string& text) {
  hlo::Cursor cursor(text, kFile);
  ConstantArray array = hlo::parse_literal(cursor, parse_type(type));
  cursor.skip_space();
  EXPECT_TRUE(cursor.at_end()) << text;
  return array;
}

double real(const std::string& type, const std::string& text) { return literal(type, text).values.at(0).real; }
std::int64_t integer(const std::string& type, const std::string& text) {
  return literal(type, text).values.at(0).integer;
}

TEST(ParseLiteral, FloatsAreRoundedToTheirType) {
  EXPECT_EQ(static_cast<double>(0.1F), real("f32[]", "0.1"));
  EXPECT_EQ(0.1, real("f64[]", "0.1"));
  EXPECT_EQ(0.10009765625, real("bf16[]", "0.1"));
  EXPECT_EQ(-1e-05, real("f64[]", "-1e-05"));
  EXPECT_EQ(-std::numeric_limits<double>::infinity(), real("f32[]", "-inf"));
  EXPECT_TRUE(std::isnan(real("f32[]", "nan")));
  EXPECT_TRUE(std::isnan(real("f32[]", "-nan(0x7fc01)")));
  EXPECT_TRUE(std::signbit(real("f32[]", "-0")));
  EXPECT_EQ(std::ldexp(1, -149), real("f32[]", "1.4013e-45"));
  EXPECT_EQ(0, real("f64[]", "1e-400"));
  EXPECT_EQ(1, real("f32[]", "1"));
}

TEST(ParseLiteral, IntegersFit) {
  EXPECT_EQ(-128, integer("s8[]", "-128"));
  EXPECT_EQ(-1, integer("u64[]", "18446744073709551615"));
  EXPECT_EQ(std::numeric_limits<std::int64_t>::min(), integer("s64[]", "-9223372036854775808"));
  EXPECT_EQ(1, integer("pred[]", "true"));
  EXPECT_EQ(0, integer("pred[]", "0"));
  for (const auto& [type, text] :
       {std::pair("s8[]", "128"), std::pair("u8[]", "-1"), std::pair("s4[]", "8"), std::pair("pred[]", "2"),
        std::pair("u64[]", "18446744073709551616"), std::pair("s64[]", "9223372036854775808"),
        std::pair("f32[]", "1e39"), std::pair("f64[]", "1e999"), std::pair("f8e8m0fnu[]", "0")}) {
    EXPECT_EQ(DiagCode::BadNumber, code_of([t = type, x = text] { literal(t, x); })) << type << " " << text;
  }
}

TEST(ParseLiteral, Shapes) {
  EXPECT_EQ(6U, literal("s32[2,3]", "{ { 1, 2, 3 }, /*i0=1*/{ 4, 5, 6 } }").values.size());
  EXPECT_EQ(0U, literal("s32[2,0]", "{ {  }, {  } }").values.size());
  EXPECT_EQ(0U, literal("s32[0,3]", "{}").values.size());
  for (const auto& [type, text] :
       {std::pair("s32[2]", "{1}"), std::pair("s32[2]", "{1,2,3}"), std::pair("s32[2]", "1"), std::pair("s32[]", "{1}"),
        std::pair("s32[2,1]", "{1,2}"), std::pair("s32[0]", "{1}"), std::pair("s32[140737488355328,0]", "{{},{}}"),
        std::pair("s32[140737488355328]", "{1,2}"), std::pair("s32[]", "1.5x"), std::pair("f32[]", "abc"),
        std::pair("s32[2]", "{1,")}) {
    EXPECT_NE(DiagCode::NotYet, code_of([&, t = type, x = text] {
                hlo::Cursor cursor(x, kFile);
                hlo::parse_literal(cursor, parse_type(t));
                cursor.skip_space();
                if (!cursor.at_end()) cursor.unexpected("the end");
              }))
        << type << " " << text;
  }
  EXPECT_EQ(2U, literal("c64[]", "(1, 2)").values.size());
}

TEST(PrintLiteral, ReadsBackExactly) {
  for (const auto& [type, text] :
       {std::pair("f32[2,2]", "{ {0.1, -inf}, {nan, 16777216} }"), std::pair("f64[]", "0.1"),
        std::pair("bf16[2]", "{0.1, 3e38}"), std::pair("f16[]", "5.9604644775390625e-08"),
        std::pair("pred[2]", "{1, 0}"), std::pair("pred[]", "true"), std::pair("u64[]", "18446744073709551615"),
        std::pair("s32[2,0]", "{ {}, {} }"), std::pair("f8e4m3fn[]", "448"), std::pair("f32[]", "1.17549435e-38")}) {
    const ConstantArray array = literal(type, text);
    EXPECT_EQ(array, literal(type, hlo::print_literal(array, false))) << text;
    if (!is_float(array.type.element)) continue;
    std::string wide = type;
    wide = "f64" + wide.substr(wide.find('['));
    ConstantArray widened = array;
    widened.type.element = ElementType::F64;
    for (Scalar& value : widened.values) value.type = ElementType::F64;
    EXPECT_EQ(widened, literal(wide, hlo::print_literal(array, true))) << text;
  }
  EXPECT_EQ("0.1", hlo::print_literal(literal("f32[]", "0.1"), false));
  EXPECT_EQ("0.10000000149011612", hlo::print_literal(literal("f32[]", "0.1"), true));
}

std::string attribute(Attr attr, const std::string& text) {
  hlo::Cursor cursor(text, kFile);
  const auto value = hlo::parse_attribute(cursor, info(attr), [](std::string_view) { return 7U; });
  cursor.skip_space();
  if (!cursor.at_end()) cursor.unexpected("the end");
  return hlo::print_attribute(attr, value, [](ComputationId) { return std::string("c"); });
}

TEST(ParseAttribute, PrintsBack) {
  const std::pair<Attr, const char*> rows[] = {
      {Attr::BroadcastDims, "{0,2}"},
      {Attr::BroadcastDims, "{}"},
      {Attr::Index, "3"},
      {Attr::IsStable, "true"},
      {Attr::Direction, "LT"},
      {Attr::Slice, "{[0:2], [1:9:2]}"},
      {Attr::Slice, "{}"},
      {Attr::Padding, "0_1x-2_3_1"},
      {Attr::Window, "{size=3x3 stride=2x1 pad=1_0x-1_2 lhs_dilate=1x2 rhs_dilate=2x1 rhs_reversal=1x0}"},
      {Attr::Window, "{size=3}"},
      {Attr::Window, "{}"},
      {Attr::DimLabels, "b01f_01io->b01f"},
      {Attr::DimLabels, "bf_io->bf"},
      {Attr::DimLabels, "f0b1_i10o->01bf"},
      {Attr::SourceTargetPairs, "{{0,1},{1,0}}"},
      {Attr::SourceTargetPairs, "{}"},
      {Attr::ToApply, "%c"},
      {Attr::Branches, "{%c, %c}"},
      {Attr::ReplicaGroups, "{{0,1},{2,3}}"},
      {Attr::ReplicaGroups, "{}"},
      {Attr::CustomCallTarget, "\"a\\\"b\\\\\""},
      {Attr::ResultAccuracy, "{mode=highest}"},
  };
  for (const auto& [attr, text] : rows) EXPECT_EQ(text, attribute(attr, text));
  EXPECT_EQ("{{0,2},{1,3}}", attribute(Attr::ReplicaGroups, "[2,2]<=[2,2]T(1,0)"));
  EXPECT_EQ("%c", attribute(Attr::ToApply, "{%f}"));
  EXPECT_EQ("\"tab\\x09new\\nline\"", attribute(Attr::BackendConfig, "\"tab\\tnew\\nline\""));
}

TEST(ParseAttribute, Refused) {
  const std::pair<Attr, const char*> rows[] = {
      {Attr::BroadcastDims, "0"},
      {Attr::BroadcastDims, "{0,}"},
      {Attr::BroadcastDims, "{0"},
      {Attr::Index, "x"},
      {Attr::Index, "9223372036854775807"},
      {Attr::IsStable, "yes"},
      {Attr::Slice, "{[0:2:0]}"},
      {Attr::Slice, "{[-1:2]}"},
      {Attr::Slice, "{[0]}"},
      {Attr::Padding, "1"},
      {Attr::Padding, "1_2_-1"},
      {Attr::Padding, "1_2x"},
      {Attr::Window, "{size=3 size=3}"},
      {Attr::Window, "{size=3x3 pad=1_1}"},
      {Attr::Window, "{size=0}"},
      {Attr::Window, "{size=3 stride=1x1}"},
      {Attr::Window, "{colour=3}"},
      {Attr::Window, "{size=3"},
      {Attr::DimLabels, "b01f_01io"},
      {Attr::DimLabels, "b01f_01io->b0f"},
      {Attr::DimLabels, "b00f_01io->b01f"},
      {Attr::DimLabels, "b02f_01io->b01f"},
      {Attr::DimLabels, "bb01_01io->b01f"},
      {Attr::DimLabels, "b01f_01i?->b01f"},
      {Attr::SourceTargetPairs, "{{0,1,2}}"},
      {Attr::SourceTargetPairs, "{0,1}"},
      {Attr::SourceTargetPairs, "{{0,-1}}"},
      {Attr::ToApply, "\"f\""},
      {Attr::CustomCallTarget, "\"open"},
      {Attr::CustomCallTarget, "bare"},
  };
  for (const auto& [attr, text] : rows) {
    EXPECT_NE(DiagCode::NotYet, code_of([&, a = attr, t = text] { attribute(a, t); })) << text;
  }
}

}  // namespace
}  // namespace gg
