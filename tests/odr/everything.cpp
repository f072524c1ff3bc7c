// Linked into every test: see tests/CMakeLists.txt.
#include <npuzzle/npuzzle.hpp>

// What many tests spend their time in. It is optimized here, and a linker takes the first definition of
// several.
template class npuzzle::PackedBoard<3>;
template class npuzzle::PackedBoard<4>;
template class npuzzle::PackedBoard<5>;
template class npuzzle::SlidingPuzzle<3>;
template class npuzzle::SlidingPuzzle<4>;

namespace optimized {

extern const auto build_table = &npuzzle::build_table;
extern const auto build_tables = &npuzzle::build_tables<npuzzle::TableKind::additive>;

} // namespace optimized
