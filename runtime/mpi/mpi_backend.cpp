// The job, the collectives of one rank, and the exchange of inputs and outputs with process 0.
#include "runtime/mpi/mpi_backend.h"

#include <mpi.h>
#include <signal.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>

#include "models/base/check.h"
#include "models/base/file.h"
#include "runtime/mpi/message.h"
#include "runtime/nccl/nccl_communicator.h"
#include "runtime/rank_program.h"

namespace gg {
namespace {

using mpi::Header;
using mpi::Messages;
using mpi::PeerFailure;

// What this rank waits for, for the message when mpirun ends the job because another rank died.
char waiting_for[256] = "";

void on_terminate(int) {
  const auto length = strnlen(waiting_for, sizeof(waiting_for));
  if (length != 0) [[maybe_unused]] const auto written = write(STDERR_FILENO, waiting_for, length);
  _exit(2);
}

void note_waiting(int rank, const char* place) {
  std::snprintf(waiting_for, sizeof(waiting_for), "gg-harness: rank %d was ended while it waited at %s\n", rank, place);
}

std::string host_name() {
  char name[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  MPI_Get_processor_name(name, &length);
  return {name, static_cast<std::size_t>(length)};
}

/// What the ranks must agree on: operator, groups, types, without names.
std::uint64_t check_of(const CollectiveCall& call) {
  std::vector<std::int64_t> words = {static_cast<std::int64_t>(call.call.op)};
  for (const auto& group : call.groups) {
    words.push_back(static_cast<std::int64_t>(group.size()));
    words.insert(words.end(), group.begin(), group.end());
  }
  for (const auto& [source, target] : call.pairs) words.insert(words.end(), {source, target});
  for (const Type* type : call.call.operands) {
    words.push_back(static_cast<std::int64_t>(type->element));
    words.insert(words.end(), type->dims.begin(), type->dims.end());
  }
  return XXH3_64bits(words.data(), words.size() * sizeof(words[0]));
}

class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator(Messages& messages, RankLayout layout, Arena& arena)
      : messages_(messages), layout_(layout), evaluator_(arena) {}
  std::string name() const override { return "mpi"; }
  std::int64_t ranks() const override { return layout_.ranks(); }
  std::vector<std::int64_t> local_ranks() const override { return {messages_.rank()}; }
  std::optional<RankLayout> one_rank_of() const override { return layout_; }

  void run(const CollectiveCall& call, NumberMode mode, std::span<const Operand> operands, std::span<Buffer> results,
           TieCounter& ties) override {
    Header header;
    header.sequence = ++sequence_;
    header.check = check_of(call);
    std::strncpy(header.place, call.instance.c_str(), sizeof(header.place) - 1);
    note_waiting(messages_.rank(), header.place);
    try {
      if (call.call.op == Op::CollectivePermute) permute(call, header, operands, results);
      else grouped(call, mode, header, operands, results, ties);
    } catch (const PeerFailure& failure) {
      throw RuntimeFailure(RuntimeFailure::Kind::Communication, failure.message, {});
    }
    waiting_for[0] = 0;
  }

 private:
  static std::vector<std::byte> bytes_of(std::span<const Operand> operands) {
    std::vector<const Buffer*> buffers;
    for (const Operand& operand : operands) buffers.push_back(operand.buffer);
    return mpi::pack(buffers);
  }

  void permute(const CollectiveCall& call, const Header& header, std::span<const Operand> operands,
               std::span<Buffer> results) {
    std::vector<std::int64_t> to, from;
    const std::int64_t me = messages_.rank();
    for (const auto& [source, target] : call.pairs) {
      if (source == me && target != me) to.push_back(target);
      if (target == me) from.push_back(source);
    }
    std::vector<std::byte> mine = bytes_of(operands);
    Buffer* const result[] = {&results[0]};
    if (!from.empty() && from[0] == me) {
      messages_.exchange(to, {}, mine, header);
      mpi::unpack(mine, result);
      return;
    }
    const auto received = messages_.exchange(to, from, mine, header);
    if (!received.empty()) mpi::unpack(received[0], result);
    else if (results[0].bytes() != 0) std::memset(results[0].data(), 0, results[0].bytes());
  }

  void grouped(const CollectiveCall& call, NumberMode mode, const Header& header, std::span<const Operand> operands,
               std::span<Buffer> results, TieCounter& ties) {
    const std::int64_t me = messages_.rank();
    const auto group = std::find_if(call.groups.begin(), call.groups.end(), [&](const auto& members) {
      return std::find(members.begin(), members.end(), me) != members.end();
    });
    GG_CHECK(group != call.groups.end(), "a rank without a group");
    std::vector<std::int64_t> others;
    std::copy_if(group->begin(), group->end(), std::back_inserter(others), [&](auto r) { return r != me; });
    const std::vector<std::byte> mine = bytes_of(operands);
    const auto received = messages_.exchange(others, others, mine, header);
    std::vector<std::vector<Buffer>> members;
    std::size_t next = 0, position = 0;
    for (const std::int64_t rank : *group) {
      if (rank == me) position = members.size();
      std::vector<Buffer> buffers;
      std::vector<Buffer*> places;
      for (const Operand& operand : operands) buffers.emplace_back(operand.buffer->storage(), operand.buffer->count());
      for (Buffer& buffer : buffers) places.push_back(&buffer);
      mpi::unpack(rank == me ? mine : received[next++], places);
      members.push_back(std::move(buffers));
    }
    evaluator_.run(call, members, position, mode, results, ties);
  }

  Messages& messages_;
  RankLayout layout_;
  GroupEvaluator evaluator_;
  std::uint64_t sequence_ = 0;
};

/// What process 0 asks for. Followed by the free inputs.
struct Command {
  enum class Kind : std::int64_t { Run, End } kind = Kind::End;
  std::int64_t mode = 0, rational = 0, regime = 0;
  std::uint64_t seed = 0;
  char hashes[3][40] = {};
};

void set_hashes(Command& command, const CaseHashes& hashes) {
  const std::string* all[] = {&hashes.sequential, &hashes.distributed, &hashes.relation};
  for (std::size_t k = 0; k < 3; ++k) std::strncpy(command.hashes[k], all[k]->c_str(), sizeof(command.hashes[k]) - 1);
}

/// One case of this process, ready to run its rank.
struct Loaded {
  Case* pair = nullptr;
  Arena arena;
  std::unique_ptr<Communicator> communicator;
  std::unique_ptr<RankProgram> program;
};

class Job final : public MpiJob, public RankBackend {
 public:
  explicit Job(const MpiOptions& options) : options_(options) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    messages_ = std::make_unique<Messages>(rank_, size_, options.deadline_seconds);
    signal(SIGTERM, on_terminate);
  }
  ~Job() override {
    if (rank_ == 0) {
      try {
        tell(Command{}, {});
      } catch (const PeerFailure& failure) {
        stop(failure.message, 2);
      }
    }
    MPI_Finalize();
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string name() const override { return options_.nccl ? "nccl" : "mpi"; }
  RankBackend& backend() override { return *this; }

  std::unique_ptr<Communicator> communicator(RankLayout layout, Arena& arena) override {
    if (!options_.nccl) return std::make_unique<MpiCommunicator>(*messages_, layout, arena);
    NcclId id{};
    if (rank_ == 0) {
      id = make_nccl_id();
      for (int rank = 1; rank < size_; ++rank) messages_->send(rank, id);
    } else {
      const std::vector<std::byte> bytes = messages_->receive(0, false);
      GG_CHECK(bytes.size() == id.size(), "an NCCL id is cut short");
      std::copy(bytes.begin(), bytes.end(), id.begin());
    }
    return nccl_communicator(id, rank_, layout, {options_.deadline_seconds, options_.oversubscribe}, arena);
  }

  RunResult run(Case& c, const InputSet& inputs, const RunOptions& options) override {
    if (c.relation.layout.ranks() != size_) {
      throw InputError(DiagCode::RankCount, {}, "the program has " + std::to_string(c.relation.layout.ranks()) +
                                                    " ranks, mpirun started " + std::to_string(size_) + " processes");
    }
    if (options.error_bounds) {
      throw RuntimeFailure(RuntimeFailure::Kind::Unsupported, "real processes carry no error bounds", {});
    }
    Command command;
    command.kind = Command::Kind::Run;
    command.mode = static_cast<std::int64_t>(options.mode);
    command.rational = options.rational_literals ? 1 : 0;
    command.regime = inputs.regime;
    command.seed = inputs.seed;
    set_hashes(command, c.hashes);
    try {
      tell(command, inputs.free);
      RunResult mine = run_own(c, inputs, options);
      return collect(std::move(mine));
    } catch (const PeerFailure& failure) {
      stop(failure.message, 2);
    } catch (const RuntimeFailure& failure) {
      if (failure.kind != RuntimeFailure::Kind::Communication) throw;
      stop(failure.what(), 2);
    }
  }

  void serve(const std::function<Case*(const CaseHashes&)>& find) override {
    for (;;) {
      const std::vector<std::byte> bytes = messages_->receive(0, true);
      Command command;
      GG_CHECK(bytes.size() >= sizeof(command), "a command is cut short");
      std::memcpy(&command, bytes.data(), sizeof(command));
      if (command.kind == Command::Kind::End) return;
      Case* c = find({command.hashes[0], command.hashes[1], command.hashes[2]});
      if (c == nullptr) stop("this rank has another program than rank 0", 3);
      answer(*c, command, std::span(bytes).subspan(sizeof(command)));
    }
  }

  [[noreturn]] void stop(const std::string& message, int code) override {
    std::cerr << "gg-harness: error: rank " << rank_ << " of " << size_ << " on " << host_name() << ": " << message
              << std::endl;
    if (rank_ == 0) std::cout << "unknown reason=budget backend=" << name() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, code);
    _exit(code);
  }

 private:
  void tell(const Command& command, std::span<const Buffer> inputs) {
    std::vector<const Buffer*> buffers;
    for (const Buffer& buffer : inputs) buffers.push_back(&buffer);
    std::vector<std::byte> bytes(sizeof(command));
    std::memcpy(bytes.data(), &command, sizeof(command));
    const std::vector<std::byte> payload = mpi::pack(buffers);
    bytes.insert(bytes.end(), payload.begin(), payload.end());
    for (int rank = 1; rank < size_; ++rank) messages_->send(rank, bytes);
  }

  RunResult run_own(Case& c, const InputSet& inputs, RunOptions options) {
    if (!loaded_ || loaded_->pair != &c) {
      loaded_ = std::make_unique<Loaded>();
      loaded_->pair = &c;
      loaded_->communicator = communicator(c.relation.layout, loaded_->arena);
      loaded_->program = std::make_unique<RankProgram>(c, rank_, loaded_->arena, *loaded_->communicator);
    }
    options.probe = nullptr;
    return loaded_->program->run(c, inputs, options);
  }

  void answer(Case& c, const Command& command, std::span<const std::byte> payload) {
    InputSet inputs;
    inputs.seed = command.seed;
    inputs.regime = static_cast<int>(command.regime);
    std::vector<Buffer*> places;
    for (const FreeInput& free : c.relation.free) {
      inputs.free.emplace_back(is_integral(free.type.element) ? Storage::Int64 : Storage::Double, free.type.count());
    }
    for (Buffer& buffer : inputs.free) places.push_back(&buffer);
    mpi::unpack(payload, places);
    RunOptions options;
    options.mode = static_cast<NumberMode>(command.mode);
    options.rational_literals = command.rational != 0;
    try {
      const RunResult result = run_own(c, inputs, options);
      std::vector<const Buffer*> outputs;
      for (const Buffer& output : result.outputs) outputs.push_back(&output);
      std::vector<std::byte> bytes = mpi::pack(outputs);
      for (const TieCounter& ties : result.ties) {
        const auto* first = reinterpret_cast<const std::byte*>(&ties.ties);
        bytes.insert(bytes.end(), first, first + sizeof(ties.ties));
      }
      messages_->send(0, bytes);
    } catch (const PeerFailure& failure) {
      stop(failure.message, 2);
    } catch (const RuntimeFailure& failure) {
      stop(failure.what(), 2);
    }
  }

  RunResult collect(RunResult mine) {
    RunResult all;
    all.steps = mine.steps;
    all.ties = mine.ties;
    for (const Buffer& output : mine.outputs) {
      Buffer& lifted = all.outputs.emplace_back(output.storage(), output.count() * size_);
      if (output.bytes() != 0) std::memcpy(lifted.data(), output.data(), output.bytes());
    }
    for (int rank = 1; rank < size_; ++rank) {
      const std::vector<std::byte> bytes = messages_->receive(rank, false);
      std::size_t at = 0;
      for (std::size_t k = 0; k < mine.outputs.size(); ++k) {
        const std::size_t part = mine.outputs[k].bytes();
        auto* place = static_cast<std::byte*>(all.outputs[k].data()) + static_cast<std::size_t>(rank) * part;
        if (part != 0) std::memcpy(place, bytes.data() + at, part);
        at += part;
      }
      for (TieCounter& ties : all.ties) {
        decltype(ties.ties) theirs = 0;
        std::memcpy(&theirs, bytes.data() + at, sizeof(theirs));
        ties.ties += theirs;
        at += sizeof(theirs);
      }
    }
    return all;
  }

  MpiOptions options_;
  int rank_ = 0, size_ = 1;
  std::unique_ptr<Messages> messages_;
  std::unique_ptr<Loaded> loaded_;
};

}  // namespace

bool mpi_available() { return true; }

std::unique_ptr<MpiJob> join_mpi(const MpiOptions& options) {
  if (getenv("OMPI_COMM_WORLD_SIZE") == nullptr && getenv("PMI_SIZE") == nullptr && getenv("PMIX_RANK") == nullptr) {
    throw InputError(DiagCode::Usage, {}, "the MPI backend is started by mpirun -n RANKS gg-harness ...");
  }
  return std::make_unique<Job>(options);
}

}  // namespace gg
