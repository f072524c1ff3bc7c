#include <npuzzle/search/memory/prefetch.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstdint>

TEST_CASE("any address may be prefetched, and nothing changes", "[memory]") {
    std::array<std::uint64_t, 8> line{1, 2, 3};
    npuzzle::detail::prefetch(line.data());
    npuzzle::detail::prefetch(line.data() + line.size());
    npuzzle::detail::prefetch(nullptr);
    CHECK(line == std::array<std::uint64_t, 8>{1, 2, 3});
}
