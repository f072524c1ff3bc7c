#!/usr/bin/env bash
# Where Boost is not installed, all that needs none compiles, and what needs it says what to install.
. "${BASH_SOURCE[0]%/*}/support.sh"

# The folders that the compiler searches, without what they have of Boost.
options=(-nostdinc -nostdinc++)
while read -r folder; do
    if [[ -e $folder/boost ]]; then
        mkdir -p "$work/include"
        ln -s "$folder"/* "$work/include"
        rm "$work/include/boost"
        folder=$work/include
    fi
    options+=(-isystem "$folder")
done < <("$compiler" -v -xc++ -fsyntax-only /dev/null 2>&1 | sed -n '/^#include </,/^End/s/^ \(\/\S*\).*/\1/p')
compile() { # SOURCE
    "$compiler" "${common[@]}" "${options[@]}" -fsyntax-only "$@"
}

for program in first_call first_problem map_path solver; do
    compile "examples/$program.cpp" || fail "$program needs Boost"
done

says() { # HEADER [WHAT STANDS AFTER IT]
    printf '#include <npuzzle/%s>\n%s\n' "$1" "${2-}" >"$work/says.cpp"
    first=$(compile "$work/says.cpp" 2>&1 | grep -m 1 -E 'error' || true)
    [[ $first == *"needs the headers of Boost"*libboost-dev* ]] || fail "$1 says: $first"
}
says maps/boost_graph.hpp
says search/open_list/heap.hpp 'npuzzle::HeapOpenList<int, int, int> list;'
