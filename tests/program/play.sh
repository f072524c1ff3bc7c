source tests/program/support.sh

keys() { printf "$1" >"$work/keys" && input=$work/keys; }

# The blank of this board goes right, down, right, down to the goal: the tiles go the other way.
keys 'awaw'
solves play $puzzles/puzzle3x3-04.txt
matches "^ \. 1 3
 4 2 5
 7 8 6
moves: 0, the fewest: 4
arrows or wasd: slide a tile, u: undo, h: hint, r: restart, q: quit
 1 \. 3
"
matches "moves: 4, the fewest: 4
Solved, in the fewest moves.$"

# The same by arrow keys, after a detour.
keys '\e[A\e[Du\nur\e[D\e[A\e[D\e[A'
solves play $puzzles/puzzle3x3-04.txt
holds "Solved, in the fewest moves."
keys 'wswswsaw\e[D\e[A'
solves play $puzzles/puzzle3x3-04.txt
holds $'moves: 10, the fewest: 4\nSolved.'

# What cannot be done, and hints.
keys 'sud?h'
ends 3 play $puzzles/puzzle3x3-04.txt --goal blank-last --time-limit 5s
holds "There is no tile to slide that way."
holds "There is nothing to undo."
holds "Slide a tile left; 4 moves are left at the least."
keys '\e[B\e[C\eOAx\003w'
ends 3 play $puzzles/puzzle3x3-04.txt
ends 1 play $puzzles/puzzle2x2-unsolvable1.txt
prints "No solution possible"
keys 'h'
ends 3 play $puzzles/puzzle5x5-62.txt --time-limit 1ms
matches "moves: 0, the fewest: [0-9]+ or more"
holds " moves, perhaps not the fewest."
solves play $puzzles/puzzle3x3-00.txt
holds "Solved"
fails 2 "missing.txt: No such file or directory" play missing.txt
fails 2 "the board from a file" play -

finish
