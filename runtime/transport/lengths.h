// How long the messages of a job are: what its programs say, before any comes.
#pragma once

#include <span>

#include "models/pair/case.h"
#include "runtime/executor.h"

namespace gg::job {

/// Bytes of the longest message between the ranks of this case, in any number type: a rank's part of an input, its operands of
/// a collective with their error bounds, or its outputs.
std::size_t longest_message(const Case& c);
/// Bytes of the outputs of one rank, their error bounds and counts of ties, as `result` of another rank of the same program has them.
std::size_t bytes_of_outputs(const RunResult& result);
/// Takes this rank's part of a list of lifted buffers from the front of its message. Throws PeerFailure where it is too short.
std::span<const std::byte> take_part(std::vector<Buffer>& lifted, int rank, int size, std::span<const std::byte> message);

}  // namespace gg::job
