// Negative typing: one row for each constraint of a type rule. The instruction is refused with a code, and the message
// contains the offending values.
#include "op_case.h"

namespace gg::testing {
namespace {

struct Refusal {
  std::string name;
  std::vector<std::string> parameters;
  std::string instruction;
  DiagCode code;
  std::string message;  ///< part of it
  std::string computations = "";
  std::int64_t partitions = 1;
};
std::ostream& operator<<(std::ostream& out, const Refusal& r) { return out << r.name; }

class Typing : public ::testing::TestWithParam<Refusal> {};

TEST_P(Typing, IsRefused) {
  const Refusal& r = GetParam();
  const std::string text = text_of({"", r.parameters, r.instruction, {}, {}, r.computations, 1, r.partitions});
  SCOPED_TRACE(text);
  try {
    parse_hlo(text, "test.hlo");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(info(error.diags().front().code).id, info(r.code).id) << error.what();
    EXPECT_NE(error.diags().front().message.find(r.message), std::string::npos) << error.what();
  }
}

std::string refusal_name(const ::testing::TestParamInfo<Refusal>& info) { return info.param.name; }

constexpr DiagCode kOperand = DiagCode::BadOperand, kAttribute = DiagCode::BadAttribute, kType = DiagCode::TypeMismatch,
                   kForm = DiagCode::UnsupportedForm, kSize = DiagCode::SizeOverflow;
const std::string kAdd = binary("f", "f32[]", "add");

std::vector<Refusal> elementwise_of_typing() {
  return {
      Refusal{"OperandCount", {"f32[2]"}, "f32[2] add(%p0)", kOperand, "takes 2 operands, not 1"},
      Refusal{"OperandsDiffer", {"f32[2]", "f32[3]"}, "f32[2] add(%p0, %p1)", kOperand, "f32[3]"},
      Refusal{"ElementsDiffer", {"f32[2]", "f64[2]"}, "f32[2] add(%p0, %p1)", kOperand, "f64[2]"},
      Refusal{"ResultDiffers", {"f32[2]", "f32[2]"}, "f32[3] add(%p0, %p1)", kType, "f32[2]"},
      Refusal{"TupleOperand", {"(f32[2])"}, "f32[2] abs(%p0)", kOperand, "not an array"},
      Refusal{"Complex", {"c64[2]", "c64[2]"}, "c64[2] power(%p0, %p1)", kForm, "complex"},
      Refusal{"FloatOnly", {"s32[2]"}, "s32[2] tanh(%p0)", kOperand, "s32"},
      Refusal{"NoPred", {"pred[2]", "pred[2]"}, "pred[2] subtract(%p0, %p1)", kOperand, "pred"},
      Refusal{"NotOfFloats", {"f32[2]"}, "f32[2] not(%p0)", kOperand, "f32"},
      Refusal{"SignOfUnsigned", {"u8[2]"}, "u8[2] sign(%p0)", kOperand, "u8"},
      Refusal{"ShiftOfFloats", {"f32[2]", "f32[2]"}, "f32[2] shift-left(%p0, %p1)", kOperand, "f32"},
      Refusal{"ClampBound", {"f32[2]", "f32[3]", "f32[]"}, "f32[3] clamp(%p0, %p1, %p2)", kOperand, "f32[2]"},
      Refusal{"ClampElement", {"s32[]", "f32[3]", "f32[]"}, "f32[3] clamp(%p0, %p1, %p2)", kOperand, "s32[]"},
      Refusal{"CompareDirection", {"f32[2]", "f32[2]"}, "pred[2] compare(%p0, %p1), direction=XY", kAttribute, "XY"},
      Refusal{"CompareNoDirection",
              {"f32[2]", "f32[2]"},
              "pred[2] compare(%p0, %p1)",
              DiagCode::MissingAttribute,
              "direction"},
      Refusal{"CompareType",
              {"f32[2]", "f32[2]"},
              "pred[2] compare(%p0, %p1), direction=LT, type=SIGNED",
              kAttribute,
              "SIGNED"},
      Refusal{"ConvertDims", {"f32[2]"}, "f64[3] convert(%p0)", kType, "f64[3]"},
      Refusal{"SelectPredicate", {"s32[2]", "f32[2]", "f32[2]"}, "f32[2] select(%p0, %p1, %p2)", kOperand, "s32[2]"},
      Refusal{"SelectShape", {"pred[3]", "f32[2]", "f32[2]"}, "f32[2] select(%p0, %p1, %p2)", kOperand, "pred[3]"},
      Refusal{"SelectValues", {"pred[2]", "f32[2]", "f32[3]"}, "f32[2] select(%p0, %p1, %p2)", kOperand, "f32[3]"},
      Refusal{"MapDims",
              {"f32[2]", "f32[2]"},
              "f32[3] map(%p0, %p1), dimensions={0}, to_apply=%f",
              kType,
              "f32[3]",
              kAdd},
      Refusal{"MapDimensions",
              {"f32[2,2]", "f32[2,2]"},
              "f32[2,2] map(%p0, %p1), dimensions={1,0}, to_apply=%f",
              kAttribute,
              "{1,0}",
              kAdd},
      Refusal{"MapFewDimensions",
              {"f32[2,2]", "f32[2,2]"},
              "f32[2,2] map(%p0, %p1), dimensions={0}, to_apply=%f",
              kAttribute,
              "all 2",
              kAdd}};
}

INSTANTIATE_TEST_SUITE_P(Elementwise, Typing, ::testing::ValuesIn(elementwise_of_typing()), refusal_name);

std::vector<Refusal> layout_of_typing() {
  return {
      Refusal{"IotaDimension", {}, "s32[3] iota(), iota_dimension=1", kAttribute, "dimension 1"},
      Refusal{"IotaPred", {}, "pred[3] iota(), iota_dimension=0", kType, "pred"},
      Refusal{"BitcastElement", {"f32[2]"}, "s16[2] bitcast(%p0)", kForm, "s16[2]"},
      Refusal{"BroadcastCount", {"f32[2]"}, "f32[2,2] broadcast(%p0), dimensions={0,1}", kAttribute, "{0,1}"},
      Refusal{"BroadcastRange", {"f32[2]"}, "f32[2,2] broadcast(%p0), dimensions={2}", kAttribute, "dimension 2"},
      Refusal{"BroadcastTwice", {"f32[2,2]"}, "f32[2,2] broadcast(%p0), dimensions={0,0}", kAttribute, "twice"},
      Refusal{"BroadcastExtent", {"f32[1]"}, "f32[2] broadcast(%p0), dimensions={0}", kType, "extent 2"},
      Refusal{"ConcatenateDims",
              {"f32[2,2]", "f32[2,3]"},
              "f32[4,2] concatenate(%p0, %p1), dimensions={0}",
              kOperand,
              "f32[2,3]"},
      Refusal{"ConcatenateRank",
              {"f32[2]", "f32[2,2]"},
              "f32[4] concatenate(%p0, %p1), dimensions={0}",
              kOperand,
              "f32[2,2]"},
      Refusal{"ConcatenateElement",
              {"f32[2]", "s32[2]"},
              "f32[4] concatenate(%p0, %p1), dimensions={0}",
              kOperand,
              "s32[2]"},
      Refusal{"ConcatenateTwoDims", {"f32[2,2]"}, "f32[2,2] concatenate(%p0), dimensions={0,1}", kAttribute, "{0,1}"},
      Refusal{"ConcatenateRange", {"f32[2]"}, "f32[2] concatenate(%p0), dimensions={-1}", kAttribute, "dimension -1"},
      Refusal{"PadRank", {"f32[2]", "f32[]"}, "f32[2] pad(%p0, %p1), padding=0_0x0_0", kAttribute, "2 dimensions"},
      Refusal{"PadValue", {"f32[2]", "f32[1]"}, "f32[2] pad(%p0, %p1), padding=0_0", kOperand, "f32[1]"},
      Refusal{"PadNegativeResult", {"f32[2]", "f32[]"}, "f32[0] pad(%p0, %p1), padding=-2_-2", kAttribute, "-2"},
      Refusal{"PadHugeInterior", {"f32[4]", "f32[]"}, "f32[2] pad(%p0, %p1), padding=0_0_200000000000000", kSize, ""},
      Refusal{"ReshapeCount", {"f32[2,3]"}, "f32[5] reshape(%p0)", kType, "f32[5]"},
      Refusal{"ReshapeElement", {"f32[2]"}, "s32[2] reshape(%p0)", kType, "s32[2]"},
      Refusal{"ReverseTwice", {"f32[2]"}, "f32[2] reverse(%p0), dimensions={0,0}", kAttribute, "twice"},
      Refusal{"SliceRank", {"f32[2,2]"}, "f32[2] slice(%p0), slice={[0:2]}", kAttribute, "1 ranges"},
      Refusal{"SliceLimit", {"f32[2]"}, "f32[3] slice(%p0), slice={[0:3]}", kAttribute, "[0:3:1]"},
      Refusal{"SliceBackwards", {"f32[2]"}, "f32[0] slice(%p0), slice={[2:1]}", kAttribute, "[2:1:1]"},
      Refusal{"TransposeCount", {"f32[2,2]"}, "f32[2,2] transpose(%p0), dimensions={0}", kAttribute, "{0}"},
      Refusal{"TransposeTwice", {"f32[2,2]"}, "f32[2,2] transpose(%p0), dimensions={1,1}", kAttribute, "twice"}};
}

INSTANTIATE_TEST_SUITE_P(Layout, Typing, ::testing::ValuesIn(layout_of_typing()), refusal_name);

std::string dot(const std::string& numbers) { return "f32[] dot(%p0, %p1), " + numbers; }
std::string conv(const std::string& rest) { return "f32[1,1,1] convolution(%p0, %p1), " + rest; }

std::vector<Refusal> contraction_of_typing() {
  return {
      Refusal{"DotExtents",
              {"f32[2]", "f32[3]"},
              dot("lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
              kOperand,
              "f32[3]"},
      Refusal{"DotCounts",
              {"f32[2,2]", "f32[2]"},
              dot("lhs_contracting_dims={0,1}, rhs_contracting_dims={0}"),
              kAttribute,
              "{0,1}"},
      Refusal{"DotRange",
              {"f32[2]", "f32[2]"},
              dot("lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
              kAttribute,
              "dimension 1"},
      Refusal{"DotBatchExtents",
              {"f32[2,3]", "f32[4,3]"},
              dot("lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}"),
              kOperand,
              "f32[4,3]"},
      Refusal{"DotBatchIsContracted",
              {"f32[2]", "f32[2]"},
              dot("lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
              kAttribute,
              "both in lhs_batch_dims"},
      Refusal{"DotKinds",
              {"f32[2]", "s32[2]"},
              dot("lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
              kOperand,
              "s32[2]"},
      Refusal{"DotResultKind",
              {"s32[2]", "s32[2]"},
              dot("lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
              kType,
              "f32"},
      Refusal{"DotTooLarge", {"f32[30000000]", "f32[30000000]"}, "f32[2] dot(%p0, %p1)", kSize, "2^48"},
      Refusal{"ConvLabels",
              {"f32[1,1]", "f32[1,1,1]"},
              conv("window={size=1}, dim_labels=b0f_0io->b0f"),
              kAttribute,
              "f32[1,1]"},
      Refusal{"ConvWindowRank",
              {"f32[1,1,1]", "f32[1,1,1]"},
              conv("window={size=1x1}, dim_labels=b0f_0io->b0f"),
              kAttribute,
              "of the window"},
      Refusal{"ConvWindowSize",
              {"f32[1,1,1]", "f32[1,1,1]"},
              conv("window={size=2}, dim_labels=b0f_0io->b0f"),
              kAttribute,
              "size 2"},
      Refusal{"ConvFeatures",
              {"f32[1,1,2]", "f32[1,1,1]"},
              conv("window={size=1}, dim_labels=b0f_0io->b0f"),
              kOperand,
              "a group has 2"},
      Refusal{"ConvFeatureGroups",
              {"f32[1,1,3]", "f32[1,1,2]"},
              conv("window={size=1}, dim_labels=b0f_0io->b0f, feature_group_count=2"),
              kAttribute,
              "extent 3"},
      Refusal{"ConvOutputGroups",
              {"f32[1,1,2]", "f32[1,1,3]"},
              conv("window={size=1}, dim_labels=b0f_0io->b0f, feature_group_count=2"),
              kAttribute,
              "extent 3"},
      Refusal{"ConvBatchGroups",
              {"f32[3,1,1]", "f32[1,1,2]"},
              conv("window={size=1}, dim_labels=b0f_0io->b0f, batch_group_count=2"),
              kAttribute,
              "extent 3"},
      Refusal{"ConvBothGroups",
              {"f32[2,1,2]", "f32[1,1,2]"},
              conv("window={size=1}, dim_labels=b0f_0io->b0f, batch_group_count=2, feature_group_count=2"),
              kAttribute,
              "one of them 1"},
      Refusal{"ConvZeroGroups",
              {"f32[1,1,1]", "f32[1,1,1]"},
              conv("window={size=1}, dim_labels=b0f_0io->b0f, feature_group_count=0"),
              kAttribute,
              "=0"}};
}

INSTANTIATE_TEST_SUITE_P(Contraction, Typing, ::testing::ValuesIn(contraction_of_typing()), refusal_name);

const std::string kReduceTail = ", dimensions={0}, to_apply=%f";

std::vector<Refusal> reduction_of_typing() {
  return {
      Refusal{"ReduceOdd",
              {"f32[2]", "f32[2]", "f32[]"},
              "f32[] reduce(%p0, %p1, %p2)" + kReduceTail,
              kOperand,
              "3 operands",
              kAdd},
      Refusal{"ReduceInit", {"f32[2]", "f32[1]"}, "f32[] reduce(%p0, %p1)" + kReduceTail, kOperand, "f32[1]", kAdd},
      Refusal{
          "ReduceInitElement", {"f32[2]", "s32[]"}, "f32[] reduce(%p0, %p1)" + kReduceTail, kOperand, "s32[]", kAdd},
      Refusal{"ReduceArrays",
              {"f32[2]", "f32[3]", "f32[]", "f32[]"},
              "(f32[], f32[]) reduce(%p0, %p1, %p2, %p3)" + kReduceTail,
              kOperand,
              "f32[3]",
              kAdd},
      Refusal{"ReduceTwice",
              {"f32[2]", "f32[]"},
              "f32[] reduce(%p0, %p1), dimensions={0,0}, to_apply=%f",
              kAttribute,
              "twice",
              kAdd},
      Refusal{"ReduceRange",
              {"f32[2]", "f32[]"},
              "f32[] reduce(%p0, %p1), dimensions={1}, to_apply=%f",
              kAttribute,
              "dimension 1",
              kAdd},
      Refusal{"ReduceNoRegion",
              {"f32[2]", "f32[]"},
              "f32[] reduce(%p0, %p1), dimensions={0}",
              DiagCode::MissingAttribute,
              "to_apply"},
      Refusal{"WindowRank",
              {"f32[2]", "f32[]"},
              "f32[2] reduce-window(%p0, %p1), window={size=1x1}, to_apply=%f",
              kAttribute,
              "2 dimensions",
              kAdd},
      Refusal{"WindowReversed",
              {"f32[2]", "f32[]"},
              "f32[2] reduce-window(%p0, %p1), window={size=1 rhs_reversal=1}, to_apply=%f",
              kAttribute,
              "reversed",
              kAdd},
      Refusal{"WindowDilationHuge",
              {"f32[2]", "f32[]"},
              "f32[2] reduce-window(%p0, %p1), window={size=9 rhs_dilate=200000000000000}, to_apply=%f",
              kSize,
              "dilated window",
              kAdd},
      Refusal{"TopKTooMany", {"f32[3]"}, "(f32[4], s32[4]) topk(%p0), k=4, largest=true", kAttribute, "no 4"},
      Refusal{"TopKScalar", {"f32[]"}, "(f32[], s32[]) topk(%p0), k=0, largest=true", kAttribute, "f32[]"}};
}

INSTANTIATE_TEST_SUITE_P(Reduction, Typing, ::testing::ValuesIn(reduction_of_typing()), refusal_name);

std::string gather(const std::string& offset, const std::string& collapsed, const std::string& map,
                   const std::string& vector, const std::string& sizes, const std::string& more = "") {
  return "f32[2] gather(%p0, %p1), offset_dims={" + offset + "}, collapsed_slice_dims={" + collapsed +
         "}, start_index_map={" + map + "}, " + more + "index_vector_dim=" + vector + ", slice_sizes={" + sizes + "}";
}
std::string scatter(const std::string& window, const std::string& inserted, const std::string& map,
                    const std::string& vector, const std::string& more = "") {
  return "f32[3,2] scatter(%p0, %p1, %p2), update_window_dims={" + window + "}, inserted_window_dims={" + inserted +
         "}, scatter_dims_to_operand_dims={" + map + "}, " + more + "index_vector_dim=" + vector + ", to_apply=%f";
}
const std::vector<std::string> kGathered = {"f32[3,2]", "s32[2,1]"};
const std::vector<std::string> kScattered = {"f32[3,2]", "s32[2,1]", "f32[2,2]"};

std::vector<Refusal> indexing_of_typing() {
  return {
      Refusal{"SliceSizes",
              {"f32[3]", "s32[]"},
              "f32[4] dynamic-slice(%p0, %p1), dynamic_slice_sizes={4}",
              kAttribute,
              "slice of 4"},
      Refusal{"SliceSizesCount",
              {"f32[3]", "s32[]"},
              "f32[2] dynamic-slice(%p0, %p1), dynamic_slice_sizes={2,1}",
              kAttribute,
              "{2,1}"},
      Refusal{"StartCount",
              {"f32[3,3]", "s32[]"},
              "f32[1,1] dynamic-slice(%p0, %p1), dynamic_slice_sizes={1,1}",
              kOperand,
              "1 start indices for 2"},
      Refusal{"StartVector",
              {"f32[3,3]", "s32[3]"},
              "f32[1,1] dynamic-slice(%p0, %p1), dynamic_slice_sizes={1,1}",
              kOperand,
              "3 start indices for 2"},
      Refusal{"StartElement",
              {"f32[3]", "f32[]"},
              "f32[1] dynamic-slice(%p0, %p1), dynamic_slice_sizes={1}",
              kOperand,
              "f32[]"},
      Refusal{"StartElementsDiffer",
              {"f32[3,3]", "s32[]", "s64[]"},
              "f32[1,1] dynamic-slice(%p0, %p1, %p2), dynamic_slice_sizes={1,1}",
              kOperand,
              "s64[]"},
      Refusal{"UpdateTooLarge",
              {"f32[3]", "f32[4]", "s32[]"},
              "f32[3] dynamic-update-slice(%p0, %p1, %p2)",
              kOperand,
              "f32[4]"},
      Refusal{"UpdateElement",
              {"f32[3]", "s32[1]", "s32[]"},
              "f32[3] dynamic-update-slice(%p0, %p1, %p2)",
              kOperand,
              "s32[1]"},
      Refusal{
          "GatherIndexElement", {"f32[3,2]", "f32[2,1]"}, gather("1", "0", "0", "1", "1,2"), kOperand, "f32[2,1]"},
      Refusal{"GatherVectorDim", kGathered, gather("1", "0", "0", "3", "1,2"), kAttribute, "index_vector_dim=3"},
      Refusal{"GatherMapLength", kGathered, gather("1", "0", "0,1", "1", "1,2"), kAttribute, "{0,1}"},
      Refusal{"GatherMapRange", kGathered, gather("1", "0", "2", "1", "1,2"), kAttribute, "dimension 2"},
      Refusal{"GatherSizesCount", kGathered, gather("1", "0", "0", "1", "1"), kAttribute, "{1}"},
      Refusal{"GatherSizes", kGathered, gather("1", "0", "0", "1", "1,3"), kAttribute, "slice of 3"},
      Refusal{"GatherCollapsed", kGathered, gather("1", "0", "0", "1", "2,2"), kAttribute, "slice size 2"},
      Refusal{"GatherCollapsedOrder",
              {"f32[3,2]", "s32[2,1]"},
              gather("", "1,0", "0", "1", "1,1"),
              kAttribute,
              "ascending"},
      Refusal{"GatherOffsets", kGathered, gather("", "0", "0", "1", "1,2"), kAttribute, "make up"},
      Refusal{"GatherOffsetRange", kGathered, gather("2", "0", "0", "1", "1,2"), kAttribute, "dimension 2"},
      Refusal{"GatherBatchingCount", kGathered, gather("", "1", "1", "1", "1,1", "operand_batching_dims={0}, "),
              kAttribute, "differ in number"},
      Refusal{"GatherBatchingExtent", kGathered,
              gather("", "1", "1", "1", "1,1", "operand_batching_dims={0}, start_indices_batching_dims={0}, "),
              kOperand, "f32[3,2]"},
      Refusal{"GatherBatchingVector", kGathered,
              gather("", "1", "1", "1", "1,1", "operand_batching_dims={0}, start_indices_batching_dims={1}, "),
              kAttribute, "index_vector_dim"},
      Refusal{"GatherBatchingMapped",
              {"f32[2,2]", "s32[2,1]"},
              gather("", "1", "0", "1", "1,1", "operand_batching_dims={0}, start_indices_batching_dims={0}, "),
              kAttribute,
              "both in start_index_map"},
      Refusal{"ScatterCount",
              {"f32[3,2]", "s32[2,1]", "f32[2,2]", "f32[2,2]"},
              "f32[3,2] scatter(%p0, %p1, %p2, %p3), update_window_dims={1}, inserted_window_dims={0}, "
              "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=%f",
              kOperand,
              "4 operands",
              kAdd},
      Refusal{"ScatterElement",
              {"f32[3,2]", "s32[2,1]", "s32[2,2]"},
              scatter("1", "0", "0", "1"),
              kOperand,
              "s32[2,2]",
              kAdd},
      Refusal{"ScatterDims", kScattered, scatter("1", "", "0", "1"), kAttribute, "make up", kAdd},
      Refusal{"ScatterWindow",
              {"f32[3,2]", "s32[2,1]", "f32[2,3]"},
              scatter("1", "0", "0", "1"),
              kOperand,
              "window of 3",
              kAdd},
      Refusal{
          "ScatterUpdates", {"f32[3,2]", "s32[2,1]", "f32[4,2]"}, scatter("1", "0", "0", "1"), kOperand, "{2}", kAdd},
      Refusal{"ScatterMap", kScattered, scatter("1", "0", "0,1", "1"), kAttribute, "{0,1}", kAdd},
      Refusal{"ScatterVectorDim", kScattered, scatter("1", "0", "0", "-1"), kAttribute, "index_vector_dim=-1", kAdd}};
}

INSTANTIATE_TEST_SUITE_P(Indexing, Typing, ::testing::ValuesIn(indexing_of_typing()), refusal_name);

constexpr DiagCode kGroups = DiagCode::BadGroups;

std::vector<Refusal> collective_of_typing() {
  return {
      Refusal{"GatherResult",
              {"f32[2]"},
              "f32[5] all-gather(%p0), channel_id=1, dimensions={0}, use_global_device_ids=true",
              kType,
              "5"},
      Refusal{"GatherGroupSize",
              {"f32[2]"},
              "f32[8] all-gather(%p0), replica_groups={{0,1}}, dimensions={0}",
              kType,
              "f32[4]"},
      Refusal{"GatherTwoDims",
              {"f32[2,2]"},
              "f32[2,2] all-gather(%p0), replica_groups={{0}}, dimensions={0,1}",
              kAttribute,
              "{0,1}"},
      Refusal{"GatherDimension",
              {"f32[2]"},
              "f32[2] all-gather(%p0), replica_groups={{0}}, dimensions={1}",
              kAttribute,
              "dimension 1"},
      Refusal{"GroupsOverlap",
              {"f32[2]"},
              "f32[2] all-reduce(%p0), channel_id=1, replica_groups={{0,1},{1,2}}, use_global_device_ids=true, "
              "to_apply=%f",
              kGroups,
              "twice",
              kAdd,
              3},
      Refusal{"GroupsMissARank",
              {"f32[2]"},
              "f32[2] all-reduce(%p0), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%f",
              kGroups,
              "rank 2 is in no",
              kAdd,
              3},
      Refusal{"GroupsBeyond",
              {"f32[2]"},
              "f32[2] all-reduce(%p0), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, "
              "to_apply=%f",
              kGroups,
              "rank 3 of 3",
              kAdd,
              3},
      Refusal{"GlobalIdsWithoutChannel",
              {"f32[2]"},
              "f32[2] all-reduce(%p0), replica_groups={{0,1,2}}, use_global_device_ids=true, to_apply=%f",
              kGroups,
              "channel_id",
              kAdd,
              3},
      Refusal{"ScatterDivides",
              {"f32[3]"},
              "f32[1] reduce-scatter(%p0), replica_groups={{0,1}}, dimensions={0}, to_apply=%f",
              kOperand,
              "2 members",
              kAdd},
      Refusal{"AllToAllDivides",
              {"f32[3]"},
              "f32[3] all-to-all(%p0), replica_groups={{0,1}}, dimensions={0}",
              kOperand,
              "2 members"},
      Refusal{"AllToAllTupleCount",
              {"f32[3]", "f32[3]"},
              "(f32[3], f32[3]) all-to-all(%p0, %p1), replica_groups={{0,1,2}}",
              kOperand,
              "2 operands"},
      Refusal{"AllToAllTwoArrays",
              {"f32[2]", "f32[2]"},
              "f32[2] all-to-all(%p0, %p1), replica_groups={{0,1}}, dimensions={0}",
              kOperand,
              "one operand"},
      Refusal{"AllToAllUnequalGroups",
              {"f32[2]"},
              "f32[2] all-to-all(%p0), replica_groups={{0,1},{2}}, dimensions={0}",
              kGroups,
              "of 1 members"},
      Refusal{"PermuteTwice",
              {"f32[2]"},
              "f32[2] collective-permute(%p0), channel_id=1, source_target_pairs={{0,1},{2,1}}",
              DiagCode::BadPermute,
              "target twice",
              "",
              3}};
}

INSTANTIATE_TEST_SUITE_P(Collective, Typing, ::testing::ValuesIn(collective_of_typing()), refusal_name);

std::vector<Refusal> structure_of_typing() {
  return {
      Refusal{"ElementOfArray", {"f32[2]"}, "f32[2] get-tuple-element(%p0), index=0", kOperand, "no tuple"},
      Refusal{"ElementRange", {"(f32[2])"}, "f32[2] get-tuple-element(%p0), index=1", kAttribute, "index=1"},
      Refusal{"AfterAll", {"f32[2]"}, "token[] after-all(%p0)", kOperand, "f32[2]"},
      Refusal{"ConditionalIndex",
              {"f32[]", "f32[]", "f32[]"},
              "f32[] conditional(%p0, %p1, %p2), true_computation=%f, false_computation=%f",
              kOperand,
              "f32[]",
              "%f (a: f32[]) -> f32[] {\n  ROOT %a = f32[] parameter(0)\n}\n\n"},
      Refusal{"ConditionalOperands",
              {"pred[]", "f32[]"},
              "f32[] conditional(%p0, %p1), true_computation=%f, false_computation=%f",
              kOperand,
              "1 operands",
              "%f (a: f32[]) -> f32[] {\n  ROOT %a = f32[] parameter(0)\n}\n\n"},
      Refusal{"NormDimension",
              {"f32[2]", "f32[2]", "f32[]"},
              "f16[2] custom-call(%p0, %p1, %p2), custom_call_target=\"AwsNeuronRmsNorm\", backend_config=\"1\"",
              kAttribute,
              "dimension 1"},
      Refusal{"NormConfig",
              {"f32[2]", "f32[2]", "f32[]"},
              "f16[2] custom-call(%p0, %p1, %p2), custom_call_target=\"AwsNeuronRmsNorm\", backend_config=\"x\"",
              kAttribute,
              "\"x\""},
      Refusal{"NormWeight",
              {"f32[2]", "f32[3]", "f32[]"},
              "f16[2] custom-call(%p0, %p1, %p2), custom_call_target=\"AwsNeuronRmsNorm\", backend_config=\"0\"",
              kOperand,
              "f32[3]"}};
}

INSTANTIATE_TEST_SUITE_P(Structure, Typing, ::testing::ValuesIn(structure_of_typing()), refusal_name);

/// The code of a rule's refusal of attributes that the parser would not let through.
DiagCode refusal(Op op, std::vector<Type> operands, Attr attr, AttrValue value, Attributes attributes = {}) {
  attributes.set(attr, std::move(value));
  Call call{op, &attributes, {}, nullptr, {}, nullptr, {}};
  for (const Type& type : operands) call.operands.push_back(&type);
  try {
    infer_type(call);
  } catch (const TypeError& error) {
    EXPECT_FALSE(error.message.empty());
    return error.code;
  }
  ADD_FAILURE() << "accepted";
  return DiagCode::Usage;
}

constexpr std::int64_t kHuge = INT64_MAX;
const Type kVector = Type::array(ElementType::F32, {4}), kScalar = Type::array(ElementType::F32, {});

TEST(Rules, AbsurdPaddings) {
  const auto pad = [](PadDim p) { return refusal(Op::Pad, {kVector, kScalar}, Attr::Padding, std::vector<PadDim>{p}); };
  EXPECT_EQ(pad({0, 0, -1}), kAttribute);
  EXPECT_EQ(pad({0, 0, kHuge}), kSize);
  EXPECT_EQ(pad({kHuge, kHuge, 0}), kSize);
  EXPECT_EQ(pad({kHuge, -kHuge, 0}), kSize);
  EXPECT_EQ(pad({INT64_MIN, 0, 0}), kSize);
  EXPECT_EQ(pad({std::int64_t{1} << 48, 0, 0}), kSize);
}

TEST(Rules, AbsurdSlices) {
  const auto slice = [](SliceDim s) { return refusal(Op::Slice, {kVector}, Attr::Slice, std::vector<SliceDim>{s}); };
  EXPECT_EQ(slice({0, 4, 0}), kAttribute);
  EXPECT_EQ(slice({0, 4, -1}), kAttribute);
  EXPECT_EQ(slice({-1, 4, 1}), kAttribute);
  EXPECT_EQ(slice({0, kHuge, 1}), kAttribute);
}

TEST(Rules, AbsurdWindows) {
  const auto window = [](std::int64_t size, std::int64_t stride, std::int64_t pad, std::int64_t base,
                         std::int64_t dilation) {
    Attributes attributes;
    attributes.set(Attr::ToApply, ComputationList{0});
    return refusal(Op::ReduceWindow, {kVector, kScalar}, Attr::Window,
                   std::vector<WindowDim>{{size, stride, pad, pad, base, dilation, false}}, attributes);
  };
  EXPECT_EQ(window(0, 1, 0, 1, 1), kAttribute);
  EXPECT_EQ(window(1, 0, 0, 1, 1), kAttribute);
  EXPECT_EQ(window(1, 1, 0, 0, 1), kAttribute);
  EXPECT_EQ(window(1, 1, 0, 1, -1), kAttribute);
  EXPECT_EQ(window(kHuge, 1, 0, 1, 1), kSize);
  EXPECT_EQ(window(1, kHuge, 0, 1, 1), kSize);
  EXPECT_EQ(window(1, 1, kHuge, 1, 1), kSize);
  EXPECT_EQ(window(1, 1, INT64_MIN, 1, 1), kSize);
  EXPECT_EQ(window(1, 1, 0, kHuge, 1), kSize);
  EXPECT_EQ(window(3, 1, 0, 1, std::int64_t{1} << 48), kSize);
}

TEST(Rules, AbsurdExtents) {
  const Type huge = Type::array(ElementType::F32, {0, kHuge});
  EXPECT_EQ(refusal(Op::Transpose, {huge}, Attr::BroadcastDims, IntList{1, 0}), kSize);
  const Type wide = Type::array(ElementType::F32, {std::int64_t{1} << 47});
  EXPECT_EQ(refusal(Op::Concatenate, {wide, wide, wide}, Attr::BroadcastDims, IntList{0}), kSize);
  Attributes groups;
  groups.set(Attr::ReplicaGroups, ReplicaGroups{{{0, 1, 2}}, false, ""});
  EXPECT_EQ(refusal(Op::AllGather, {wide}, Attr::BroadcastDims, IntList{0}, groups), kSize);
}

}  // namespace
}  // namespace gg::testing
