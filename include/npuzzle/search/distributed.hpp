#pragma once

/// \file
/// All of `search/distributed/`: searches by several processes, which MPI connects. Link to `npuzzle::mpi`.
/// `npuzzle.hpp` does not include it.

#include "npuzzle/search/distributed/distributed_astar.hpp"
#include "npuzzle/search/distributed/distributed_ida_star.hpp"
