#pragma once

/// \file
/// Reading and writing boards: everything under npuzzle/io/.

#include "npuzzle/io/format.hpp"
#include "npuzzle/io/parse.hpp"
#include "npuzzle/io/printable.hpp"
