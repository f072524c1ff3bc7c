/// @file
/// Fuzzes all searches that take jump points against Dijkstra's algorithm on the cells: the bytes are a small
/// map, the costs of its steps, a start and a goal.
#include "support.hpp"
#include "support/jump_oracle.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

template <class Cost>
void run(fuzz::Bytes bytes) {
    test::JumpOracle<Cost> oracle;
    test::with_small_map<Cost>([&](int count) { return bytes.below(count); },
                               [&](const auto& map, const auto& jumps, std::uint32_t start) {
                                   oracle.check(map, jumps, start, [](const std::string& search) {
                                       fuzz::require(false, search.c_str());
                                   });
                               });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes bytes(data, size);
    (bytes.next() & 1) != 0 ? run<double>(bytes) : run<int>(bytes);
    return 0;
}
