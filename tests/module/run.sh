#!/usr/bin/env bash
# tests/module/run.sh BOOST_INCLUDES DIRECTORY: compiles the module and a program that imports it, in DIRECTORY, and runs it.
# CMake compiles modules from version 3.28 on; this is what it does, by hand. Without clang 16 or newer it is skipped.
set -euo pipefail

boost=$1
directory=$2
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."

compiler=
for candidate in clang++-{22,21,20,19,18,17,16} clang++; do
    if command -v "$candidate" >/dev/null && (($("$candidate" -dumpversion | cut -d . -f 1) >= 16)); then
        compiler=$candidate
        break
    fi
done
if [[ -z $compiler ]]; then
    echo "SKIPPED: there is no clang 16 or newer; scripts/setup ci installs one"
    exit 77
fi

if command -v doxygen >/dev/null; then
    scripts/module --check
else
    echo "not looked whether the names are complete: there is no doxygen"
fi

mkdir -p "$directory"
options=(-std=c++20 -pthread -Wall -Wextra -Werror -I include "-I$boost")
"$compiler" "${options[@]}" --precompile packaging/module/npuzzle.cppm -o "$directory/npuzzle.pcm"
"$compiler" -pthread "$directory/npuzzle.pcm" -c -o "$directory/npuzzle.o"
"$compiler" "${options[@]}" "-fmodule-file=npuzzle=$directory/npuzzle.pcm" tests/module/import.cpp "$directory/npuzzle.o" \
    -o "$directory/import"
diff <("$directory/import") - <<'TEXT'
8 steps from 1 to 100
3
 8  1  3 
 4  0  2 
 7  6  5 
14 moves
TEXT
