// Places from environment variables (runtime/transport/bootstrap.h).
#include "runtime/transport/bootstrap.h"

#include <array>
#include <charconv>
#include <cstdlib>

#include "models/base/diag.h"
#include "models/base/limits.h"

namespace gg::job {
namespace {

constexpr int kDefaultPort = 29500;  ///< torchrun's

/// The variables of one launcher. Without an address of its own, rank 0 is on this host, or on the first one listed.
struct LauncherRow {
  const char* name;
  const char* rank;
  const char* size;
  const char* local_rank;
  const char* local_size;  ///< null where not told
  const char* hosts;       ///< null where not told
  const char* job;         ///< a number that tells jobs of one host apart, for the port; null where not told
};
constexpr std::array kLaunchers = {
    LauncherRow{"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", nullptr, nullptr},
    LauncherRow{"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
                "OMPI_COMM_WORLD_LOCAL_SIZE", nullptr, nullptr},
    LauncherRow{"srun", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", nullptr, "SLURM_STEP_NODELIST", "SLURM_JOB_ID"},
};

int number_of(const Environment& environment, const char* name) {
  const char* text = environment(name);
  if (text == nullptr) throw InputError(DiagCode::Usage, {}, std::string("the environment variable ") + name + " is missing");
  const std::string whole = text;
  int value = 0;
  const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), value);
  if (error != std::errc{} || end != whole.data() + whole.size() || value < 0) {
    throw InputError(DiagCode::Usage, {}, std::string("the environment variable ") + name + "='" + whole + "' is no number");
  }
  return value;
}

bool is_set(const Environment& environment, const char* name) { return name != nullptr && environment(name) != nullptr; }

std::string address_of(const Environment& environment, const LauncherRow& row, const Place& place) {
  if (is_set(environment, "MASTER_ADDR")) return environment("MASTER_ADDR");
  if (is_set(environment, row.hosts)) return first_host(environment(row.hosts));
  if (is_set(environment, row.local_size) && number_of(environment, row.local_size) == place.size) return "127.0.0.1";
  throw InputError(DiagCode::Usage, {}, std::string("MASTER_ADDR (the host of rank 0) is missing: ") + row.name + " started processes on several hosts");
}

int port_of(const Environment& environment, const LauncherRow& row) {
  int port = kDefaultPort;
  if (is_set(environment, "MASTER_PORT")) {
    port = number_of(environment, "MASTER_PORT");
  } else if (is_set(environment, row.job)) {
    port = 20'000 + number_of(environment, row.job) % 10'000;
  }
  // torchrun's own agent listens on its port.
  const char* agent = environment("TORCHELASTIC_USE_AGENT_STORE");
  if (agent != nullptr && std::string(agent) == "True") port += port < 65'535 ? 1 : -1;
  if (port < 1 || port > 65'535) throw InputError(DiagCode::Usage, {}, "MASTER_PORT is no port");
  return port;
}

}  // namespace

std::optional<Place> find_place(const Environment& environment) {
  for (const LauncherRow& row : kLaunchers) {
    if (!is_set(environment, row.rank) || !is_set(environment, row.size)) continue;
    Place place;
    place.launcher = row.name;
    place.rank = number_of(environment, row.rank);
    place.size = number_of(environment, row.size);
    check_limit(Limit::Ranks, place.size, {});
    if (place.rank >= place.size) {
      throw InputError(DiagCode::Usage, {}, std::string(row.rank) + " is not below " + row.size);
    }
    place.local_rank = is_set(environment, row.local_rank) ? number_of(environment, row.local_rank) : place.rank;
    place.address = place.size == 1 ? "127.0.0.1" : address_of(environment, row, place);
    place.port = port_of(environment, row);
    if (is_set(environment, "GG_JOB_TOKEN")) place.token = environment("GG_JOB_TOKEN");
    return place;
  }
  return std::nullopt;
}

std::optional<Place> find_place() {
  return find_place([](const char* name) { return std::getenv(name); });
}

std::string first_host(const std::string& list) {
  const std::size_t end = list.find_first_of(",[");
  if (end == std::string::npos || list[end] == ',') return list.substr(0, end);
  const std::size_t last = list.find_first_of(",-]", end + 1);
  const std::size_t close = list.find(']', end);
  if (last == std::string::npos || close == std::string::npos) return list;
  const std::size_t behind = list.find(',', close);
  return list.substr(0, end) + list.substr(end + 1, last - end - 1) +
         list.substr(close + 1, behind == std::string::npos ? std::string::npos : behind - close - 1);
}

}  // namespace gg::job
