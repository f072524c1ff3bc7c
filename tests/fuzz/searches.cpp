/// @file
/// Fuzzes the whole family of searches against Dijkstra's algorithm: the bytes are a problem of up to twelve
/// states, with integer or real costs and a heuristic that is admissible or consistent.
#include "searches.hpp"
#include "support.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace {

template <class C>
void run(fuzz::Bytes bytes) {
    const fuzz::Case<C> problem(bytes);
    fuzz::run_best_first(problem);
    fuzz::run_policies(problem);
    fuzz::run_depth_first(problem);
    fuzz::run_two_way(problem);
    if constexpr (std::is_same_v<C, int>) {
        fuzz::run_layers(problem.undirected());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes bytes(data, size < 160 ? size : 160);
    const bool is_real = (bytes.next() & 1) != 0;
    if (is_real) {
        run<double>(bytes);
    } else {
        run<int>(bytes);
    }
    return 0;
}
