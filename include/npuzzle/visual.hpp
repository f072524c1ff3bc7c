#pragma once

/// \file
/// Pictures: everything under npuzzle/visual/.

#include "npuzzle/visual/solution_svg.hpp"
