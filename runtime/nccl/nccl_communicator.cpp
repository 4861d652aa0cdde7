#include "runtime/nccl/nccl_communicator.h"

#include <nccl.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "kernels/device/device.h"
#include "runtime/cuda/device.h"
#include "runtime/cuda/library.h"
#include "runtime/rank_program.h"

namespace gg {
namespace {

using Clock = std::chrono::steady_clock;
using cuda::DeviceMemory;

[[noreturn]] void fail(const std::string& message) {
  throw RuntimeFailure(RuntimeFailure::Kind::Communication, message, {});
}

/// The functions of NCCL that are used, looked up once.
struct Api {
#define GG_NCCL(X)                              \
  X(getErrorString, ncclGetErrorString)         \
  X(commInitRankConfig, ncclCommInitRankConfig) \
  X(commAbort, ncclCommAbort)                   \
  X(commGetAsyncError, ncclCommGetAsyncError)   \
  X(commSplit, ncclCommSplit)                   \
  X(allReduce, ncclAllReduce)                   \
  X(allGather, ncclAllGather)                   \
  X(reduceScatter, ncclReduceScatter)           \
  X(groupStart, ncclGroupStart)                 \
  X(groupEnd, ncclGroupEnd)                     \
  X(send, ncclSend)                             \
  X(recv, ncclRecv)                             \
  X(getUniqueId, ncclGetUniqueId)
#define GG_DECLARE(name, symbol) decltype(&::symbol) name = nullptr;
#define GG_LOOK_UP(name, symbol) look_up(library, name, #symbol);
  GG_NCCL(GG_DECLARE)
  explicit Api(const cuda::Library& library) { GG_NCCL(GG_LOOK_UP) }
#undef GG_NCCL
#undef GG_DECLARE
#undef GG_LOOK_UP

 private:
  template <class F>
  static void look_up(const cuda::Library& library, F& function, const char* name) {
    function = reinterpret_cast<F>(library.symbol(name));
    if (function == nullptr) fail(std::string("the NCCL of ") + library.text() + " has no " + name);
  }
};

const cuda::Library& library() {
  static const cuda::Library found({"libnccl.so.2", "libnccl.so"});
  return found;
}

const Api& nccl() {
  if (!library().open()) fail(library().text());
  static const Api found(library());
  return found;
}

void check_call(ncclResult_t result, const std::string& what) {
  if (result != ncclSuccess && result != ncclInProgress) fail(what + ": " + nccl().getErrorString(result));
}

/// The NCCL operator of a region, for native reductions.
std::optional<ncclRedOp_t> reduction_of(const Call& call) {
  if (call.regions.size() != 1 || !call.regions[0]->monoid) return std::nullopt;
  switch (*call.regions[0]->monoid) {
    case ScalarFn::Add: return ncclSum;
    case ScalarFn::Multiply: return ncclProd;
    case ScalarFn::Max: return ncclMax;
    case ScalarFn::Min: return ncclMin;
    default: return std::nullopt;
  }
}

cudaStream_t stream_of(const cuda::Stream& stream) { return static_cast<cudaStream_t>(stream.handle()); }

class NcclCommunicator final : public RankCommunicator {
 public:
  NcclCommunicator(const NcclId& id, std::int64_t rank, RankLayout layout, const NcclOptions& options, Arena& arena)
      : RankCommunicator(rank, layout, arena), options_(options) {
    const int devices = cuda::device_count();
    if (devices == 0) fail("no GPU that can be used");
    const std::int64_t local = options.local_rank < 0 ? rank : options.local_rank;
    if (!options.oversubscribe && local >= devices) {
      fail(std::to_string(local + 1) + " ranks on " + std::to_string(devices) + " GPUs need --oversubscribe");
    }
    cuda::use_device(static_cast<int>(local % devices));
    stream_ = std::make_unique<cuda::Stream>();
    ncclUniqueId unique;
    static_assert(sizeof(unique) == sizeof(NcclId));
    std::memcpy(&unique, id.data(), sizeof(unique));
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    check_call(nccl().commInitRankConfig(&world_, static_cast<int>(layout.ranks()), unique, static_cast<int>(rank), &config),
               "ncclCommInitRank");
    settle(world_, "ncclCommInitRank");
  }
  ~NcclCommunicator() override {
    for (auto& [group, comm] : groups_) nccl().commAbort(comm);
    if (world_ != nullptr) nccl().commAbort(world_);
  }
  NcclCommunicator(const NcclCommunicator&) = delete;
  NcclCommunicator& operator=(const NcclCommunicator&) = delete;

  std::string name() const override { return "nccl"; }

  void run(const CollectiveCall& call, NumberMode mode, std::span<const Operand> operands, std::span<Buffer> results,
           TieCounter& ties) override {
    place_ = call.instance;
    try {
      const bool rounds = !is_real(mode);
      if (call.call.op != Op::CollectivePermute && rounds) {
        const std::vector<std::int64_t>& group = own_group(call);
        if (native(call, mode, communicator_of(call, group), group, operands, results)) return;
      }
      RankCommunicator::run(call, mode, operands, results, ties);
    } catch (const cuda::DeviceError& error) {
      fail(place_ + ": " + error.message);
    }
  }

 private:
  // Until `done(state)` holds of the communicator, with a deadline and its asynchronous errors; `late` says what did not come.
  template <class Done, class Late>
  void until(ncclComm_t comm, const std::string& what, Done done, Late late) {
    const auto deadline = Clock::now() + std::chrono::duration<double>(options_.deadline_seconds);
    for (;;) {
      ncclResult_t state = ncclSuccess;
      check_call(nccl().commGetAsyncError(comm, &state), what);
      if (state != ncclSuccess && state != ncclInProgress) abort_with(comm, what + ": " + nccl().getErrorString(state));
      if (done(state)) return;
      if (Clock::now() > deadline) abort_with(comm, what + ": " + late());
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }

  // Until the communicator is ready.
  void settle(ncclComm_t comm, const std::string& what) {
    until(
        comm, what, [](ncclResult_t state) { return state == ncclSuccess; }, [] { return "some ranks did not arrive within the deadline"; });
  }

  // Until the stream is empty.
  void wait(ncclComm_t comm, const std::vector<std::int64_t>& peers) {
    until(
        comm, place_, [this](ncclResult_t) { return stream_->done(); }, [&] {
      std::string text = "rank " + std::to_string(rank()) + " waited in vain for ranks";
      for (const std::int64_t peer : peers) text += " " + std::to_string(peer);
      return text; });
  }

  [[noreturn]] void abort_with(ncclComm_t comm, const std::string& message) {
    nccl().commAbort(comm);
    if (comm == world_) world_ = nullptr;
    groups_.erase(std::remove_if(groups_.begin(), groups_.end(), [&](const auto& g) { return g.second == comm; }),
                  groups_.end());
    fail(message);
  }

  // Every rank splits for every distinct list of groups in the order of the program, so all ranks agree on the calls.
  ncclComm_t communicator_of(const CollectiveCall& call, const std::vector<std::int64_t>& group) {
    for (const auto& [groups, comm] : groups_) {
      if (groups == call.groups) return comm;
    }
    const auto color = std::find_if(call.groups.begin(), call.groups.end(), [&](const auto& g) { return g == group; });
    const auto position = std::find(group.begin(), group.end(), rank()) - group.begin();
    ncclComm_t comm = nullptr;
    check_call(nccl().commSplit(world_, static_cast<int>(color - call.groups.begin()), static_cast<int>(position), &comm,
                                nullptr),
               place_ + ": ncclCommSplit");
    settle(world_, place_ + ": ncclCommSplit");
    settle(comm, place_ + ": ncclCommSplit");
    groups_.emplace_back(call.groups, comm);
    return comm;
  }

  struct TypeRow {
    device::Element element;
    ncclDataType_t type;
  };
  static std::optional<TypeRow> type_of(ElementType type, NumberMode mode) {
    static constexpr TypeRow kRows[] = {{device::Element::F64, ncclFloat64}, {device::Element::F32, ncclFloat32}, {device::Element::F16, ncclFloat16}, {device::Element::BF16, ncclBfloat16}};
    const auto element = device::element_of(type, mode);
    for (const TypeRow& row : kRows) {
      if (element == row.element) return row;
    }
    return std::nullopt;
  }

  // NCCL's own collective where it means the same: one float operand in the type that the run has it in.
  bool native(const CollectiveCall& call, NumberMode mode, ncclComm_t comm, const std::vector<std::int64_t>& group,
              std::span<const Operand> operands, std::span<Buffer> results) {
    if (operands.size() != 1 || operands[0].buffer->storage() != Storage::Double) return false;
    const auto row = type_of(operands[0].type, mode);
    if (!row) return false;
    const auto reduction = reduction_of(call.call);
    const IntList& dims = call.call.attributes->ints(Attr::BroadcastDims);
    const bool leading = !dims.empty() && dims[0] == 0;
    const auto count = static_cast<std::size_t>(operands[0].buffer->count()), out = static_cast<std::size_t>(results[0].count());
    if (count == 0 || out == 0) return false;
    const bool reduces = call.call.op == Op::AllReduce || call.call.op == Op::ReduceScatter;
    const bool moves = call.call.op == Op::AllGather || call.call.op == Op::AllToAll;
    if (reduces ? !reduction || (call.call.op == Op::ReduceScatter && !leading) : !moves || !leading) return false;
    const std::vector<std::byte> in = device::to_elements(*operands[0].buffer, row->element);
    std::vector<std::byte> back(out * (in.size() / count));
    DeviceMemory source(in.size()), target(back.size());
    source.from_host(in.data(), in.size());
    const cudaStream_t stream = stream_of(*stream_);
    switch (call.call.op) {
      case Op::AllReduce:
        check_call(nccl().allReduce(source.data(), target.data(), count, row->type, *reduction, comm, stream), place_);
        break;
      case Op::AllGather:
        check_call(nccl().allGather(source.data(), target.data(), count, row->type, comm, stream), place_);
        break;
      case Op::ReduceScatter:
        check_call(nccl().reduceScatter(source.data(), target.data(), out, row->type, *reduction, comm, stream), place_);
        break;
      default: {
        const std::size_t part = in.size() / group.size();
        nccl().groupStart();
        for (std::size_t peer = 0; peer < group.size(); ++peer) {
          nccl().send(static_cast<char*>(source.data()) + peer * part, part, ncclInt8, static_cast<int>(peer), comm, stream);
          nccl().recv(static_cast<char*>(target.data()) + peer * part, part, ncclInt8, static_cast<int>(peer), comm, stream);
        }
        check_call(nccl().groupEnd(), place_);
      }
    }
    settle(comm, place_);
    wait(comm, group);
    target.check();
    target.to_host(back.data(), back.size());
    device::from_elements(back, row->element, results[0]);
    return true;
  }

  // The bytes of all members through ncclAllGather.
  std::vector<std::vector<Buffer>> gather(const CollectiveCall& call, const std::vector<std::int64_t>& group,
                                          std::span<const Operand> operands) override {
    ncclComm_t comm = communicator_of(call, group);
    std::size_t bytes = 0;
    for (const Operand& operand : operands) bytes += operand.buffer->bytes();
    DeviceMemory source(bytes), target(bytes * group.size());
    std::size_t at = 0;
    for (const Operand& operand : operands) {
      source.from_host(operand.buffer->data(), operand.buffer->bytes(), at);
      at += operand.buffer->bytes();
    }
    if (bytes != 0) {
      check_call(nccl().allGather(source.data(), target.data(), bytes, ncclInt8, comm, stream_of(*stream_)), place_);
      settle(comm, place_);
      wait(comm, group);
      target.check();
    }
    std::vector<std::vector<Buffer>> members(group.size());
    at = 0;
    for (auto& member : members) {
      for (const Operand& operand : operands) {
        Buffer& buffer = member.emplace_back(operand.buffer->storage(), operand.buffer->count());
        target.to_host(buffer.data(), buffer.bytes(), at);
        at += buffer.bytes();
      }
    }
    return members;
  }

  bool permute(const CollectiveCall& call, const Buffer& in, Buffer& result) override {
    DeviceMemory source(in.bytes()), target(result.bytes());
    source.from_host(in.data(), in.bytes());
    bool received = false;
    std::vector<std::int64_t> peers;
    nccl().groupStart();
    for (const auto& [from, to] : call.pairs) {
      if (from == rank()) {
        nccl().send(source.data(), in.bytes(), ncclInt8, static_cast<int>(to), world_, stream_of(*stream_));
        peers.push_back(to);
      }
      if (to == rank()) {
        nccl().recv(target.data(), in.bytes(), ncclInt8, static_cast<int>(from), world_, stream_of(*stream_));
        peers.push_back(from);
        received = true;
      }
    }
    check_call(nccl().groupEnd(), place_);
    settle(world_, place_);
    wait(world_, peers);
    if (received) target.to_host(result.data(), result.bytes());
    return received;
  }

  NcclOptions options_;
  ncclComm_t world_ = nullptr;
  std::vector<std::pair<std::vector<std::vector<std::int64_t>>, ncclComm_t>> groups_;
  std::unique_ptr<cuda::Stream> stream_;
  std::string place_;
};

}  // namespace

bool nccl_available() { return true; }

NcclId make_nccl_id() {
  ncclUniqueId unique;
  check_call(nccl().getUniqueId(&unique), "ncclGetUniqueId");
  NcclId id;
  std::memcpy(id.data(), &unique, sizeof(unique));
  return id;
}

std::unique_ptr<Communicator> nccl_communicator(const NcclId& id, std::int64_t rank, RankLayout layout,
                                                const NcclOptions& options, Arena& arena) {
  try {
    return std::make_unique<NcclCommunicator>(id, rank, layout, options, arena);
  } catch (const cuda::DeviceError& error) {
    fail(error.message);
  }
}

}  // namespace gg
