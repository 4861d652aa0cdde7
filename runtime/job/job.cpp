// The job, the collectives of one rank, and the exchange of inputs and outputs with process 0.
#include "runtime/job/job.h"

#include <signal.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <iostream>

#include "models/base/progress.h"
#include "models/type/type.h"
#include "runtime/job/make_device.h"
#include "runtime/mpi/mpi_messages.h"
#include "runtime/nccl/nccl_communicator.h"
#include "runtime/rank_program.h"
#include "runtime/transport/bootstrap.h"
#include "runtime/transport/lengths.h"
#include "runtime/transport/messages.h"

namespace gg {
namespace {

using job::Header;
using job::Messages;
using job::PeerFailure;

// What this rank waits for, for the message when mpirun ends the job because another rank died.
char waiting_for[256] = "";

void on_terminate(int) {
  const auto length = strnlen(waiting_for, sizeof(waiting_for));
  if (length != 0) [[maybe_unused]]
    const auto written = write(STDERR_FILENO, waiting_for, length);
  _exit(2);
}

void note_waiting(int rank, const char* place) {
  std::snprintf(waiting_for, sizeof(waiting_for), "gg-harness: rank %d was ended while it waited at %s\n", rank, place);
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

/// Collectives by messages.
class MessageCommunicator final : public RankCommunicator {
 public:
  MessageCommunicator(Messages& messages, RankLayout layout, Arena& arena)
      : RankCommunicator(messages.rank(), layout, arena), messages_(messages) {}
  std::string name() const override { return messages_.name(); }

 private:
  static job::Bytes bytes_of(std::span<const Operand> operands) {
    std::vector<const Buffer*> buffers;
    for (const Operand& operand : operands) buffers.push_back(operand.buffer);
    return job::pack(buffers);
  }

  std::vector<job::Bytes> exchange(const CollectiveCall& call, std::span<const std::int64_t> to,
                                   std::span<const std::int64_t> from, std::span<const std::byte> mine) {
    Header header;
    header.sequence = ++sequence_;
    header.check = check_of(call);
    std::strncpy(header.place, call.instance.c_str(), sizeof(header.place) - 1);
    note_waiting(messages_.rank(), header.place);
    try {
      auto received = messages_.exchange(to, from, mine, header);
      waiting_for[0] = 0;
      return received;
    } catch (const PeerFailure& failure) {
      throw RuntimeFailure(RuntimeFailure::Kind::Communication, failure.message, {});
    }
  }

  bool permute(const CollectiveCall& call, const Buffer& buffer, Buffer& result) override {
    std::vector<std::int64_t> to, from;
    for (const auto& [source, target] : call.pairs) {
      if (source == rank() && target != rank()) to.push_back(target);
      if (target == rank()) from.push_back(source);
    }
    const Buffer* const source[] = {&buffer};
    Buffer* const place[] = {&result};
    const job::Bytes mine = job::pack(source);
    if (!from.empty() && from[0] == rank()) {
      exchange(call, to, {}, mine);
      job::unpack(mine, place);
      return true;
    }
    const auto received = exchange(call, to, from, mine);
    if (!received.empty()) job::unpack(received[0], place);
    return !received.empty();
  }

  std::vector<std::vector<Buffer>> gather(const CollectiveCall& call, const std::vector<std::int64_t>& group,
                                          std::span<const Operand> operands) override {
    std::vector<std::int64_t> others;
    std::copy_if(group.begin(), group.end(), std::back_inserter(others), [&](auto r) { return r != rank(); });
    const job::Bytes mine = bytes_of(operands);
    const auto received = exchange(call, others, others, mine);
    std::vector<std::vector<Buffer>> members;
    std::size_t next = 0;
    for (const std::int64_t member : group) {
      std::vector<Buffer> buffers;
      std::vector<Buffer*> places;
      for (const Operand& operand : operands) buffers.emplace_back(operand.buffer->storage(), operand.buffer->count());
      for (Buffer& buffer : buffers) places.push_back(&buffer);
      job::unpack(member == rank() ? mine : received[next++], places);
      members.push_back(std::move(buffers));
    }
    return members;
  }

  Messages& messages_;
  std::uint64_t sequence_ = 0;
};

/// What process 0 asks for. A run is followed by the rank's part of each parameter leaf, a message each.
struct Command {
  enum class Kind : std::int64_t { Run,
                                   End } kind = Kind::End;
  std::int64_t mode = 0, literal_balls = 0, literals_shared = 0, literal_draw = 0, bounds = 0, device = 0;
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

class ProcessJob final : public Job, public RankBackend {
 public:
  ProcessJob(const JobOptions& options, std::unique_ptr<Messages> messages, int local_rank)
      : options_(options), rank_(messages->rank()), size_(messages->size()), local_rank_(local_rank), messages_(std::move(messages)) {
    signal(SIGTERM, on_terminate);
    // NCCL refuses two ranks on one device of one host, so each is a host of its own.
    if (options.nccl && options.oversubscribe) setenv("NCCL_HOSTID", ("rank" + std::to_string(rank_)).c_str(), 0);
  }
  ~ProcessJob() override {
    if (rank_ == 0) {
      const Grace grace;  // the others are told, however late it is
      try {
        tell(Command{});
      } catch (const PeerFailure& failure) {
        if (std::uncaught_exceptions() == 0) stop(failure.message, 2);  // else there is a better message
      }
    }
  }
  ProcessJob(const ProcessJob&) = delete;
  ProcessJob& operator=(const ProcessJob&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string name() const override { return options_.nccl ? "nccl" : messages_->name(); }
  RankBackend& backend() override { return *this; }
  void admit(const Case& c) override { messages_->admit(job::longest_message(c)); }

  std::unique_ptr<Communicator> communicator(RankLayout layout, Arena& arena) override {
    if (!options_.nccl) return std::make_unique<MessageCommunicator>(*messages_, layout, arena);
    NcclId id{};
    if (rank_ == 0) {
      id = make_nccl_id();
      for (int rank = 1; rank < size_; ++rank) messages_->send(rank, id);
    } else {
      const job::Bytes bytes = messages_->receive_exactly(0, id.size(), false);
      std::copy(bytes.begin(), bytes.end(), id.begin());
    }
    return nccl_communicator(id, rank_, layout, {options_.deadline_seconds, options_.oversubscribe, local_rank_}, arena);
  }

  RunResult run(Case& c, const InputSet& inputs, const RunOptions& options) override {
    if (c.relation.layout.ranks() != size_) {
      throw InputError(DiagCode::RankCount, {}, "the program has " + std::to_string(c.relation.layout.ranks()) + " ranks, the job has " + std::to_string(size_) + " processes");
    }
    Command command;
    command.kind = Command::Kind::Run;
    command.mode = static_cast<std::int64_t>(options.mode);
    command.literal_balls = options.literals.balls ? 1 : 0;
    command.literals_shared = options.literals.shared != nullptr ? 1 : 0;
    command.literal_draw = options.literals.draw;
    command.bounds = options.error_bounds ? 1 : 0;
    command.device = options.device != nullptr ? 1 : 0;
    set_hashes(command, c.hashes);
    try {
      tell(command);
      RunResult mine = run_own(c, deal_inputs(c, inputs, options.mode), options);
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
      Command command;
      const job::Bytes bytes = messages_->receive_exactly(0, sizeof(command), true);
      std::memcpy(&command, bytes.data(), sizeof(command));
      if (command.kind == Command::Kind::End) return;
      Case* c = find({command.hashes[0], command.hashes[1], command.hashes[2]});
      if (c == nullptr) stop("this rank has another program than rank 0", 3);
      answer(*c, command);
    }
  }

  [[noreturn]] void stop(const std::string& message, int code) override {
    std::cerr << "gg-harness: error: rank " << rank_ << " of " << size_ << " on " << messages_->host() << ": " << message
              << std::endl;
    if (rank_ == 0) std::cout << "unknown reason=budget backend=" << name() << std::endl;
    std::cout.flush();
    messages_->abort(code);
    _exit(code);
  }

 private:
  void tell(const Command& command) {
    for (int rank = 1; rank < size_; ++rank) messages_->send(rank, std::as_bytes(std::span(&command, 1)));
  }

  /// Sends every rank its parts, one leaf after the other, and keeps those of rank 0.
  std::vector<Buffer> deal_inputs(const Case& c, const InputSet& inputs, NumberMode mode) {
    std::vector<Buffer> mine;
    for (std::size_t leaf = 0; leaf < c.relation.distributed_inputs.size(); ++leaf) {
      const Buffer lifted = distributed_input(c, leaf, inputs, mode);
      const std::span all(static_cast<const std::byte*>(lifted.data()), lifted.bytes());
      const std::size_t part = lifted.bytes() / static_cast<std::size_t>(size_);
      for (int rank = 1; rank < size_; ++rank) messages_->send(rank, all.subspan(static_cast<std::size_t>(rank) * part, part));
      mine.push_back(part_of(lifted, 0, size_));
    }
    return mine;
  }

  std::vector<Buffer> receive_inputs(const Case& c, NumberMode mode) {
    std::vector<Buffer> mine;
    for (const Body& body : c.relation.distributed_inputs) {
      Buffer* const place[] = {&mine.emplace_back(storage_of(body.type, mode), element_count(body.extents) / size_)};
      job::unpack(messages_->receive_exactly(0, place[0]->bytes(), true), place);
    }
    return mine;
  }

  RunResult run_own(Case& c, std::vector<Buffer> inputs, RunOptions options) {
    if (!loaded_ || loaded_->pair != &c) {
      loaded_ = std::make_unique<Loaded>();
      loaded_->pair = &c;
      loaded_->communicator = communicator(c.relation.layout, loaded_->arena);
      loaded_->program = std::make_unique<RankProgram>(c, rank_, loaded_->arena, *loaded_->communicator);
    }
    options.probe = nullptr;
    return loaded_->program->run(std::move(inputs), options);
  }

  void answer(Case& c, const Command& command) {
    RunOptions options;
    options.mode = static_cast<NumberMode>(command.mode);
    options.literals.balls = command.literal_balls != 0;
    const LiteralSet shared = literals_shared(*c.sequential, *c.distributed);
    if (command.literals_shared != 0) options.literals.shared = &shared;
    options.literals.draw = static_cast<int>(command.literal_draw);
    options.error_bounds = command.bounds != 0;
    if (command.device != 0) {
      if (!device_) device_ = make_device(options_.device);
      options.device = device_.get();
    }
    try {
      const RunResult result = complete(run_own(c, receive_inputs(c, options.mode), options));
      std::vector<const Buffer*> outputs;
      for (const Buffer& output : result.outputs) outputs.push_back(&output);
      for (const Buffer& error : result.errors) outputs.push_back(&error);
      std::vector<std::byte> bytes = job::pack(outputs);
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

  /// Bounds of exact outputs written out: all ranks send the same list.
  static RunResult complete(RunResult result) {
    for (std::size_t k = 0; k < result.errors.size(); ++k) {
      if (result.errors[k].count() == 0) result.errors[k] = Buffer(Storage::Double, result.outputs[k].count());
    }
    return result;
  }

  RunResult collect(RunResult result) {
    const RunResult mine = complete(std::move(result));
    RunResult all;
    all.steps = mine.steps;
    all.ties = mine.ties;
    const auto lift = [&](const std::vector<Buffer>& parts, std::vector<Buffer>& lifted) {
      std::vector<const Buffer*> own;
      for (const Buffer& part : parts) {
        lifted.emplace_back(part.storage(), part.count() * size_);
        own.push_back(&part);
      }
      job::take_part(lifted, 0, size_, job::pack(own));
    };
    lift(mine.outputs, all.outputs);
    lift(mine.errors, all.errors);
    for (int rank = 1; rank < size_; ++rank) {
      const job::Bytes bytes = messages_->receive_exactly(rank, job::bytes_of_outputs(mine), false);
      auto rest = job::take_part(all.errors, rank, size_, job::take_part(all.outputs, rank, size_, bytes));
      for (TieCounter& ties : all.ties) {
        decltype(ties.ties) theirs = 0;
        std::memcpy(&theirs, rest.data(), sizeof(theirs));
        ties.ties += theirs;
        rest = rest.subspan(sizeof(theirs));
      }
    }
    return all;
  }

  JobOptions options_;
  int rank_, size_, local_rank_;
  std::unique_ptr<Messages> messages_;
  std::unique_ptr<Loaded> loaded_;
  std::unique_ptr<device::Device> device_;  ///< of a process other than 0
};

}  // namespace

std::unique_ptr<Job> join_job(const JobOptions& options) {
  const bool by_mpi = options.transport == Transport::Mpi || (options.transport == Transport::Any && started_by_mpi());
  const std::optional<job::Place> place = job::find_place();
  const int local_rank = place ? place->local_rank : -1;
  try {
    if (by_mpi) {
      if (mpi_available() && !started_by_mpi()) {
        throw InputError(DiagCode::Usage, {}, "the MPI backend is started by mpirun -n RANKS gg-harness ...");
      }
      return std::make_unique<ProcessJob>(options, mpi_messages(options.deadline_seconds), local_rank);
    }
    if (!place) {
      throw InputError(DiagCode::Usage, {}, "ranks as processes are started by mpirun, torchrun or srun, or by --ranks N");
    }
    job::Place here = *place;
    here.listen = options.listen;
    return std::make_unique<ProcessJob>(options, job::socket_messages(here, options.deadline_seconds), local_rank);
  } catch (const PeerFailure& failure) {
    const std::string who = place ? "rank " + std::to_string(place->rank) + ": " : "";
    throw RuntimeFailure(RuntimeFailure::Kind::Communication, who + failure.message, {});
  }
}

}  // namespace gg
