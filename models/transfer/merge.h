// Programs with sends and recvs as ONE module without them. Several programs are put side by side: the module has as many
// ranks as each program, and its rank k does what the k-th rank of every program does. So each value of a rank of a program is
// the value of one instruction on one rank, none is made up, and a transfer is a collective-permute (or a copy, where the k-th
// rank of one program sends to the k-th of another).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/transfer/transfers.h"

namespace gg {

/// How the entry of the module is wired to the programs' parameters and results (array leaves, depth first).
struct Wiring {
  struct Parameter {
    std::string name, metadata;
    Type type;
  };
  /// A program's parameter leaf: a parameter of the module, or a slice of it.
  struct Use {
    std::size_t parameter = 0;
    std::vector<SliceDim> slice;  ///< none: the whole
  };
  struct Piece {
    std::uint32_t program = 0;
    std::size_t leaf = 0;
  };
  /// An output leaf of the module: one program's, or several joined along a dimension.
  struct Output {
    std::vector<Piece> pieces;
    std::int64_t dimension = 0;
  };
  std::string name, file;
  std::vector<Parameter> parameters;
  std::vector<std::vector<Use>> inputs;  ///< by program
  std::vector<Output> outputs;
};

/// The module with its sends and recvs matched and replaced. Throws InputError as Transfers and check_progress do, and where a
/// rank would receive what it has computed from the same transfer.
Module replace_transfers(const Module& module);

/// The programs (all of the same number of ranks) as one module. Instructions are called `PROGRAM.NAME`. Throws likewise.
Module merge_programs(std::span<const RankClass> programs, const Wiring& wiring);

}  // namespace gg
