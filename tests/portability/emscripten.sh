#!/usr/bin/env bash
# For the web, by Emscripten: 32 bits, another standard library, and no threads.
. "${BASH_SOURCE[0]%/*}/support.sh"

command -v em++ >/dev/null || skip "there is no em++"
command -v node >/dev/null || skip "there is no node"

# Its own headers are not those of the system, so that Boost's are shown to it alone.
mkdir "$work/include"
ln -s "$boost/boost" "$work/include/boost"
for program in searches puzzles; do
    em++ "${common[@]}" -O1 -isystem "$work/include" -fexceptions -s SINGLE_FILE=1 -s ALLOW_MEMORY_GROWTH=1 \
        "$programs/$program.cpp" -o "$work/$program.js"
    node "$work/$program.js" || fail "$program, compiled by em++"
done
