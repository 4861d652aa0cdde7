// The number of ranks along each digit of the mesh as a size like others: what the distributed program computes of its rank's number, and
// groups and pairs of ranks as forms of the digits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/shapes/collect.h"

namespace gg {

/// Of the scalars of a distributed program, by instruction; nothing where it is no such number.
std::vector<std::optional<RankForm>> rank_forms(const ProgramSizes& p);

/// The digits (positions, minor first) of a form that counts in units of `unit`: their coefficients are unit, unit * extent, and so on.
std::optional<std::vector<std::size_t>> counted_digits(const RankForm& form, const RankDigits& digits, std::int64_t unit);

/// Do axes, groups and pairs follow from the digits, so that there is a program of this kind for every number of ranks along them?
bool mesh_is_general(const Case& c);

/// Makes the number of ranks along each digit an unknown, and reads the literals that divide a rank's number. After programs are laid out and
/// before instructions are collected. `kept`: an axis whose ranks stay, or "".
void free_mesh(Constraints& all, const Case& c, const std::string& kept);

/// A list of groups or pairs as the module of `digits` prints it, and as a family's text says it (docs/certificate.md).
struct RankList {
  std::string printed, general;
};
/// Those of the distributed program with these numbers of ranks along its digits.
std::vector<RankList> rank_lists(const Case& c, const std::vector<std::int64_t>& extents);

/// Attributes of an instruction with these numbers of ranks along the digits: groups and pairs.
void rewrite_ranks(const Case& c, Attributes& attributes, Op op, const std::vector<std::int64_t>& extents);

}  // namespace gg
