#include "support/puzzle_space.hpp"

template class oracle::PuzzleSpace<3>;
