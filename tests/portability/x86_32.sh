#!/usr/bin/env bash
# For a 32-bit processor: std::size_t has 32 bits, and there is no integer of 128.
. "${BASH_SOURCE[0]%/*}/support.sh"

echo 'int main() {}' >"$work/empty.cpp"
"$compiler" -m32 "$work/empty.cpp" -o "$work/empty" 2>/dev/null && "$work/empty" ||
    skip "$compiler does not compile for 32 bits (-m32) here"

compile_and_run searches "$compiler" -m32 -pthread
compile_and_run puzzles "$compiler" -m32 -pthread "-I$boost"

echo '#include <npuzzle/puzzle/packed_board.hpp>
npuzzle::PackedBoard<5> board;' >"$work/five.cpp"
first=$("$compiler" -m32 "${common[@]}" "-I$boost" -fsyntax-only "$work/five.cpp" 2>&1 | grep -m 1 'error:' || true)
[[ $first == *"PackedBoard<5> needs an integer of 128 bits"* ]] || fail "PackedBoard<5> says: $first"
