# Searches of dense nodes, in two thirds of the memory.
source tests/program/support.sh

board=$puzzles/puzzle4x4-45.txt

# With a quarter of the limit it becomes dense, and the table of dense nodes begins with eight megabytes.
bytes() { sed -E 's/.*"bytes":([0-9]+).*/\1/' <<<"$out"; }
for dense in "" --dense; do
    solves solve "$board" -a astar -H manhattan $dense --memory-limit 14MB --format json
    [[ $out == *'"moves":45'* ]] || fail "should find 45 moves"
    if [[ -n $dense ]]; then
        (($(bytes) > 8000000)) || fail "should have dense nodes"
    else
        (($(bytes) < 8000000)) || fail "should need little memory"
    fi
done
fails 2 "--dense goes with --algorithm astar alone" solve "$board" --dense
fails 2 "--dense goes with --algorithm astar alone" solve "$board" -a ida --dense
fails 2 "--dense goes with boards of size 4 alone" solve $puzzles/puzzle3x3-04.txt -a astar --dense
fails 2 "--dense goes without" solve "$board" -a astar --dense --threads 2
fails 2 "--dense goes without" solve "$board" -a astar --dense --checkpoint "$work/file"

finish
