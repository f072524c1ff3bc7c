#pragma once

#include <array>
#include <cstdint>

namespace benchmarks {

/// The number of boards of the 15-puzzle at each depth from a goal whose blank is in a corner. R. E. Korf, P.
/// Schultze, "Large-scale parallel breadth-first search", AAAI 2005; also The On-Line Encyclopedia of Integer
/// Sequences, A089484.
// clang-format off
inline constexpr std::array<std::uint64_t, 33> boards_of_15_puzzle = {
    1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1'948, 3'938, 7'808, 15'544, 30'821, 60'842, 119'000, 231'844,
    447'342, 859'744, 1'637'383, 3'098'270, 5'802'411, 10'783'780, 19'826'318, 36'142'146, 65'135'623,
    116'238'056, 204'900'019, 357'071'928, 613'926'161, 1'042'022'040, 1'742'855'397,
};
// clang-format on

} // namespace benchmarks
