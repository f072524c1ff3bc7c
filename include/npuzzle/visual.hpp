#pragma once

/// \file
/// Pictures: everything under npuzzle/visual/.

#include "npuzzle/visual/game_tree.hpp"
#include "npuzzle/visual/solution_html.hpp"
#include "npuzzle/visual/solution_svg.hpp"
