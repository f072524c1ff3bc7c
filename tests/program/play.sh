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

holds $'Solved.\nYour best on this board: 4 moves.'

# The best games: one for each board, with the fewest moves.
solves play --best
matches "^moves  fewest  hints   seconds  date        board
    4       4      0 +[0-9.]+  2[0-9]{3}-[01][0-9]-[0-3][0-9]  0 1 3 / 4 2 5 / 7 8 6$"
keys 'h\e[D\e[A\e[D\e[A'
solves play $puzzles/puzzle3x3-04.txt
solves play --best --format json
[[ $out == *'"moves":4,"fewest":4,"hints":0,'* && $(wc -l <<<"$out") == 1 ]] || fail "should keep the game without hints"
games=$XDG_DATA_HOME/npuzzle/best_games.jsonl
sed -i 's/"moves":4/"moves":6/' "$games"
solves play $puzzles/puzzle3x3-04.txt
holds "Your best on this board; before, 6 moves."
echo '{"moves":1}' >>"$games"
fails 2 "best_games.jsonl:2: is no game; remove the line or the file" play --best
cp "$games" "$work/damaged"
ends 0 play $puzzles/puzzle3x3-04.txt
complains "the game is not kept: $games:2: is no game"
cmp -s "$games" "$work/damaged" || fail "should leave a damaged file as it is"
rm "$games" && mkdir "$games"
fails 2 "$games: cannot be read" play --best
ends 0 play $puzzles/puzzle3x3-04.txt
complains "the game is not kept: "
rmdir "$games"
solves play --best
prints "no games yet"
XDG_DATA_HOME= HOME= fails 2 "set XDG_DATA_HOME or HOME" play --best
fails 2 "play needs FILE, or --best" play
fails 2 "play --format goes with --best alone" play $puzzles/puzzle3x3-04.txt --format json
fails 2 "goes without FILE" play $puzzles/puzzle3x3-04.txt --best

# What cannot be done, and hints.
keys 'sud?h'
ends 3 play $puzzles/puzzle3x3-04.txt --goal blank-last --time-limit 5s
holds "There is no tile to slide that way."
holds "There is nothing to undo."
holds "Slide a tile left; 4 moves are left at the least."
holds "At the least, by hamming 4, manhattan 4, linear-conflict 4, walking-distance 4."
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
