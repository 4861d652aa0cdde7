// Ranks that misbehave: mpi_peers MODE DEADLINE [RANKS]; under mpirun, or by itself with RANKS processes. Modes: ok, delay
// (shorter than the deadline), kill, stop, order (another collective first).
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "models/hlo/parser.h"
#include "models/op/groups.h"
#include "runtime/job/job.h"
#include "runtime/transport/bootstrap.h"

namespace gg {
namespace {

constexpr const char* kText = R"(HloModule peers
%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(%a, %b)
}
ENTRY %main (x: f32[4]) -> f32[4] {
  %x = f32[4]{0} parameter(0)
  %sum = f32[4]{0} all-reduce(%x), replica_groups={}, to_apply=%add
  ROOT %ring = f32[4]{0} all-to-all(%sum), replica_groups={}, dimensions={0}
}
)";

struct Program {
  Arena arena;
  Module module = parse_hlo(kText, "peers.hlo");
  RankLayout layout;
  BodyTable bodies;
  explicit Program(std::int64_t ranks) : layout{ranks, 1}, bodies(arena, module, RankDigits::whole(ranks), layout) {}

  CollectiveCall call(Op op) {
    const Computation& entry = module.computation(module.entry());
    CollectiveCall result;
    for (InstructionId id = entry.first; id < entry.first + entry.count; ++id) {
      if (module[id].op != op) continue;
      result.arena = &arena;
      result.call = bodies.call(id);
      result.groups = rank_groups(op, module.attributes(id), layout);
      result.instance = "main/%" + std::string(module.name_of(id));
    }
    return result;
  }
};

int drive(const std::string& mode, double deadline) {
  const auto job = join_job({Transport::Any, deadline});
  Program program(job->size());
  const auto communicator = job->communicator(program.layout, program.arena);
  const std::vector<std::int64_t> extents = {4};
  Buffer x(Storage::Double, 4);
  for (double& value : x.as<double>()) value = job->rank() + 1;
  const Operand operand{&x, ElementType::F32, extents};
  const auto collective = [&](Op op) {
    std::vector<Buffer> results;
    results.emplace_back(Storage::Double, 4);
    TieCounter ties;
    communicator->run(program.call(op), NumberMode::F64, {&operand, 1}, results, ties);
    return results[0].as<double>()[0];
  };
  const bool odd = job->rank() == job->size() - 1;
  try {
    const double expected = job->size() * (job->size() + 1) / 2.0;
    for (int round = 0; round < 3; ++round) {
      if (odd && round == 1) {
        if (mode == "kill") raise(SIGKILL);
        if (mode == "stop") raise(SIGSTOP);
        if (mode == "delay") sleep(1);
        if (mode == "order") collective(Op::AllToAll);
      }
      if (collective(Op::AllReduce) != expected) job->stop("a wrong sum", 1);
    }
  } catch (const RuntimeFailure& failure) {
    job->stop(failure.what(), 2);
  }
  // The others wait for process 0's end as in a real job.
  if (job->rank() != 0) job->serve([](const CaseHashes&) { return nullptr; });
  if (job->rank() == 0) std::cout << "all arrived" << std::endl;
  return 0;
}

}  // namespace
}  // namespace gg

int main(int argc, char** argv) {
  if (argc == 4 && !gg::job::find_place()) return gg::job::run_ranks(std::atoi(argv[3]), argv, 3);
  if (argc < 3) return 3;
  try {
    return gg::drive(argv[1], std::atof(argv[2]));
  } catch (const gg::RuntimeFailure& failure) {
    std::cerr << failure.what() << std::endl;
    return 2;
  }
}
