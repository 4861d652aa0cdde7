// A build without NCCL.
#include "models/base/diag.h"
#include "runtime/nccl/nccl_communicator.h"

namespace gg {

bool nccl_available() { return false; }

NcclId make_nccl_id() { throw InputError(DiagCode::NotYet, {}, "this program was built without CUDA and NCCL"); }

std::unique_ptr<Communicator> nccl_communicator(const NcclId&, std::int64_t, RankLayout, const NcclOptions&, Arena&) {
  throw InputError(DiagCode::NotYet, {}, "this program was built without CUDA and NCCL");
}

}  // namespace gg
