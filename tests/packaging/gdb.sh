#!/usr/bin/env bash
# gdb.sh PROGRAM SCRIPT NATVIS: what gdb shows of the program's values with the pretty-printer, and what other debuggers show by
# the natvis file, whose expressions gdb evaluates. Status 77, which CTest counts as skipped, where there is no gdb with
# Python, or where it may not run a program.
set -euo pipefail

program=$1
printer=$2
natvis=$3

if ! command -v gdb >/dev/null || ! gdb -nx -batch -ex 'python print(1)' >/dev/null 2>&1; then
    echo "skipped: there is no gdb with Python"
    exit 77
fi

# A debugger and the leak checker of a sanitized build do not go together.
export ASAN_OPTIONS=detect_leaks=0
commands=(-ex "source $printer" -ex "break shown" -ex run -ex up)
for value in board large packed goal result result.path none none.statistics; do
    commands+=(-ex "print $value")
done
commands+=(-ex "source tests/packaging/natvis.py")
for value in board large packed packed4 goal result none; do
    commands+=(-ex "natvis $natvis $value")
done
log=$(gdb -nx -batch -iex "set debuginfod enabled off" -iex "set print pretty off" "${commands[@]}" "$program" 2>&1)
if ! grep -q '^Breakpoint 1, ' <<<"$log"; then
    echo "$log"
    echo "skipped: gdb cannot run a program here"
    exit 77
fi

status=0
expect() {
    if ! grep -qE -- "$1" <<<"$log"; then
        echo "not shown: $1"
        status=1
    fi
}
expect '^\$1 = \[8 1 3 \| 4 0 2 \| 7 6 5\]$'
expect '^\$2 = 12 x 12, blank in row 11, column 11$'
expect '^\$3 = \[8 1 3 \| 4 0 2 \| 7 6 5\]$'
expect '^\$4 = \[1 2 3 4 5 \| 6 7 8 9 10 \| 11 12 13 14 15 \| 16 17 18 19 20 \| 21 22 23 24 0\]$'
expect '^\$5 = solved, cost 1, a path of 2 states = \{path = .*moves = .*statistics = \{expanded = 0, '
expect '^\$6 = .*8 1 3 \| 4 0 2 \| 7 6 5.*8 1 3 \| 0 4 2 \| 7 6 5'
expect '^\$7 = unsolvable = \{path = .*statistics = \{expanded = 12345, '
expect '^\$8 = \{expanded = 12345, '
expect '^board as \[8 1 3 \| 4 0 2 \| 7 6 5\], \[size\], \[blank cell\], items 8 1 3 4 0 2 7 6 5$'
expect '^large as 12 x 12, blank in row 11, column 11, \[size\], \[blank cell\], items 143 142 .* 1 0$'
expect '^packed as \[8 1 3 \| 4 0 2 \| 7 6 5\]$'
expect '^packed4 as \[1 2 3 4 \| 5 6 7 8 \| 9 10 11 12 \| 13 14 15 0\]$'
expect '^goal as 5 x 5$'
expect '^result as npuzzle::Status::solved, cost 1, status, cost, path, moves, statistics$'
expect '^none as npuzzle::Status::unsolvable, cost 0, status, cost, path, statistics$'
((status == 0)) || echo "$log"
exit $status
