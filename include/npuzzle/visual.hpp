#pragma once

/// \file
/// Pictures: everything under npuzzle/visual/.

#include "npuzzle/visual/search_events.hpp"
#include "npuzzle/visual/solution.hpp"
