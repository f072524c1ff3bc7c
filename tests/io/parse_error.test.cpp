#include "npuzzle/io/parse_error.hpp"

#include "support/catch.hpp"

#include <string>
#include <string_view>
#include <type_traits>

using npuzzle::ParseError;
using npuzzle::printable;

static_assert(std::is_nothrow_copy_constructible_v<ParseError>);

TEST_CASE("text that can be shown is left as it is", "[printable]") {
    for (const std::string_view text :
         {"", "puzzle4x4-30.txt", " ~\\", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\xa7\xa9", "\xc2\xa0",
          "\xed\x9f\xbf", "\xee\x80\x80", "\xf4\x8f\xbf\xbf"}) {
        CHECK(printable(text) == text);
    }
}

TEST_CASE("control characters are written in hexadecimal", "[printable]") {
    CHECK(printable("a\x1b[31mb\nc\td\x7f") == "a\\x1b[31mb\\x0ac\\x09d\\x7f");
    CHECK(printable(std::string_view("\0", 1)) == "\\x00");
    CHECK(printable("\xc2\x9b") == "\\xc2\\x9b");          // as good as Escape [
    CHECK(printable("\xe2\x80\xae") == "\\xe2\\x80\\xae"); // what follows would run from right to left
    CHECK(printable("\xe2\x81\xa6") == "\\xe2\\x81\\xa6");
}

TEST_CASE("what is no UTF-8 is written in hexadecimal", "[printable]") {
    CHECK(printable("\x80") == "\\x80");
    CHECK(printable("\xff") == "\\xff");
    CHECK(printable("\xc3") == "\\xc3");                 // cut off
    CHECK(printable("\xc3\xc3\xa4") == "\\xc3\xc3\xa4"); // a character after half a one
    CHECK(printable("\xe2\x82x") == "\\xe2\\x82x");
    CHECK(printable("\xc0\x8a") == "\\xc0\\x8a"); // a line feed in more bytes than it takes
    CHECK(printable("\xe0\x80\x8a") == "\\xe0\\x80\\x8a");
    CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");          // half of a pair of UTF-16
    CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80"); // beyond the last character
    CHECK(printable("\xf8\x88\x80\x80\x80") == "\\xf8\\x88\\x80\\x80\\x80");
}

TEST_CASE("an error says where it is", "[parse_error]") {
    const ParseError error("a\nb.map", 12, 3, "no such sign");
    CHECK(std::string(error.what()) == "a\\x0ab.map:12:3: no such sign");
    CHECK(error.line() == 12);
    CHECK(error.column() == 3);
    const ParseError copy = error;
    CHECK(copy.source() == "a\\x0ab.map");
}
