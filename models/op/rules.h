// The type rules and bodies that ops.def names, for op.cpp and nobody else.
#pragma once

#include "models/op/op.h"

namespace gg {

// types_elementwise.cpp
Type elementwise_type(const Call& call);
Type predicate_type(const Call& call);
Type clamp_type(const Call& call);
Type compare_type(const Call& call);
Type convert_type(const Call& call);
Type select_type(const Call& call);
Type map_type(const Call& call);
Type reduce_precision_type(const Call& call);
Type stochastic_convert_type(const Call& call);
// types_layout.cpp
Type same_type(const Call& call);
Type constant_type(const Call& call);
Type iota_type(const Call& call);
Type rank_id_type(const Call& call);
Type bitcast_type(const Call& call);
Type bitcast_convert_type(const Call& call);
Type broadcast_type(const Call& call);
Type concatenate_type(const Call& call);
Type pad_type(const Call& call);
Type reshape_type(const Call& call);
Type reverse_type(const Call& call);
Type slice_type(const Call& call);
Type transpose_type(const Call& call);
// types_contraction.cpp
Type convolution_type(const Call& call);
Type dot_type(const Call& call);
// types_reduction.cpp
Type reduce_type(const Call& call);
Type reduce_window_type(const Call& call);
Type sort_type(const Call& call);
Type topk_type(const Call& call);
// types_indexing.cpp
Type dynamic_slice_type(const Call& call);
Type dynamic_update_slice_type(const Call& call);
Type gather_type(const Call& call);
Type scatter_type(const Call& call);
// types_collective.cpp
Type all_gather_type(const Call& call);
Type all_reduce_type(const Call& call);
Type all_to_all_type(const Call& call);
Type reduce_scatter_type(const Call& call);
Type collective_broadcast_type(const Call& call);
// types_opaque.cpp
Type cholesky_type(const Call& call);
Type rng_bit_generator_type(const Call& call);
Type select_and_scatter_type(const Call& call);
Type triangular_solve_type(const Call& call);
// types_structure.cpp
Type stated_type(const Call& call);
Type token_type(const Call& call);
Type call_type(const Call& call);
Type conditional_type(const Call& call);
Type get_tuple_element_type(const Call& call);
Type tuple_type(const Call& call);
Type while_type(const Call& call);
// custom_calls.cpp
Type custom_call_type(const Call& call);

// body_elementwise.cpp
Body elementwise_body(Arena& arena, const Call& call, int leaf);
Body clamp_body(Arena& arena, const Call& call, int leaf);
Body compare_body(Arena& arena, const Call& call, int leaf);
Body select_body(Arena& arena, const Call& call, int leaf);
Body map_body(Arena& arena, const Call& call, int leaf);
// body_bits.cpp
Body popcnt_body(Arena& arena, const Call& call, int leaf);
Body count_leading_zeros_body(Arena& arena, const Call& call, int leaf);
Body bitcast_convert_body(Arena& arena, const Call& call, int leaf);
Body reduce_precision_body(Arena& arena, const Call& call, int leaf);
Body stochastic_convert_body(Arena& arena, const Call& call, int leaf);
// body_inverse.cpp
Body composed_body(Arena& arena, const Call& call, int leaf);
// body_layout.cpp
Body copy_body(Arena& arena, const Call& call, int leaf);
Body constant_body(Arena& arena, const Call& call, int leaf);
Body iota_body(Arena& arena, const Call& call, int leaf);
Body partition_id_body(Arena& arena, const Call& call, int leaf);
Body replica_id_body(Arena& arena, const Call& call, int leaf);
Body broadcast_body(Arena& arena, const Call& call, int leaf);
Body concatenate_body(Arena& arena, const Call& call, int leaf);
Body pad_body(Arena& arena, const Call& call, int leaf);
Body bitcast_body(Arena& arena, const Call& call, int leaf);
Body reshape_body(Arena& arena, const Call& call, int leaf);
Body reverse_body(Arena& arena, const Call& call, int leaf);
Body slice_body(Arena& arena, const Call& call, int leaf);
Body transpose_body(Arena& arena, const Call& call, int leaf);
// body_contraction.cpp
Body convolution_body(Arena& arena, const Call& call, int leaf);
Body dot_body(Arena& arena, const Call& call, int leaf);
// body_reduction.cpp
Body reduce_body(Arena& arena, const Call& call, int leaf);
Body reduce_window_body(Arena& arena, const Call& call, int leaf);
// body_indexing.cpp
Body dynamic_slice_body(Arena& arena, const Call& call, int leaf);
Body dynamic_update_slice_body(Arena& arena, const Call& call, int leaf);
Body gather_body(Arena& arena, const Call& call, int leaf);
// body_scatter.cpp
Body scatter_body(Arena& arena, const Call& call, int leaf);
// body_collective.cpp
Body all_gather_body(Arena& arena, const Call& call, int leaf);
Body all_reduce_body(Arena& arena, const Call& call, int leaf);
Body all_to_all_body(Arena& arena, const Call& call, int leaf);
Body collective_broadcast_body(Arena& arena, const Call& call, int leaf);
Body collective_permute_body(Arena& arena, const Call& call, int leaf);
Body reduce_scatter_body(Arena& arena, const Call& call, int leaf);
// body_structure.cpp
Body conditional_body(Arena& arena, const Call& call, int leaf);
// custom_calls.cpp
Body custom_call_body(Arena& arena, const Call& call, int leaf);

/// No body: type and executor only, or a matter of the interpreter's and the engine's walk.
inline constexpr BodyRule opaque = nullptr;
inline constexpr BodyRule structure = nullptr;

}  // namespace gg
