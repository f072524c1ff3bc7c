#pragma once

#include "npuzzle/macros.hpp"

/// \file
/// The version of the library. It stands here and nowhere else: the build and the packages read it from here.

/// Changes when code written for an earlier version may stop compiling. As long as it is 0, a new minor
/// version may do that too.
#define NPUZZLE_VERSION_MAJOR 0
/// Changes when something is added.
#define NPUZZLE_VERSION_MINOR 1
/// Changes when something is mended.
#define NPUZZLE_VERSION_PATCH 0

#define NPUZZLE_DETAIL_TEXT_OF(x) #x
#define NPUZZLE_DETAIL_VERSION_TEXT(major, minor, patch)                                                     \
    NPUZZLE_DETAIL_TEXT_OF(major) "." NPUZZLE_DETAIL_TEXT_OF(minor) "." NPUZZLE_DETAIL_TEXT_OF(patch)

namespace npuzzle {

/// The version as text: "major.minor.patch".
inline constexpr char version[] =
    NPUZZLE_DETAIL_VERSION_TEXT(NPUZZLE_VERSION_MAJOR, NPUZZLE_VERSION_MINOR, NPUZZLE_VERSION_PATCH);

} // namespace npuzzle

#undef NPUZZLE_DETAIL_VERSION_TEXT
#undef NPUZZLE_DETAIL_TEXT_OF
