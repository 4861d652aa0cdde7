// How a write through a view becomes a write into what it is a view of.
#pragma once

#include <optional>
#include <string>

#include "models/fx/graph.h"

namespace gg::fx {

/// `own`, of type `whole`, with the elements that the view `step` shows of it replaced by those of `part`; `item`: which result of a view with
/// several. Nothing: `part` itself. `given` is the write; throws InputError at it where elements of the view may share memory.
std::optional<Statement> put_back(const Statement& given, const Statement& step, const Argument& own, const Type& whole, const Argument& part, std::int64_t item);

/// Do two slices of a tensor of this type share some of their elements, not all? torch raises where it writes into one what it reads of the other.
bool share_some(const Statement& one, const Statement& other, const Type& whole);

[[noreturn]] void refuse(const Statement& statement, const std::string& problem);

}  // namespace gg::fx
