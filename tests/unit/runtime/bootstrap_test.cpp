// Launchers' variables (runtime/transport/bootstrap.h).
#include "runtime/transport/bootstrap.h"

#include <gtest/gtest.h>

#include <map>

#include "models/base/diag.h"

namespace gg::job {
namespace {

std::optional<Place> place_in(const std::map<std::string, std::string>& variables) {
  return find_place([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Bootstrap, Torchrun) {
  const auto place = place_in({{"RANK", "5"}, {"WORLD_SIZE", "8"}, {"LOCAL_RANK", "1"}, {"MASTER_ADDR", "node0"}, {"MASTER_PORT", "1234"}});
  ASSERT_TRUE(place);
  EXPECT_EQ(place->rank, 5);
  EXPECT_EQ(place->size, 8);
  EXPECT_EQ(place->local_rank, 1);
  EXPECT_EQ(place->address, "node0");
  EXPECT_EQ(place->port, 1234);
  EXPECT_EQ(place->launcher, "torchrun");
}

TEST(Bootstrap, TorchrunsAgentKeepsItsPort) {
  const auto place = place_in({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "h"}, {"MASTER_PORT", "29400"}, {"TORCHELASTIC_USE_AGENT_STORE", "True"}, {"SLURM_PROCID", "7"}, {"SLURM_NTASKS", "9"}});
  ASSERT_TRUE(place);
  EXPECT_EQ(place->port, 29401);
  EXPECT_EQ(place->size, 2);  // not srun's, which started torchrun
}

TEST(Bootstrap, MpirunOnOneHost) {
  const auto place = place_in({{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "3"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}});
  ASSERT_TRUE(place);
  EXPECT_EQ(place->address, "127.0.0.1");
  EXPECT_EQ(place->port, 29500);
}

TEST(Bootstrap, Srun) {
  const auto place = place_in({{"SLURM_PROCID", "9"}, {"SLURM_NTASKS", "16"}, {"SLURM_LOCALID", "1"}, {"SLURM_STEP_NODELIST", "gpu[03-04,07]"}, {"SLURM_JOB_ID", "1234567"}});
  ASSERT_TRUE(place);
  EXPECT_EQ(place->address, "gpu03");
  EXPECT_EQ(place->port, 24567);
  EXPECT_EQ(place->local_rank, 1);
}

TEST(Bootstrap, Incomplete) {
  EXPECT_FALSE(place_in({}));
  EXPECT_FALSE(place_in({{"RANK", "0"}}));
  EXPECT_THROW(place_in({{"RANK", "0"}, {"WORLD_SIZE", "2"}}), InputError);  // where is rank 0?
  EXPECT_THROW(place_in({{"RANK", "x"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "h"}}), InputError);
  EXPECT_THROW(place_in({{"RANK", "2"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "h"}}), InputError);
  EXPECT_THROW(place_in({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "h"}, {"MASTER_PORT", "65536"}}), InputError);
}

TEST(Bootstrap, HostLists) {
  EXPECT_EQ(first_host("node"), "node");
  EXPECT_EQ(first_host("a,b"), "a");
  EXPECT_EQ(first_host("n[1-3]"), "n1");
  EXPECT_EQ(first_host("n[07,9].site,x"), "n07.site");
}

}  // namespace
}  // namespace gg::job
