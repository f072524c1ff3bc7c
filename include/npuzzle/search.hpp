#pragma once

/// \file
/// All of `search/`: any problem.

#include "npuzzle/search/all_paths.hpp"
#include "npuzzle/search/anytime.hpp"
#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/beam.hpp"
#include "npuzzle/search/best_first.hpp"
#include "npuzzle/search/bidirectional.hpp"
#include "npuzzle/search/breadth_first_layers.hpp"
#include "npuzzle/search/cached.hpp"
#include "npuzzle/search/compare_heuristics.hpp"
#include "npuzzle/search/for_each_parallel.hpp"
#include "npuzzle/search/from_any.hpp"
#include "npuzzle/search/frontier.hpp"
#include "npuzzle/search/ida_star.hpp"
#include "npuzzle/search/lockstep.hpp"
#include "npuzzle/search/partial.hpp"
#include "npuzzle/search/problem_from.hpp"
#include "npuzzle/search/queue_trace.hpp"
#include "npuzzle/search/uninformed.hpp"
#include "npuzzle/search/verify_consistency.hpp"
#include "npuzzle/search/with_goals.hpp"
