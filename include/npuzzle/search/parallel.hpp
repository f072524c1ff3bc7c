#pragma once

/// \file
/// All of `search/parallel/`: searches on several threads. `search.hpp` does not include it.

#include "npuzzle/search/parallel/parallel_astar.hpp"
#include "npuzzle/search/parallel/parallel_ida_star.hpp"
