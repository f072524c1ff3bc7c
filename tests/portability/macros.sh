#!/usr/bin/env bash
# Macros that other headers are known for break no header of the library, if those headers come first: X11, windows.h, Qt.
. "${BASH_SOURCE[0]%/*}/support.sh"

# The standard library and Boost are not what is tested.
grep -rhoE '^ *# *include <[^>]+>' include/npuzzle | grep -v mpi.h | sort -u |
    sed -E 's/.*(<.*>)/#if __has_include(\1)\n#include \1\n#endif/' >"$work/macros.hpp"
cat >>"$work/macros.hpp" <<'MACROS'
// X.h, Xlib.h
#define Status int
#define Bool int
#define True 1
#define False 0
#define None 0L
#define Success 0
#define Always 2
#define NotUseful 0
#define WhenMapped 1
#define Above 0
#define Below 1
#define TopIf 2
#define BottomIf 3
#define Opposite 4
#define Complex 0
#define Nonconvex 1
#define Convex 2
#define Unsorted 0
#define KeyPress 2
#define KeyRelease 3
#define FocusIn 9
#define FocusOut 10
#define Expose 12
#define BadRequest 1
#define BadValue 2
#define CursorShape 0
#define CurrentTime 0L
#define NoSymbol 0L
#define AnyKey 0L
#define AnyButton 0L
#define Button1 1
#define AllPlanes (~0UL)
// windows.h
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define near
#define far
#define small char
#define interface struct
#define hyper long
#define IN
#define OUT
#define OPTIONAL
#define CONST const
#define VOID void
#define TRUE 1
#define FALSE 0
#define STRICT 1
#define ERROR 0
#define NO_ERROR 0
#define DELETE 0x00010000L
#define DIFFERENCE 11
#define ABSOLUTE 1
#define RELATIVE 2
#define OPAQUE 2
#define TRANSPARENT 1
#define DOMAIN 1
#define OVERFLOW 3
#define UNDERFLOW 4
#define Yield()
#define GetObject GetObjectA
#define CreateFile CreateFileA
#define DeleteFile DeleteFileA
#define MoveFile MoveFileA
#define LoadImage LoadImageA
#define DrawText DrawTextA
#define GetMessage GetMessageA
#define SendMessage SendMessageA
// Qt
#define signals public
#define slots
#define emit
#define foreach for
// sys/sysmacros.h, sys/param.h
#define major(dev) ((dev) >> 8)
#define minor(dev) ((dev) & 255)
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
MACROS
# npuzzle/distributed needs MPI.
cat >"$work/macros.cpp" <<'PROGRAM'
#include "macros.hpp"

#include <npuzzle/maps/boost_graph.hpp>
#include <npuzzle/npuzzle.hpp>

int main() {
    const npuzzle::GridMap<> map("...\n");
    const auto result = npuzzle::astar(map.with_goal(2), 0, npuzzle::OctileDistance{});
    return result.cost == 2 ? 0 : 1;
}
PROGRAM
"$compiler" -std=c++20 -Iinclude "-I$boost" -fsyntax-only "$work/macros.cpp" || fail "a macro breaks a header"
