#pragma once

/// \file
/// Pictures: everything under npuzzle/visual/.

#include "npuzzle/visual/search_events.hpp"
#include "npuzzle/visual/solution_html.hpp"
#include "npuzzle/visual/solution_svg.hpp"
