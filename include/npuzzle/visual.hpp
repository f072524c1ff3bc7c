#pragma once

/// \file
/// Pictures: everything under npuzzle/visual/.

#include "npuzzle/visual/animated_svg.hpp"
#include "npuzzle/visual/chart.hpp"
#include "npuzzle/visual/game_tree.hpp"
#include "npuzzle/visual/game_tree_dot.hpp"
#include "npuzzle/visual/game_tree_svg.hpp"
#include "npuzzle/visual/search_chart.hpp"
#include "npuzzle/visual/search_events.hpp"
#include "npuzzle/visual/solution_html.hpp"
#include "npuzzle/visual/solution_svg.hpp"
