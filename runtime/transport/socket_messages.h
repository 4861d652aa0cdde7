// Messages over TCP for jobs without MPI: rank 0 listens, the others find each other through it, then every pair of ranks
// has a connection of its own.
#pragma once

#include <memory>

#include "runtime/transport/bootstrap.h"
#include "runtime/transport/messages.h"

namespace gg::job {

/// Joins the job. Throws PeerFailure where the ranks do not meet within the deadline.
std::unique_ptr<Messages> socket_messages(const Place& place, double deadline_seconds);

}  // namespace gg::job
