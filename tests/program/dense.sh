# Searches of dense nodes, in two thirds of the memory.
source tests/program/support.sh

board=$puzzles/puzzle4x4-40.txt
solves solve "$board" -a astar --dense -f moves
[[ $(wc -w <<<"$out") == 40 ]] || fail "should find 40 moves"
solves solve "$board" -a astar -H manhattan --dense --memory-limit 6MB -f moves
[[ $(wc -w <<<"$out") == 40 ]] || fail "should find 40 moves"
fails 2 "--dense goes with --algorithm astar alone" solve "$board" --dense
fails 2 "--dense goes with --algorithm astar alone" solve "$board" -a ida --dense
fails 2 "--dense goes with boards of size 4 alone" solve $puzzles/puzzle3x3-04.txt -a astar --dense
fails 2 "--dense goes without" solve "$board" -a astar --dense --threads 2
fails 2 "--dense goes without" solve "$board" -a astar --dense --checkpoint "$work/file"

finish
