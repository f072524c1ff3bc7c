#!/usr/bin/env bash
# A compiler that is asked for C++17 first says what to ask for, whichever header it comes by.
. "${BASH_SOURCE[0]%/*}/support.sh"

for command in g++ clang++; do
    if ! command -v "$command" >/dev/null; then
        echo "left out: there is no $command"
        continue
    fi
    for header in npuzzle.hpp version.hpp search/astar.hpp search/core/limits.hpp puzzle/board.hpp; do
        echo "#include <npuzzle/$header>" >"$work/includes.cpp"
        first=$("$command" -std=c++17 -Iinclude "-I$boost" -fsyntax-only "$work/includes.cpp" 2>&1 | grep -m 1 'error' || true)
        [[ $first == *"npuzzle needs C++20: compile with -std=c++20"* ]] || fail "$command, $header: $first"
    done
done
