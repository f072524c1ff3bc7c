#pragma once

#include "npuzzle/macros.hpp"

/// \file
/// `NPUZZLE_ASSERT(condition)` checks the promises that a problem or a heuristic makes. It is `assert`
/// unless it was defined before the first header of the library.

#ifndef NPUZZLE_ASSERT
#include <cassert>
#define NPUZZLE_ASSERT(condition) assert(condition)
#endif
