#!/usr/bin/env bash
# tests/module/run.sh BOOST_INCLUDES DIRECTORY: compiles the module and a program that imports it, in DIRECTORY, and runs it: by hand,
# and by CMake, from version 3.28 on. Where the machine's own is older, one of npm is taken. Without clang 16 or newer the test is
# skipped.
set -euo pipefail

boost=$1
directory=$2
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
source tests/support/packages.sh

compiler=
for candidate in clang++-{22,21,20,19,18,17,16} clang++; do
    if command -v "$candidate" >/dev/null && (($("$candidate" -dumpversion | cut -d . -f 1) >= 16)); then
        compiler=$candidate
        break
    fi
done
[[ -n $compiler ]] || skip "there is no clang 16 or newer; scripts/setup ci installs one"

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
check() { # PROGRAM
    diff <("$1") - <<'TEXT'
8 steps from 1 to 100
3
 8  1  3 
 4  0  2 
 7  6  5 
14 moves
TEXT
}
check "$directory/import"

# By CMake, which asks clang-scan-deps who imports what.
cmake=cmake
version=$(cmake --version | head -n 1 | grep -oE '[0-9.]+')
if [[ $(printf '3.28\n%s\n' "$version" | sort -V | head -n 1) != 3.28 ]]; then
    if ! install_packages tests/module "$directory"; then
        echo "not tried by CMake: this is $version, and npm could not install a newer one"
        exit
    fi
    cmake=$directory/node_modules/.bin/cmake
fi
configure() { # ARGUMENT...
    "$cmake" -G Ninja -S tests/module -B "$directory/by_cmake" "-DCMAKE_CXX_COMPILER=$compiler" "$@"
}
rm -rf "$directory/by_cmake"
if configure -DCMAKE_CXX_COMPILER_CLANG_SCAN_DEPS= >"$directory/refused.txt" 2>&1 ||
    ! grep -q "NPUZZLE_MODULE needs clang-scan-deps" "$directory/refused.txt"; then
    cat "$directory/refused.txt"
    echo "should say that clang-scan-deps is missing"
    exit 1
fi
rm -rf "$directory/by_cmake"
if ! command -v "clang-scan-deps-$("$compiler" -dumpversion | cut -d . -f 1)" >/dev/null && ! command -v clang-scan-deps >/dev/null; then
    echo "not tried by CMake: there is no clang-scan-deps; scripts/setup ci installs it"
    exit
fi
configure
"$cmake" --build "$directory/by_cmake"
check "$directory/by_cmake/import"
