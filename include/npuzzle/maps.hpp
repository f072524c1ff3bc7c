#pragma once

/// \file
/// Graphs and grid maps: all of `maps/` but `boost_graph.hpp`.

#include "npuzzle/maps/distances.hpp"
#include "npuzzle/maps/graph.hpp"
#include "npuzzle/maps/grid_map.hpp"
#include "npuzzle/maps/jump_points.hpp"
#include "npuzzle/maps/landmarks.hpp"
