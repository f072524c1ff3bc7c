#include <npuzzle/version.hpp>

#include "support/catch.hpp"

#include <string>

TEST_CASE("the version is the same in the macros, in the text and in the build", "[version]") {
    const std::string from_macros = std::to_string(NPUZZLE_VERSION_MAJOR) + "." +
                                    std::to_string(NPUZZLE_VERSION_MINOR) + "." +
                                    std::to_string(NPUZZLE_VERSION_PATCH);
    CHECK(npuzzle::version == from_macros);
    CHECK(from_macros == NPUZZLE_VERSION_IN_BUILD);
}
