#pragma once

/// \file
/// Catch2 2.13 or 3.x, whichever is installed. Tests use the names of version 3.

#if __has_include(<catch2/catch_all.hpp>)

#include <catch2/catch_all.hpp>

using Catch::Approx;

#else

#include <catch2/catch.hpp>

#include <string>

namespace Catch::Matchers {

inline auto ContainsSubstring(const std::string& text,
                              CaseSensitive::Choice sensitivity = CaseSensitive::Yes) {
    return Contains(text, sensitivity);
}

} // namespace Catch::Matchers

#endif
