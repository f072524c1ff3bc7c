/// @file
/// Fuzzes all searches that take jump points against Dijkstra's algorithm on the cells: the bytes are a small
/// map, the costs of its steps, a start and a goal.
#include "support.hpp"
#include "support/jump_oracle.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes bytes(data, size);
    test::JumpOracle<double> oracle; // of integers in tests/maps/jump_points.test.cpp
    test::with_small_map<double>([&](int count) { return bytes.below(count); },
                                 [&](const auto& map, const auto& jumps, std::uint32_t start) {
                                     oracle.check(map, jumps, start, [](const std::string& search) {
                                         fuzz::require(false, search.c_str());
                                     });
                                 });
    return 0;
}
