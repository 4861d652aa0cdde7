// One instruction, its inputs and its written-out result: the table rows of the operator tests. Every row is evaluated
// by the reference walk over the body, in f64; collectives with the coarsest digits and with one digit for all ranks.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "kernels/plan/plan.h"
#include "models/hlo/parser.h"
#include "models/ir/region.h"
#include "tests/unit/reference.h"

namespace gg::testing {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Values = std::vector<double>;

struct OpCase {
  std::string name;
  std::vector<std::string> parameters;  ///< types of %p0, %p1, ...
  std::string instruction;              ///< the root, from its type on
  std::vector<Values> inputs;           ///< rank-major
  std::vector<Values> expected;         ///< one a leaf, rank-major
  std::string computations = "";        ///< text of the regions
  std::int64_t replicas = 1, partitions = 1;
  double tolerance = 0;  ///< relative, of transcendental functions
};

inline std::ostream& operator<<(std::ostream& out, const OpCase& c) { return out << c.name; }

/// `name { p0 = T parameter(0) p1 = T parameter(1) ROOT r = T op(p0, p1) }`.
inline std::string binary(const std::string& name, const std::string& type, const std::string& op) {
  return "%" + name + " (a: " + type + ", b: " + type + ") -> " + type + " {\n  %a = " + type +
         " parameter(0)\n  %b = " + type + " parameter(1)\n  ROOT %r = " + type + " " + op + "(%a, %b)\n}\n\n";
}

inline std::string text_of(const OpCase& c) {
  std::string text = "HloModule test";
  if (c.replicas * c.partitions > 1) {
    text += ", replica_count=" + std::to_string(c.replicas) + ", num_partitions=" + std::to_string(c.partitions);
  }
  text += "\n\n" + c.computations + "ENTRY %main {\n";
  for (std::size_t k = 0; k < c.parameters.size(); ++k) {
    text += "  %p" + std::to_string(k) + " = " + c.parameters[k] + " parameter(" + std::to_string(k) + ")\n";
  }
  return text + "  ROOT %root = " + c.instruction + "\n}\n";
}

inline Buffer buffer_of(ElementType type, const Values& values) {
  Buffer buffer(storage_of(type, NumberMode::F64), static_cast<std::int64_t>(values.size()));
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (is_integral(type)) {
      buffer.as<std::int64_t>()[k] = static_cast<std::int64_t>(values[k]);
    } else {
      buffer.as<double>()[k] = values[k];
    }
  }
  return buffer;
}

inline void expect_values(const Buffer& buffer, const Values& expected, double tolerance) {
  ASSERT_EQ(buffer.count(), static_cast<std::int64_t>(expected.size()));
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const double got =
        buffer.storage() == Storage::Int64 ? static_cast<double>(buffer.as<std::int64_t>()[k]) : buffer.as<double>()[k];
    if (std::isnan(expected[k])) {
      EXPECT_TRUE(std::isnan(got)) << "element " << k << " is " << got;
    } else if (std::isinf(expected[k]) || tolerance == 0) {
      EXPECT_EQ(got, expected[k]) << "element " << k;
    } else {
      EXPECT_NEAR(got, expected[k], tolerance * std::max(1.0, std::fabs(expected[k]))) << "element " << k;
    }
  }
}

/// Evaluates every leaf of the root's body over these digits.
inline void check_over(const OpCase& c, const Module& module, RankDigits digits, RankLayout layout) {
  Arena arena;
  BodyTable table(arena, module, std::move(digits), layout);
  const InstructionId root = module.computation(module.entry()).root;
  std::vector<std::int64_t> ranks;
  for (const Digit& digit : table.digits().digits()) ranks.push_back(digit.extent);
  std::vector<Buffer> buffers;
  std::vector<std::vector<std::int64_t>> extents;
  std::vector<Operand> operands;
  buffers.reserve(c.inputs.size());
  extents.reserve(c.inputs.size());
  for (std::size_t k = 0; k < c.inputs.size(); ++k) {
    const Type& type = module.type(module.operands(root)[k]);
    ASSERT_EQ(static_cast<std::int64_t>(c.inputs[k].size()), type.count() * layout.ranks()) << "input " << k;
    buffers.push_back(buffer_of(type.element, c.inputs[k]));
    extents.push_back(ranks);
    extents.back().insert(extents.back().end(), type.dims.begin(), type.dims.end());
    operands.push_back({&buffers.back(), type.element, extents.back()});
  }
  for (std::size_t leaf = 0; leaf < c.expected.size(); ++leaf) {
    SCOPED_TRACE("leaf " + std::to_string(leaf));
    const Body* body = table.body(root, static_cast<int>(leaf));
    ASSERT_NE(body, nullptr) << table.reason(root);
    SCOPED_TRACE(arena.print(body->root));
    Buffer out(storage_of(body->type, NumberMode::F64), static_cast<std::int64_t>(c.expected[leaf].size()));
    std::int64_t count = 1;
    for (const std::int64_t n : body->extents) count *= n;
    ASSERT_EQ(count, out.count());
    TieCounter ties;
    evaluate(arena, *body, NumberMode::F64, operands, out, ties);
    expect_values(out, c.expected[leaf], c.tolerance);
  }
}

inline void check(const OpCase& c) {
  const std::string text = text_of(c);
  SCOPED_TRACE(text);
  const Module module = parse_hlo(text, "test.hlo");
  const RankLayout layout = rank_layout(module, c.replicas * c.partitions);
  check_over(c, module, rank_digits(module, {}, layout), layout);
  if (layout.ranks() > 1) check_over(c, module, RankDigits::whole(layout.ranks()), layout);
}

/// Why the root of this case has no body.
inline std::string reason_of(const OpCase& c) {
  const Module module = parse_hlo(text_of(c), "test.hlo");
  const RankLayout layout = rank_layout(module, c.replicas * c.partitions);
  Arena arena;
  BodyTable table(arena, module, rank_digits(module, {}, layout), layout);
  const InstructionId root = module.computation(module.entry()).root;
  EXPECT_EQ(table.body(root), nullptr);
  return table.reason(root);
}

inline constexpr double kTiny = 1e-14;  ///< a relative error of functions that the host rounds

/// One operator of one vector.
inline OpCase unary(const std::string& name, const std::string& op, const std::string& element, Values in, Values out,
                    double tolerance = 0) {
  const std::string type = element + "[" + std::to_string(in.size()) + "]";
  return {name, {type}, type + " " + op + "(%p0)", {std::move(in)}, {std::move(out)}, "", 1, 1, tolerance};
}

inline std::string case_name(const ::testing::TestParamInfo<OpCase>& info) { return info.param.name; }

}  // namespace gg::testing
