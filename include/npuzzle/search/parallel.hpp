#pragma once

/// \file
/// All of `search/parallel/`: searches on several threads.

#include "npuzzle/search/parallel/ida_star_journal.hpp"
#include "npuzzle/search/parallel/parallel_ida_star.hpp"
