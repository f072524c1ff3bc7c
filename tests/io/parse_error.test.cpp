#include <npuzzle/io/parse_error.hpp>

#include "support/catch.hpp"

#include <string>
#include <type_traits>

using npuzzle::ParseError;

static_assert(std::is_nothrow_copy_constructible_v<ParseError>);

TEST_CASE("an error says where it is", "[parse_error]") {
    const ParseError error("a\nb.map", 12, 3, "no such sign");
    CHECK(std::string(error.what()) == "a\\x0ab.map:12:3: no such sign");
    CHECK(error.source() == "a\\x0ab.map");
    CHECK(error.line() == 12);
    CHECK(error.column() == 3);
    const ParseError copy = error;
    CHECK(copy.source() == error.source());
}
