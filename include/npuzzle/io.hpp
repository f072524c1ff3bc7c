#pragma once

/// \file
/// Reading and writing boards, reading maps: everything under npuzzle/io/.

#include "npuzzle/io/format.hpp"
#include "npuzzle/io/moving_ai.hpp"
#include "npuzzle/io/parse.hpp"
#include "npuzzle/io/parse_error.hpp"
