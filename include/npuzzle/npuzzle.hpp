#pragma once

/// \file
/// The whole library, but what needs MPI or Boost.Graph.

#include "npuzzle/io.hpp"
#include "npuzzle/maps.hpp"
#include "npuzzle/puzzle.hpp"
#include "npuzzle/search.hpp"
#include "npuzzle/search/parallel.hpp"
#include "npuzzle/version.hpp"
#include "npuzzle/visual.hpp"
