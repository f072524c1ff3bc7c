// Linked into every test: see tests/CMakeLists.txt.
#include <npuzzle/npuzzle.hpp>
